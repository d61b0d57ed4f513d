/** Connects the search to its view. */
import type { Signal } from "@preact/signals";
import type { ToHost } from "../../protocol/toHost.ts";
import { Find } from "./find.ts";
import { type AppState, callKey } from "../state/state.ts";
import type { ViewAct } from "../state/viewActions.ts";

export interface SearchedView {
  readonly state: Signal<AppState>;
  post(message: ToHost): void;
  say(text: string): void;
  act(what: ViewAct): void;
}

export function findIn(view: SearchedView): Find {
  return new Find({
    post: (message) => {
      view.post(message);
    },
    say: (text) => {
      view.say(text);
    },
    isOpen: () => view.state.peek().conversationId !== "",
    oldestRow: () => view.state.peek().rows[0]?.rowId ?? "",
    unfold: ({ rowId, part, callId }) => {
      if (rowId === null || part === "text") return;
      const key = part === "call" ? callKey(rowId, callId) : rowId;
      if (view.state.peek().openRows.has(key)) return;
      if (part === "call") view.post({ kind: "openCall", rowId, callId, whole: true });
      view.act({ kind: "toggledRow", rowId: key });
    },
  });
}
