/** Counts an imported conversation anew: the figures in a document are what its writer, or its last editor, claims. */

import { FullHistory } from "../history/fullHistory.ts";
import { withoutExcluded } from "../history/exclusion.ts";
import type { ConversationRecord } from "../history/records.ts";
import { textMessage, type HistoryEntry, type Message, type TokenCounts } from "../message.ts";
import { contentClassOfMessage } from "../tokens/contentClass.ts";
import { sentForm } from "./request/sentMessage.ts";

type CountTokens = (message: Message) => TokenCounts;

/**
 * The same records with the tokens and the class of each message, and the tokens of each summary and its source.
 * `asSent`: what of a message is ever sent.
 */
export function recountedRecords(
  records: readonly ConversationRecord[],
  countTokens: CountTokens,
  asSent: (message: Message) => Message = (message) => message,
): readonly ConversationRecord[] {
  const history = new FullHistory();
  return records.map((record) => {
    const recounted = recountedRecord(record, history, { countTokens, asSent });
    history.apply(recounted);
    return recounted;
  });
}

/** `history`: that of the records before. */
function recountedRecord(record: ConversationRecord, history: FullHistory, counting: Counting): ConversationRecord {
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

interface Counting {
  readonly countTokens: CountTokens;
  readonly asSent: (message: Message) => Message;
}

function recountedEntry(entry: HistoryEntry, message: Message, { countTokens, asSent }: Counting): HistoryEntry {
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
