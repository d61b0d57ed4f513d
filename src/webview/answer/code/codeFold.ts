/** Folds long code blocks, except those that the reader saw streaming or unfolded: nothing folds under their eyes. */
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useStore } from "../../state/useStore.ts";

/** Longer blocks are folded to their first lines. */
const maxUnfoldedLines = 25;
/** Unfolded blocks that are remembered. */
const mostRemembered = 100;

/** Dispatched on a folded block to unfold it, for example when the search finds a match in it. */
export const UNFOLD_EVENT = "forge-unfold";

interface CodeFold {
  readonly pre: RefObject<HTMLPreElement | null> | null;
  readonly isFolded: boolean;
  /** Line count of a block long enough to fold; 0 for any other. */
  readonly lines: number;
  readonly toggle: () => void;
}

export function useCodeFold(code: string, final: boolean): CodeFold {
  const store = useStore();
  const pre = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => (final ? foldableLineCount(code) : 0), [code, final]);
  const wasSeenGrowing = useRef(!final);
  const [choice, setChoice] = useState<boolean | null>(null);
  const canFold = lines > 0;
  const isOpen = choice ?? (wasSeenGrowing.current || store.unfoldedCode.has(code));
  /** Position of the toggle before it was clicked, so that it does not move on screen. */
  const buttonTop = useRef<number | null>(null);

  const choose = (open: boolean): void => {
    const { following } = store.state.peek().window;
    if (open && following) store.dispatch({ kind: "stoppedFollowing" }); // else it would scroll past the unfolded code
    setChoice(open);
    if (!open) store.unfoldedCode.delete(code);
  };
  // A single effect: most blocks are too short to fold and return early.
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

function foldableLineCount(code: string): number {
  let count = 1;
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) count++;
  return count > maxUnfoldedLines ? count : 0;
}
