/** What stands around the rows of a transcript. */
import type { AppState } from "../state.ts";

/** Whether it is the same in both states. Of the rows only matters whether there are any, and some out of the window. */
export function isSameFrame(one: AppState, other: AppState): boolean {
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
