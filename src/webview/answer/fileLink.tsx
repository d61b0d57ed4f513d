/** File names in answers: links if the workspace has the file, else plain text. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type FileName, fileNamesIn } from "./fileNames.ts";
import { words } from "../words/words.ts";
import { useStore } from "../state/useStore.ts";
import { visibleText } from "./visibleText.tsx";

interface FileLinkProps {
  readonly name: FileName;
  /** Shown instead of `children` while no such file is known. */
  readonly fallback?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Takes the same space as a link and as text, so that the layout does not shift when the file is found. */
export function FileLink({ name: { path, line, column }, fallback, children }: FileLinkProps) {
  const store = useStore();
  const isThere = store.files.exists(path).value;
  useEffect(() => {
    store.files.request(path);
  }, [store, path]);
  if (!isThere) return <>{fallback ?? children}</>;
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

/** Plain text with its file names as links. */
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
