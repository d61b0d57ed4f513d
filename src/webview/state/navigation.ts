/** Navigation between the conversation and the context view, and requests from there and from summaries. */
import type { ReadonlySignal } from "@preact/signals";
import type { ContextAsk } from "../../protocol/contextView.ts";
import type { SummaryAsk } from "../../protocol/summaryView.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { Row } from "../../protocol/toView.ts";
import type { AppState } from "./state.ts";
import type { ViewAct } from "./viewActions.ts";

export interface PageStore {
  readonly state: ReadonlySignal<AppState>;
  act(what: ViewAct): void;
  post(message: ToHost): void;
}

export function askContext(store: PageStore, ask: ContextAsk): void {
  store.post({ kind: "context", ask });
}

export function askSummary(store: PageStore, summaryId: number, ask: SummaryAsk): void {
  store.post({ kind: "summary", summaryId, ask });
}

/** Closes the context view; returns whether it was open. */
export function leaveContext(store: PageStore): boolean {
  if (store.state.peek().context === null) return false;
  store.act({ kind: "leftContext" });
  askContext(store, { what: "close" });
  return true;
}

/** Goes to a row if it is loaded; otherwise returns the oldest loaded one. */
export function goToRow(store: PageStore, isWanted: (row: Row) => boolean): string | undefined {
  leaveContext(store);
  const { rows } = store.state.peek();
  const found = rows.find(isWanted);
  if (found === undefined) return rows[0]?.rowId;
  store.act({ kind: "wentToRow", rowId: found.rowId });
  return undefined;
}

/** Goes to a summary: at once if it is loaded, else when it is received. */
export function goToSummary(store: PageStore, summaryId: number): void {
  const before = goToRow(store, (row) => row.kind === "summary" && row.summaryId === summaryId);
  if (before !== undefined) askContext(store, { what: "summary", summaryId, before });
}
