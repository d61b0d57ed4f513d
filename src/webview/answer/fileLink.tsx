/** Names of files in answers: links where the workspace has the file, else the words that they are. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type FileName, fileNamesIn } from "./fileNames.ts";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";
import { visibleText } from "./visibleText.tsx";

/** A name that may be that of a file, and what stands for it. */
interface FileLinkProps {
  readonly name: FileName;
  /** What is shown while there is no such file, if it differs from `children`. */
  readonly otherwise?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A name. It takes the same room whether it is a link or not, so that nothing moves when that becomes known. */
export function FileLink({ name: { path, line, column }, otherwise, children }: FileLinkProps) {
  const store = useStore();
  const isThere = store.files.isThere(path).value;
  useEffect(() => {
    store.files.ask(path);
  }, [store, path]);
  if (!isThere) return <>{otherwise ?? children}</>;
  const open = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    store.post({ kind: "openFile", path, line, column });
  };
  return (
    <span
      class="file-link"
      role="link"
      tabIndex={0}
      title={line === 0 ? words.openFile(path) : words.openFileAt(path, line)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === "Enter") open(event);
      }}
    >
      {children}
    </span>
  );
}

/** Plain text in which names of files are links. */
export function textWithFileNames(text: string): ComponentChildren {
  const names = fileNamesIn(text);
  if (names.length === 0) return visibleText(text);
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const name of names) {
    parts.push(visibleText(text.slice(end, name.start)));
    parts.push(
      <FileLink key={name.start} name={name}>
        {text.slice(name.start, name.end)}
      </FileLink>,
    );
    end = name.end;
  }
  return [...parts, visibleText(text.slice(end))];
}
