/**
 * Folds long blocks of code. A block that the reader saw being written stays as it is, and one that they unfolded stays
 * unfolded as long as the page is there: nothing folds by itself under their eyes.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useStore } from "../../state/useStore.ts";

/** A block with more lines is folded to the first ones of it. */
const mostLines = 25;
/** Blocks that are remembered as unfolded. */
const mostRemembered = 100;

/** Asks a folded block to unfold, as when words in it were found. */
export const UNFOLD_EVENT = "forge-unfold";

/** How a block is shown. */
interface CodeFold {
  readonly pre: RefObject<HTMLPreElement | null> | null;
  readonly isFolded: boolean;
  /** Lines of a block that can be folded; 0 for any other. */
  readonly lines: number;
  readonly toggle: () => void;
}

/** The fold of one block. */
export function useCodeFold(code: string, final: boolean): CodeFold {
  const store = useStore();
  const pre = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => (final ? linesToFold(code) : 0), [code, final]);
  const wasSeenGrowing = useRef(!final);
  const [choice, setChoice] = useState<boolean | null>(null);
  const canFold = lines > 0;
  const isOpen = choice ?? (wasSeenGrowing.current || store.unfoldedCode.has(code));
  /** Where the button was when it was used, so that it stays there. */
  const buttonTop = useRef<number | null>(null);

  const choose = (open: boolean): void => {
    const { following } = store.state.peek().window;
    if (open && following) store.act({ kind: "leftTail" }); // else the end would be gone to, past what was unfolded
    setChoice(open);
    if (!open) store.unfoldedCode.delete(code);
  };
  // One effect for all, which most blocks leave at once: they are too short to fold.
  useLayoutEffect(() => {
    const [before, element] = [buttonTop.current, pre.current];
    buttonTop.current = null;
    if (!canFold || element === null) return;
    if (isOpen) rememberUnfolded(store.unfoldedCode, code);
    const log = element.closest('[role="log"]');
    if (before !== null && log !== null) log.scrollTop += element.getBoundingClientRect().bottom - before;
    const unfold = (): void => {
      setChoice(true);
    };
    element.addEventListener(UNFOLD_EVENT, unfold);
    return () => {
      element.removeEventListener(UNFOLD_EVENT, unfold);
    };
  }, [store, canFold, isOpen, code]);

  return {
    pre,
    isFolded: canFold && !isOpen,
    lines,
    toggle: () => {
      if (isOpen) buttonTop.current = pre.current?.getBoundingClientRect().bottom ?? null;
      choose(!isOpen);
    },
  };
}

function rememberUnfolded(remembered: Set<string>, code: string): void {
  remembered.add(code);
  const [oldest] = remembered;
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/** Lines of a block that is so long that it is folded; 0 for any other. */
function linesToFold(code: string): number {
  let count = 1;
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) count++;
  return count > mostLines ? count : 0;
}
