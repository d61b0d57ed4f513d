/** Connects the search to its view. */
import type { Signal } from "@preact/signals";
import type { ToHost } from "../../protocol/toHost.ts";
import { Find } from "./find.ts";
import { type AppState, callKey } from "../state/state.ts";
import type { ViewAction } from "../state/viewActions.ts";

export interface SearchedView {
  readonly state: Signal<AppState>;
  post(message: ToHost): void;
  announce(text: string): void;
  dispatch(action: ViewAction): void;
}

export function createFind(view: SearchedView): Find {
  return new Find({
    post: (message) => {
      view.post(message);
    },
    say: (text) => {
      view.announce(text);
    },
    isOpen: () => view.state.peek().conversationId !== "",
    oldestRowId: () => view.state.peek().rows[0]?.rowId ?? "",
    unfold: ({ rowId, part, callId }) => {
      if (rowId === null || part === "text") return;
      const key = part === "call" ? callKey(rowId, callId) : rowId;
      if (view.state.peek().openRows.has(key)) return;
      if (part === "call") view.post({ kind: "openCall", rowId, callId, whole: true });
      view.dispatch({ kind: "toggledRow", rowId: key });
    },
  });
}
