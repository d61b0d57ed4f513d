/** Results of `recall_history` from the user's other conversations. All of it is data that others wrote. */

import { placeBefore } from "../../../core/cutText.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { messageNumber, type ConversationId, type MessageId } from "../../../core/ids.ts";
import type { HistoryEntry, StoredMessage } from "../../../core/message.ts";
import type { Result } from "../../../core/result.ts";
import { searchText } from "../../../core/search/searchText.ts";
import type { ToolOutcome } from "../../../core/tools/tool.ts";
import { conversationAddress } from "../../../protocol/conversationLink.ts";
import { onOneLine } from "../hiddenText.ts";
import { counted, dataText, fenced, sanitizeText } from "../resultText.ts";

/** `project`: those in which messages were written while a project was open that is open now. */
export type ElsewhereScope = "project" | "all";

export interface OtherConversation {
  readonly id: ConversationId;
  readonly title: string;
  readonly lastUsedAtMs: number;
}

export interface FoundConversation extends OtherConversation {
  /** Best first; at least one. */
  readonly passages: readonly { readonly stored: StoredMessage; readonly excerpt: string }[];
}

export interface FoundElsewhere {
  /** That of the best passage first. */
  readonly conversations: readonly FoundConversation[];
  /** Number of conversations that were searched. */
  readonly searched: number;
  /** Numbers of those that were not: open in another window, unreadable, left out by the user. */
  readonly elsewhere: number;
  readonly unreadable: number;
}

export interface ReadElsewhere {
  readonly conversation: OtherConversation;
  /** Absent: hidden, or there is none. */
  readonly stored?: StoredMessage;
  readonly messageCount: number;
}

export type RecallFault = keyof typeof FAULT_TEXTS;

/** The user's conversations but the open one. */
export interface OtherConversations {
  search(query: string, scope: ElsewhereScope, cancel: CancelSignal): Promise<Result<FoundElsewhere, RecallFault>>;
  read(id: string, message: MessageId, cancel: CancelSignal): Promise<Result<ReadElsewhere, RecallFault>>;
}

const FAULT_TEXTS = {
  noProject: 'No folder is open, so there is no project: use the scope "all".',
  notSearched: "The other conversations could not be searched.",
  unknown: "There is no such conversation that could be read.",
  openElsewhere: "That conversation is open in another window, and is not read.",
  unreadable: "That conversation could not be read.",
} as const;

export function faultOutcome(fault: RecallFault): ToolOutcome {
  return { outcome: "error", text: FAULT_TEXTS[fault] };
}

/** Characters of a message in one result; `offset` reads on. */
const PAGE_CHARS = 16_000;

export function foundText({ conversations, searched, elsewhere, unreadable }: FoundElsewhere): ToolOutcome {
  const skipped = [
    ...(elsewhere === 0 ? [] : [`${counted(elsewhere, "conversation")} open in another window: not searched.`]),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, "conversation")} could not be read.`]),
  ];
  const count = conversations.reduce((sum, { passages }) => sum + passages.length, 0);
  if (count === 0) {
    const nothing = `Nothing of that was said in the ${counted(searched, "other conversation")} that could be searched.`;
    return { outcome: "ok", text: [nothing, ...skipped].join(" ") };
  }
  const body = conversations.map((each) => {
    const passages = each.passages.map(({ stored, excerpt }) => `${headOf(each, stored.entry)}\n${fenced(excerpt)}`);
    return [nameOf(each), ...passages].join("\n\n");
  });
  const clean = sanitizeText(body.join("\n\n"));
  const heading = `${counted(count, "message")} found in ${counted(conversations.length, "other conversation")}.`;
  return {
    outcome: "ok",
    text: dataText({ heading, body: clean.text, changes: clean, notes: skipped }),
    sources: conversations.map((each) => ({
      conversation: each.id,
      title: each.title,
      lastUsedAtMs: each.lastUsedAtMs,
      messages: each.passages.map(({ stored }) => stored.entry.id),
    })),
  };
}

export function readText({ conversation, stored, messageCount }: ReadElsewhere, offset: number): ToolOutcome {
  if (stored === undefined) {
    const text = `There is no such message to read there: it is hidden, or the newest has a lower number than that. There are ${counted(messageCount, "message")}.`;
    return { outcome: "error", text };
  }
  const whole = searchText(stored.message);
  const start = placeBefore(whole, offset);
  const end = placeBefore(whole, start + PAGE_CHARS);
  const rest = whole.length - end;
  const notes = rest > 0 ? [`${String(rest)} more characters: go on with "offset": ${String(end)}.`] : [];
  const clean = sanitizeText(`${headOf(conversation, stored.entry)}\n${fenced(whole.slice(start, end))}`);
  const { id, title, lastUsedAtMs } = conversation;
  return {
    outcome: "ok",
    text: dataText({ heading: nameOf(conversation), body: clean.text, changes: clean, notes }),
    sources: [{ conversation: id, title, lastUsedAtMs, messages: [stored.entry.id] }],
  };
}

/** `From the conversation “Retries”, last used 2026-11-12:` */
export function nameOf({ title, lastUsedAtMs }: OtherConversation): string {
  const used = timeOf(lastUsedAtMs).slice(0, 1);
  return `${[`From the conversation “${onOneLine(title)}”`, ...used.map((time) => `last used ${time.slice(0, 10)}`)].join(", ")}:`;
}

/** `[message 118](#conversation-<id>-message-118), the user, 2026-11-12 10:15 UTC:` */
export function headOf(
  { id }: OtherConversation,
  entry: Pick<HistoryEntry, "id" | "role" | "batch" | "createdAtMs">,
): string {
  const address = conversationAddress({ conversationId: id, messageId: entry.id });
  const speaker = entry.role === "user" ? (entry.batch === undefined ? "the user" : "a tool") : "the assistant";
  const name = `[message ${String(messageNumber(entry.id))}](${address})`;
  return `${[name, speaker, ...timeOf(entry.createdAtMs)].join(", ")}:`;
}

/** Empty for a stored time that is no moment of a `Date`. */
function timeOf(atMs: number): readonly string[] {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? [] : [`${date.toISOString().slice(0, 16).replace("T", " ")} UTC`];
}
