/** What can be done with a block of code: a small bar with one stop for the keyboard, its arrows go from button to button. */
import { useEffect, useState } from "preact/hooks";
import { type CodeAct, isForShell, MOST_CODE_LENGTH } from "../../protocol/codeView.ts";
import { words } from "../words.ts";
import { Icon, type IconName } from "./icon.tsx";
import { useStore } from "./useStore.ts";

interface CodeToolsProps {
  readonly code: string;
  readonly language: string;
  /** The file that the block names; may be empty. */
  readonly path: string;
  /** All of it is there. */
  readonly final: boolean;
}

/** How long the button says that it has copied. */
const copiedShownMs = 1500;

/** The bar. What changes files or runs something is there when the block is whole. */
export function CodeTools({ code, language, path, final }: CodeToolsProps) {
  const store = useStore();
  const [isCopied, setCopied] = useState(false);
  const [stop, setStop] = useState(0);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => {
      setCopied(false);
    }, copiedShownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isCopied]);
  const copy = (): void => {
    store.copy(code);
    setCopied(true);
  };
  const tools: readonly Tool[] = [
    { icon: isCopied ? "done" : "copy", label: isCopied ? words.copied : words.copyCode, act: copy },
    ...toolsFor({ code, language, path, final }).map(({ act, ...tool }) => ({
      ...tool,
      act: () => {
        store.post({ kind: "code", act, text: code, language, path });
      },
    })),
  ];
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextStop(event, stop, tools.length);
    if (next === null || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    setStop(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div class="code-tools" role="toolbar" aria-label={words.codeTools} onKeyDown={onKeyDown}>
      {tools.map(({ icon, label, act }, index) => (
        <button
          key={index}
          type="button"
          class="small-button"
          aria-label={label}
          title={label}
          tabIndex={index === stop ? 0 : -1}
          onFocus={() => {
            setStop(index);
          }}
          onClick={act}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

interface Tool {
  readonly icon: IconName;
  readonly label: string;
  readonly act: () => void;
}

function toolsFor({ code, language, path, final }: CodeToolsProps): readonly (Omit<Tool, "act"> & { act: CodeAct })[] {
  if (!final || code.trim() === "" || code.length > MOST_CODE_LENGTH) return [];
  const insert = { icon: "insert", label: words.insertAtCursor, act: "insert" } as const;
  const newFile = { icon: "newFile", label: words.toNewFile, act: "newFile" } as const;
  const apply = { icon: "apply", label: path === "" ? words.applyToFile : words.applyTo(path), act: "apply" } as const;
  const run = { icon: "run", label: words.runInTerminal, act: "run" } as const;
  if (!isForShell(language)) return [insert, newFile, apply];
  return path === "" ? [run, insert, newFile] : [run, insert, newFile, apply];
}

/** Where an arrow leads; null for any other key. */
function nextStop({ key }: KeyboardEvent, stop: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (stop + 1) % count;
    case "ArrowLeft":
      return (stop + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
