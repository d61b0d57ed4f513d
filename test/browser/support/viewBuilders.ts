/** Builders for messages of the host. */
import { type ComposerDocument, emptyDocument } from "../../../src/protocol/composerDocument.ts";
import type { ToolCallCard } from "../../../src/protocol/toolCallView.ts";
import type { SummaryDetail, SummaryOriginal, SummaryRow } from "../../../src/protocol/summaryView.ts";
import type { MessageRow, NoticeRow, Row, ToViewBody, ViewState, ViewStatus } from "../../../src/protocol/toView.ts";

/** A model is connected and idle. */
export const idleStatus: ViewStatus = {
  title: "Retry policy for uploads",
  model: { label: "claude-haiku-4-5", providerLabel: "Anthropic" },
  usage: {
    usedTokens: 55_400,
    budgetTokens: 129_200,
    text: "55k / 129k (43%)",
    severity: 0,
    measured: true,
    segments: [
      { kind: "system", tokens: 5200 },
      { kind: "tools", tokens: 6100 },
      { kind: "summaries", tokens: 30_100 },
      { kind: "messages", tokens: 14_000 },
    ],
  },
  connection: { kind: "connected", why: "A key for Anthropic is stored" },
  unreachableServers: [],
  activity: "idle",
  progress: null,
  banner: null,
  draftTokens: null,
};

export function status(changes: Partial<ViewStatus>): ViewStatus {
  return { ...idleStatus, ...changes };
}

export function user(id: number, text: string, changes: Partial<MessageRow> = {}): MessageRow {
  return { ...blank(`message-${String(id)}`, String(id)), role: "user", text, ...changes };
}

export function answer(id: number, text: string, changes: Partial<MessageRow> = {}): MessageRow {
  return { ...blank(`message-${String(id)}`, String(id)), text, ...changes };
}

export function streaming(stepId: string, text = "", changes: Partial<MessageRow> = {}): MessageRow {
  return { ...blank(stepId, stepId), state: "streaming", text, ...changes };
}

/** A finished call. */
export function call(callId: string, changes: Partial<ToolCallCard> = {}): ToolCallCard {
  return { callId, name: "read_file", title: "Read a file", state: "done", time: "", question: null, ...changes };
}

/** A summary of messages 120 to 161. */
export function summary(id: number, changes: Partial<SummaryRow> = {}): SummaryRow {
  return {
    kind: "summary",
    rowId: `summary-${String(id)}`,
    summaryId: id,
    number: 3,
    firstMessage: 120,
    lastMessage: 161,
    messageCount: 42,
    tokensBefore: 61_000,
    tokensAfter: 9000,
    factsKept: 38,
    factsTotal: 38,
    state: "active",
    isStale: false,
    use: "sent",
    unverifiedCount: 0,
    redoId: null,
    versionCount: 1,
    cause: "Threshold, at 82% of 129k",
    effect: "Request: 106k → 54k tokens",
    meta: "gpt-6-luna · $0.004 · 2.8 s",
    ...changes,
  };
}

export function summaryDetail(notes: string, changes: Partial<SummaryDetail> = {}): SummaryDetail {
  return {
    content: notes,
    notes,
    facts: [],
    unverified: [],
    versions: [],
    models: [{ id: "gpt-6-luna", label: "gpt-6-luna" }],
    ...changes,
  };
}

/** An original message of a summary. */
export function original(
  messageId: number,
  role: SummaryOriginal["role"],
  text: string,
  changes: Partial<SummaryOriginal> = {},
): SummaryOriginal {
  const who = { user: "You", assistant: "Answer", system: "Note", tool: "Tool" }[role];
  return { messageId, who, role, text, attachments: [], calls: [], ...changes };
}

export function notice(text: string, changes: Partial<NoticeRow> = {}): NoticeRow {
  return { kind: "notice", rowId: `notice-${text}`, tone: "info", text, actions: [], ...changes };
}

/** A complete view with these rows. `draft` is the composer's text. */
export function view(
  rows: readonly Row[],
  { draft, edits, queue, attachments, ...changes }: Partial<ViewState> & ComposerFields = {},
): ViewState {
  const none = emptyDocument;
  return {
    conversationId: "conversation-1",
    rows,
    hasOlder: false,
    composer: {
      ...none,
      text: draft ?? none.text,
      edits: edits ?? none.edits,
      queue: queue ?? none.queue,
      attachments: attachments ?? none.attachments,
    },
    status: idleStatus,
    context: null,
    font: { sizePx: null, family: null },
    readOut: { amount: "all", silent: [] },
    ...changes,
  };
}

/** The host's message that these fields of the composer have changed. */
export function composer(
  changed: Partial<ComposerDocument>,
  sent?: "now" | "queued",
): ToViewBody & { kind: "composer" } {
  const isSent = sent === undefined ? {} : { sent };
  return { kind: "composer", conversationId: "conversation-1", changed: { revision: 1, ...changed }, ...isSent };
}

type ComposerFields = { readonly draft?: string } & Partial<Pick<ComposerDocument, "edits" | "queue" | "attachments">>;

function blank(rowId: string, messageId: string): MessageRow {
  return {
    kind: "message",
    rowId,
    messageId,
    role: "assistant",
    state: "complete",
    text: "",
    thinking: "",
    thinkingMs: null,
    calls: [],
    meta: "",
    stopReason: null,
    continues: null,
    sent: "original",
    problem: null,
    pendingRecovery: null,
    stateText: "",
    pinned: false,
    attachments: [],
    branch: null,
  };
}
