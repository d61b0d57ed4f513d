/** Makes the record of a new message; its place follows from the history so far. */

import type { RecentMessagesTooLarge } from "../errors.ts";
import { partCountOf } from "../history/entryRules.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { MessageRecord } from "../history/records.ts";
import { messageId, type MessageId, type ModelId, type StepId } from "../ids.ts";
import type { AnswerStop, HistoryEntry, Message, MessageState, RecalledPassage, TokenCounts } from "../message.ts";
import { err, ok, type Result } from "../result.ts";
import { contentClassOfMessage } from "../tokens/contentClass.ts";
import type { ModelContext } from "./modelContext.ts";
import { recentTooLargeError } from "./tokenCosts.ts";

export interface MessageMeta {
  readonly state: MessageState;
  readonly createdAtMs: number;
  readonly tokens: TokenCounts;
  /** Tokens of the form that is sent, where it is shorter. */
  readonly sentTokens?: TokenCounts;
  readonly model?: ModelId;
  readonly step?: StepId;
  readonly durationMs?: number;
  readonly stop?: AnswerStop;
  readonly continues?: MessageId;
  readonly recalled?: readonly RecalledPassage[];
  /** The assistant message whose calls it answers; absent: derived from the content. */
  readonly batch?: MessageId;
}

export function messageRecord(message: Message, meta: MessageMeta, history: FullHistory): MessageRecord {
  const id = messageId(history.length);
  const { state, createdAtMs, tokens, sentTokens, model, step, durationMs, stop, continues, recalled = [] } = meta;
  const textClass = contentClassOfMessage(message);
  const batch = meta.batch ?? batchOf(message, id, history);
  const entry: HistoryEntry = {
    id,
    role: message.role,
    turn: beginsTurn(message) ? id : (history.lastVisible?.turn ?? id),
    state,
    createdAtMs,
    tokens,
    ...(sentTokens === undefined ? {} : { sentTokens }),
    ...(textClass === "prose" ? {} : { textClass }),
    ...(batch === undefined ? {} : { batch, ...partCountOf(message.parts, { id, batch }) }),
    ...(model === undefined ? {} : { model }),
    ...(step === undefined ? {} : { step }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(stop === undefined ? {} : { stop }),
    ...(continues === undefined ? {} : { continues }),
    ...(recalled.length === 0 ? {} : { recalled }),
  };
  return { kind: "message", entry, message };
}

/** Like `messageRecord`; an error if the message could not be sent even alone. */
export function sendableMessageRecord(
  message: Message,
  meta: MessageMeta,
  { history, model }: { readonly history: FullHistory; readonly model: ModelContext },
): Result<MessageRecord, RecentMessagesTooLarge> {
  const { costs, overhead, overheadTokens, budgetTokens } = model;
  const tokens = costs.ofMessage(meta.tokens);
  if (overheadTokens + tokens <= budgetTokens) return ok(messageRecord(message, meta, history));
  return err(recentTooLargeError(budgetTokens, [...overhead, { kind: "message", label: "this message", tokens }], 1));
}

function beginsTurn(message: Message): boolean {
  return message.role === "user" && !hasPart(message, "toolResult");
}

function batchOf(message: Message, id: MessageId, history: FullHistory): MessageId | undefined {
  if (message.role === "assistant") return hasPart(message, "toolCall") ? id : undefined;
  return hasPart(message, "toolResult") ? history.entries.at(-1)?.batch : undefined;
}

function hasPart(message: Message, kind: "toolCall" | "toolResult"): boolean {
  return message.parts.some((part) => part.kind === kind);
}

/** The record of the tool results that answer the calls of a message, stored in the same transaction. */
export function resultsRecord(
  { entry: { id, turn } }: MessageRecord,
  message: Message,
  { state, createdAtMs, tokens, sentTokens }: Pick<MessageMeta, "state" | "createdAtMs" | "tokens" | "sentTokens">,
): MessageRecord {
  const textClass = contentClassOfMessage(message);
  const place = { id: messageId(id + 1), batch: id };
  const entry: HistoryEntry = {
    ...place,
    role: message.role,
    turn,
    state,
    createdAtMs,
    tokens,
    ...(sentTokens === undefined ? {} : { sentTokens }),
    ...(textClass === "prose" ? {} : { textClass }),
    ...partCountOf(message.parts, place),
  };
  return { kind: "message", entry, message };
}
