/** Counts an imported conversation anew: the figures in a document are what its writer, or its last editor, claims. */

import type { FullHistory } from "../history/fullHistory.ts";
import { withoutExcluded } from "../history/exclusion.ts";
import type { ConversationRecord } from "../history/records.ts";
import { textMessage, type HistoryEntry, type Message, type TokenCounts } from "../message.ts";
import { contentClassOfMessage } from "../tokens/contentClass.ts";
import { sentForm } from "./request/sentMessage.ts";

/** Counting of messages. */
export interface Counting {
  readonly countTokens: (message: Message) => TokenCounts;
  /** The part of a message that is ever sent; absent: all of it. */
  readonly asSent?: (message: Message) => Message;
}

/**
 * The same record with the tokens and the class of its message, or the tokens of its summary and of the source of that.
 * `history`: that of the records before, counted likewise.
 */
export function recountedRecord(
  record: ConversationRecord,
  history: Pick<FullHistory, "tokensIn">,
  counting: Counting,
): ConversationRecord {
  if (record.kind === "message") {
    return { ...record, entry: recountedEntry(record.entry, record.message, counting) };
  }
  if (record.kind !== "summary") return record;
  const tokenCount = counting.countTokens(textMessage("system", record.summary.content));
  const originalTokens = history.tokensIn(record.summary.covers);
  return { kind: "summary", summary: { ...record.summary, tokenCount, originalTokens } };
}

/** A message without its thinking; the same object when it has none. */
export function withoutThinking(message: Message): Message {
  const parts = message.parts.filter(({ kind }) => kind !== "thinking");
  return parts.length === message.parts.length ? message : { ...message, parts };
}

function recountedEntry(
  entry: HistoryEntry,
  message: Message,
  { countTokens, asSent = (whole) => whole }: Counting,
): HistoryEntry {
  const recounted: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = {
    ...entry,
    tokens: countTokens(message),
  };
  delete recounted.sentTokens;
  delete recounted.textClass;
  const sent = sentForm(asSent(withoutExcluded(message, entry.leftOut)), entry.id);
  if (sent !== message) recounted.sentTokens = countTokens(sent);
  const textClass = contentClassOfMessage(message);
  if (textClass !== "prose") recounted.textClass = textClass;
  return recounted;
}
