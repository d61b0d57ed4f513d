/** Navigation between the conversation and the context view, and requests from there and from summaries. */
import type { ReadonlySignal } from "@preact/signals";
import type { ToHost, ContextAction, SummaryAction } from "../../protocol/toHost.ts";
import type { Row } from "../../protocol/toView.ts";
import type { AppState } from "./state.ts";
import type { ViewAction } from "./viewActions.ts";

export interface NavigationStore {
  readonly state: ReadonlySignal<AppState>;
  dispatch(action: ViewAction): void;
  post(message: ToHost): void;
}

export function postContextAction(store: NavigationStore, ask: ContextAction): void {
  store.post({ kind: "context", ask });
}

export function postSummaryAction(store: NavigationStore, summaryId: number, ask: SummaryAction): void {
  store.post({ kind: "summary", summaryId, ask });
}

/** Closes the context view; returns whether it was open. */
export function closeContext(store: NavigationStore): boolean {
  if (store.state.peek().context === null) return false;
  store.dispatch({ kind: "closedContext" });
  postContextAction(store, { what: "close" });
  return true;
}

/** Goes to a row if it is loaded; otherwise returns the oldest loaded one. */
export function goToRow(store: NavigationStore, isWanted: (row: Row) => boolean): string | undefined {
  closeContext(store);
  const { rows } = store.state.peek();
  const found = rows.find(isWanted);
  if (found === undefined) return rows[0]?.rowId;
  store.dispatch({ kind: "wentToRow", rowId: found.rowId });
  return undefined;
}

/** Goes to a summary: at once if it is loaded, else when it is received. */
export function goToSummary(store: NavigationStore, summaryId: number): void {
  const before = goToRow(store, (row) => row.kind === "summary" && row.summaryId === summaryId);
  if (before !== undefined) postContextAction(store, { what: "summary", summaryId, before });
}
