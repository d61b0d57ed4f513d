/** Going from the conversation to the context view and back, and what is asked of the host there and at summaries. */
import type { ReadonlySignal } from "@preact/signals";
import type { ContextAsk } from "../../protocol/contextView.ts";
import type { SummaryAsk } from "../../protocol/summaryView.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { Row } from "../../protocol/toView.ts";
import type { AppState } from "./state.ts";
import type { ViewAct } from "./viewActions.ts";

/** What of the store is needed here. */
export interface PageStore {
  readonly state: ReadonlySignal<AppState>;
  act(what: ViewAct): void;
  post(message: ToHost): void;
}

/** Asks for something in the context view. */
export function askContext(store: PageStore, ask: ContextAsk): void {
  store.post({ kind: "context", ask });
}

/** Asks for something at a summary. */
export function askSummary(store: PageStore, summaryId: number, ask: SummaryAsk): void {
  store.post({ kind: "summary", summaryId, ask });
}

/** Goes back from the context view to the conversation; answers whether it was open. */
export function leaveContext(store: PageStore): boolean {
  if (store.state.peek().context === null) return false;
  store.act({ kind: "leftContext" });
  askContext(store, { what: "close" });
  return true;
}

/** Goes to a row of the conversation that is at hand; answers the oldest one there is where it is not. */
export function goToRow(store: PageStore, isWanted: (row: Row) => boolean): string | undefined {
  leaveContext(store);
  const { rows } = store.state.peek();
  const found = rows.find(isWanted);
  if (found === undefined) return rows[0]?.rowId;
  store.act({ kind: "wentToRow", rowId: found.rowId });
  return undefined;
}

/** Goes to the place where a summary stands: at once where it is at hand, else when the host has sent it. */
export function goToSummary(store: PageStore, summaryId: number): void {
  const before = goToRow(store, (row) => row.kind === "summary" && row.summaryId === summaryId);
  if (before !== undefined) askContext(store, { what: "summary", summaryId, before });
}
