/**
 * State of the view, and how each message of the host changes it. Pure.
 * Invariants: rows are those of the host, oldest first, each `rowId` once; the window lies within the rows; an
 * unchanged row stays the same object, so that only changed rows are redrawn.
 */
import type { ReadOutView } from "../../protocol/readOutView.ts";
import type { ContextView } from "../../protocol/contextView.ts";
import type { CallSourceState, ToolCallCard, ToolCallDetail } from "../../protocol/toolCallView.ts";
import type { SummaryDetail, SummaryOriginals } from "../../protocol/summaryView.ts";
import type { RevealedRow } from "../../protocol/scrollAnchor.ts";
import type { FontView, MessageRow, Row, ToViewBody, ViewStatus } from "../../protocol/toView.ts";
import { type EditView, editAt } from "../../protocol/composerDocument.ts";
import { type ComposerState, heard, withSnapshot } from "../composer/composerState.ts";
import { savedComposerFor, type ViewMemory, withoutConversation } from "../composer/viewMemory.ts";
import {
  type RowWindow,
  windowAfterAppend,
  windowAfterPrepend,
  windowAfterRemoval,
  windowAround,
  windowAtTail,
  windowFrom,
} from "../transcript/rowWindow.ts";

export interface AppState {
  /** `waiting` until the first snapshot. */
  readonly phase: "waiting" | "ready";
  readonly conversationId: string;
  readonly rows: readonly Row[];
  readonly window: RowWindow;
  readonly hasOlder: boolean;
  /** A page of older rows was requested and is not received yet. */
  readonly loadingOlder: boolean;
  readonly status: ViewStatus;
  readonly composer: ComposerState;
  /** Saved by an earlier instance of this page, for conversations that are not shown yet. */
  readonly unrestored: ViewMemory;
  /** Latest results for the menu after "@". */
  readonly mentions: Omit<Extract<ToViewBody, { kind: "mentions" }>, "kind">;
  /** Context view, shown instead of the transcript; null while closed. */
  readonly context: ContextView | null;
  /** What is unfolded: rows (summaries, thinking) by id, calls by key. */
  readonly openRows: ReadonlySet<string>;
  /** First id of rows whose id has changed: they are drawn under it, so that their elements stay the same. */
  readonly rowKeys: ReadonlyMap<string, string>;
  readonly summaryDetails: ReadonlyMap<number, SummaryDetail>;
  /** Loaded originals, from the first on. */
  readonly summaryOriginals: ReadonlyMap<number, SummaryOriginals>;
  /** Requested details of calls, by key. */
  readonly callDetails: ReadonlyMap<string, ToolCallDetail>;
  /** Of conversations that calls quote, by id. */
  readonly sourceStates: ReadonlyMap<string, CallSourceState>;
  /** Row that was last scrolled into view; a new object each time. */
  readonly revealedRow: RevealedRow | null;
  /** Grows with each request of the host for the keyboard focus. */
  readonly focusRequests: number;
  readonly font: FontView;
  readonly readOut: ReadOutView;
}

/** A message about an unknown row changes nothing. */
export function reduce(state: AppState, message: ToViewBody): AppState {
  switch (message.kind) {
    case "snapshot":
      return afterSnapshot(state, message);
    case "rowsAdded":
      return afterAppend(state, message.rows);
    case "rowsOlder":
      return afterPrepend(state, message.before, message.rows, message.hasOlder);
    case "reveal":
      return afterReveal(state, message);
    case "rowChanged":
      return afterChange(state, message.rowId, message.row);
    case "rowRemoved":
      return afterRemoval(state, message.rowId);
    case "rowsSent": {
      const sent = new Map(message.rows.map((row) => [row.rowId, row.sent]));
      const rows = state.rows.map((row) => {
        const now = sent.get(row.rowId);
        return row.kind !== "message" || now === undefined ? row : { ...row, sent: now };
      });
      return { ...state, rows };
    }
    case "delta":
      return updateRow(state, message.rowId, (row) =>
        row.kind === "message" ? { ...row, [message.part]: row[message.part] + message.text } : row,
      );
    case "call":
      return updateRow(state, message.rowId, (row) =>
        row.kind === "message" ? { ...row, calls: withCall(row.calls, message.call) } : row,
      );
    case "callDetail": {
      const key = callKey(message.rowId, message.callId);
      return { ...state, callDetails: new Map(state.callDetails).set(key, message.detail) };
    }
    case "recallSources": {
      const received = message.sources.map(({ conversationId, state: now }) => [conversationId, now] as const);
      return { ...state, sourceStates: new Map([...state.sourceStates, ...received]) };
    }
    case "status":
      return { ...state, status: { ...state.status, ...message.status } };
    case "composer":
      if (message.conversationId !== state.conversationId) return state;
      return {
        ...state,
        composer: heard(state.composer, message.changed, message.contains ?? 0),
        window: message.sent === "now" ? windowAtTail(state.rows) : state.window,
      };
    case "mentions":
      return { ...state, mentions: message };
    case "summaryDetail":
      return { ...state, summaryDetails: new Map(state.summaryDetails).set(message.summaryId, message.detail) };
    case "summaryOriginals":
      return {
        ...state,
        summaryOriginals: appendOriginals(state.summaryOriginals, message.summaryId, message.originals),
      };
    case "context":
      return { ...state, context: message.context };
    case "focusComposer":
      return { ...state, focusRequests: state.focusRequests + 1 };
    case "focusQuestion": {
      const row = state.rows.find(isQuestion);
      return row === undefined
        ? { ...state, focusRequests: state.focusRequests + 1 }
        : afterReveal({ ...state, context: null }, { rowId: row.rowId, toQuestion: true });
    }
    case "attachmentText":
    case "openFind":
    case "found":
    case "foundAt":
    case "files":
      return state; // handled by the store: search, file names, text for the composer
  }
}

/** A call of a tool that waits for the user, or the offer of a summary. */
function isQuestion(row: Row): boolean {
  if (row.kind === "message") return row.calls.some(({ state }) => state === "asking");
  return row.kind === "notice" && row.actions.some(({ command }) => command === "useSummary");
}

export function streamingRow(rows: readonly Row[]): MessageRow | null {
  const row = rows.findLast((candidate) => candidate.kind === "message" && candidate.state === "streaming");
  return row?.kind === "message" ? row : null;
}

export function callKey(rowId: string, callId: string): string {
  return `${rowId}#${callId}`;
}

/** Id under which a row is drawn: its first one. */
export function rowKeyOf(state: Pick<AppState, "rowKeys">, rowId: string): string {
  return state.rowKeys.get(rowId) ?? rowId;
}

function afterSnapshot(
  state: AppState,
  { view, contains = 0, closed = [] }: Extract<ToViewBody, { kind: "snapshot" }>,
): AppState {
  const same = state.phase === "ready" && state.conversationId === view.conversationId;
  const { conversationId } = view;
  const unrestored = savedComposerFor(state.unrestored, view);
  const composer = withSnapshot(state.composer, {
    conversationId,
    document: view.composer,
    contains,
    closed,
    unrestored,
  });
  return {
    phase: "ready",
    conversationId,
    rows: view.rows,
    window: same ? windowInSnapshot(state, view.rows) : windowAtTail(view.rows),
    hasOlder: view.hasOlder,
    loadingOlder: false,
    status: view.status,
    composer,
    unrestored: withoutConversation(state.unrestored, conversationId),
    mentions: state.mentions,
    context: view.context,
    openRows: same ? state.openRows : editedSummaries(view.rows, composer.document.edits),
    rowKeys: same ? state.rowKeys : new Map(),
    summaryDetails: same ? state.summaryDetails : new Map(),
    summaryOriginals: same ? state.summaryOriginals : new Map(),
    callDetails: same ? state.callDetails : new Map(),
    sourceStates: state.sourceStates,
    revealedRow: null,
    focusRequests: state.focusRequests,
    font: view.font,
    readOut: view.readOut,
  };
}

/** Summaries with unsent edits are unfolded, so that these are visible. */
function editedSummaries(rows: readonly Row[], edits: readonly EditView[]): ReadonlySet<string> {
  const edited = rows.filter((row) => row.kind === "summary" && editAt(edits, row) !== undefined);
  return new Set(edited.map(({ rowId }) => rowId));
}

/** A reader who is not at the newest row stays with the rows that still exist. */
function windowInSnapshot({ rows: before, window }: AppState, rows: readonly Row[]): RowWindow {
  const mountedRowIds = new Set(before.slice(window.start, window.end).map(({ rowId }) => rowId));
  const index = window.following ? -1 : rows.findIndex(({ rowId }) => mountedRowIds.has(rowId));
  return index < 0 ? windowAtTail(rows) : windowFrom(index, rows);
}

function afterAppend(state: AppState, added: readonly Row[]): AppState {
  const rows = state.rows.concat(added); // copied at once, not row by row
  return { ...state, rows, window: windowAfterAppend(state.window, rows, added.length) };
}

function afterPrepend(state: AppState, before: string, older: readonly Row[], hasOlder: boolean): AppState {
  if (state.rows[0]?.rowId !== before) return { ...state, loadingOlder: false };
  const rows = [...older, ...state.rows];
  const window = older.length === 0 ? state.window : windowAfterPrepend(state.window, rows, older.length);
  return { ...state, rows, window, hasOlder, loadingOlder: false };
}

/** Mounts the row, with some above it, and moves the reader there. An unknown row changes nothing. */
export function afterReveal(state: AppState, revealedRow: RevealedRow): AppState {
  const index = state.rows.findIndex((row) => row.rowId === revealedRow.rowId);
  if (index < 0) return state;
  return { ...state, window: windowAround(index, state.rows), revealedRow: { ...revealedRow } };
}

function afterChange(state: AppState, rowId: string, row: Row): AppState {
  const changed = updateRow(state, rowId, () => row);
  if (row.rowId === rowId || changed === state) return changed;
  const rowKeys = new Map(state.rowKeys).set(row.rowId, rowKeyOf(state, rowId));
  const openRows = new Set([...state.openRows].map((key) => renamed(key, rowId, row.rowId)));
  const callDetails = new Map([...state.callDetails].map(([key, detail]) => [renamed(key, rowId, row.rowId), detail]));
  return { ...changed, rowKeys, openRows, callDetails };
}

/** Key of the row `from`, or of one of its calls, renamed after the row `to`. */
function renamed(key: string, from: string, to: string): string {
  return key === from || key.startsWith(callKey(from, "")) ? to + key.slice(from.length) : key;
}

function withCall(calls: readonly ToolCallCard[], call: ToolCallCard): readonly ToolCallCard[] {
  const place = calls.findIndex(({ callId }) => callId === call.callId);
  return place < 0 ? [...calls, call] : calls.with(place, call);
}

function afterRemoval(state: AppState, rowId: string): AppState {
  const index = state.rows.findLastIndex((row) => row.rowId === rowId);
  if (index < 0) return state;
  return { ...state, rows: state.rows.toSpliced(index, 1), window: windowAfterRemoval(state.window, index) };
}

function updateRow(state: AppState, rowId: string, change: (row: Row) => Row): AppState {
  const index = state.rows.findLastIndex((row) => row.rowId === rowId);
  const row = state.rows[index];
  if (row === undefined) return state;
  return { ...state, rows: state.rows.with(index, change(row)) };
}

/** Loaded originals, from the first on, by summary id. */
type OriginalsBySummary = ReadonlyMap<number, SummaryOriginals>;

/** Appends a page; one that does not continue the loaded ones replaces them. */
function appendOriginals(loaded: OriginalsBySummary, summaryId: number, page: SummaryOriginals): OriginalsBySummary {
  const before = loaded.get(summaryId)?.messages ?? [];
  const messages = page.from === before.length ? [...before, ...page.messages] : page.messages;
  return new Map(loaded).set(summaryId, { from: 0, total: page.total, messages });
}
