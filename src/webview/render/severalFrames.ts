/** What is too much for one frame is done in several; meanwhile the reader's line stays where it is. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { keptLine } from "./readerPosition.ts";
import { useStore } from "./useStore.ts";

/** Has `goOn` called in the next frame, until `isDone`: what it changes is drawn then. `frames` counts them. */
export function useSeveralFrames(frames: number, isDone: boolean, goOn: (frames: number) => void): void {
  const { state } = useStore();
  const putBack = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    putBack.current?.();
    putBack.current = null;
    if (isDone) return;
    const frame = requestAnimationFrame(() => {
      const log = state.peek().window.following ? null : document.querySelector<HTMLElement>(".log");
      putBack.current = log && keptLine(log);
      goOn(frames + 1);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [state, frames, isDone]);
}

/** Whether the reader goes to this row: then all of it must be there. */
export function useIsGoneTo(rowId: string | undefined): boolean {
  const { state } = useStore();
  return rowId !== undefined && state.peek().revealed?.rowId === rowId;
}
