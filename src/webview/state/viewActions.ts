/** What the reader does to the view itself, without the host. Pure; the counterpart of `reduce`. */
import { windowAtTail, windowDown, windowUp } from "../transcript/rowWindow.ts";
import { afterReveal, type AppState } from "./state.ts";

export type ViewAction =
  /** The reader turned away from the newest row: it must not pull them back. */
  | { readonly kind: "stoppedFollowing" }
  /** The reader is at the newest row again, and follows it. */
  | { readonly kind: "reachedTail" }
  | { readonly kind: "wentToTail" }
  | { readonly kind: "wentToRow"; readonly rowId: string }
  | { readonly kind: "wentUp" }
  | { readonly kind: "wentDown" }
  | { readonly kind: "askedOlder" }
  | { readonly kind: "closedContext" }
  | { readonly kind: "toggledRow"; readonly rowId: string };

export function applyAction(state: AppState, action: ViewAction): AppState {
  switch (action.kind) {
    case "stoppedFollowing":
      return { ...state, window: { ...state.window, following: false } };
    case "reachedTail":
      return { ...state, window: { ...state.window, following: true } };
    case "wentToTail":
      return { ...state, window: windowAtTail(state.rows) };
    case "wentToRow":
      return afterReveal(state, { rowId: action.rowId });
    case "wentUp":
      return { ...state, window: windowUp(state.window, state.rows) };
    case "wentDown":
      return { ...state, window: windowDown(state.window, state.rows) };
    case "closedContext":
      return { ...state, context: null };
    case "askedOlder":
      return { ...state, loadingOlder: true };
    case "toggledRow":
      return {
        ...state,
        openRows: toggled(state.openRows, action.rowId),
        window: { ...state.window, following: false },
      };
  }
}

function toggled(open: ReadonlySet<string>, rowId: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(rowId)) next.add(rowId);
  return next;
}
