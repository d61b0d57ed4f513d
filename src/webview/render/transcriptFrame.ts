/** What stands around the rows of a transcript. */
import { computed, type ReadonlySignal } from "@preact/signals";
import type { AppState } from "../state.ts";

/** Whether between the two states nothing but rows was added or changed, below a reader who follows: they are all there is to draw. */
export function differsInRows(one: AppState, other: AppState): boolean {
  return (
    other.conversationId === one.conversationId &&
    other.window.following &&
    other.revealed === one.revealed &&
    isSameFrame(one, other)
  );
}

/** What was drawn last with all that stands around the rows: the same object as long as states differ in their rows alone. */
export function framesOf(state: ReadonlySignal<AppState>): ReadonlySignal<AppState> {
  let last = state.peek();
  return computed(() => {
    if (!differsInRows(last, state.value)) last = state.value;
    return last;
  });
}

/** Whether it is the same in both states. Of the rows only matters whether there are any, and some out of the window. */
function isSameFrame(one: AppState, other: AppState): boolean {
  return (
    other.window.following === one.window.following &&
    other.window.start > 0 === one.window.start > 0 &&
    other.window.end < other.rows.length === one.window.end < one.rows.length &&
    other.rows.length > 0 === one.rows.length > 0 &&
    other.hasOlder === one.hasOlder &&
    other.loadingOlder === one.loadingOlder &&
    other.status === one.status
  );
}
