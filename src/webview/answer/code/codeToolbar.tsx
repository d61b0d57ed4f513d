/** Toolbar of a code block. */
import type { CodeAction } from "../../../protocol/toHost.ts";
import { useLayoutEffect, useState } from "preact/hooks";
import { isDiagram, isForShell, MAX_CODE_LENGTH } from "../../../protocol/codeView.ts";
import { words } from "../../words/words.ts";
import type { IconName } from "../../controls/icon.tsx";
import { buttonIndexOf, useRovingTabindex } from "../../a11y/rovingTabindex.ts";
import { useStore } from "../../state/useStore.ts";

interface CodeToolsProps {
  readonly code: string;
  readonly language: string;
  /** File that the block names; may be empty. */
  readonly path: string;
  /** The block is complete. */
  readonly final: boolean;
}

const copiedShownMs = 1500;

/**
 * Actions that change files or run something appear once the block is complete. As every block has a toolbar, each
 * button is a single element, and one listener serves all.
 */
export function CodeToolbar({ code, language, path, final }: CodeToolsProps) {
  const store = useStore();
  const [isCopied, setCopied] = useState(false);
  useLayoutEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, copiedShownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isCopied]);
  const tools = toolsOf({ code, language, path, final }, isCopied);
  const { stop, onKeyDown, onFocusIn } = useRovingTabindex(tools.length);
  const onClick = (event: Event): void => {
    const act = tools[buttonIndexOf(event)]?.act;
    if (act === "copy") {
      store.copy(code);
      setCopied(true);
    } else if (act !== undefined) {
      store.post({ kind: "code", act, text: code, language, path });
    }
  };
  return (
    <div
      class="code-tools"
      role="toolbar"
      aria-label={words.codeTools}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
      onClick={onClick}
    >
      {tools.map(({ icon, label }, index) => (
        <button
          key={index}
          type="button"
          class={`icon icon-${icon}`}
          aria-label={label}
          title={label}
          tabIndex={index === stop ? 0 : -1}
        />
      ))}
    </div>
  );
}

function toolsOf(props: CodeToolsProps, isCopied: boolean): readonly Tool[] {
  const copy = {
    icon: isCopied ? "done" : "copy",
    label: isCopied ? words.copied : words.copyCode,
    act: "copy",
  } as const;
  return [copy, ...toolsFor(props)];
}

interface Tool {
  readonly icon: IconName;
  readonly label: string;
  readonly act: CodeAction | "copy";
}

function toolsFor({ code, language, path, final }: CodeToolsProps): readonly Tool[] {
  if (!final || code.trim() === "" || code.length > MAX_CODE_LENGTH) return [];
  const insert = { icon: "insert", label: words.insertAtCursor, act: "insert" } as const;
  const newFile = { icon: "newFile", label: words.toNewFile, act: "newFile" } as const;
  const apply = { icon: "apply", label: path === "" ? words.applyToFile : words.applyTo(path), act: "apply" } as const;
  const run = { icon: "run", label: words.runInTerminal, act: "run" } as const;
  if (isDiagram(language))
    return [{ icon: "diagram", label: words.showDiagram, act: "diagram" }, insert, newFile, apply];
  if (!isForShell(language)) return [insert, newFile, apply];
  return path === "" ? [run, insert, newFile] : [run, insert, newFile, apply];
}
