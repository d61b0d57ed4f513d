/** The record of a message that comes right behind another one which is not in the history yet. */

import { partCountOf } from "../history/entryRules.ts";
import type { MessageRecord } from "../history/records.ts";
import { messageId } from "../ids.ts";
import type { HistoryEntry, Message } from "../message.ts";
import { contentClassOfMessage } from "../tokens/contentClass.ts";
import type { MessageMeta } from "./messageRecord.ts";

/** The record of the results that answer the calls of `calls`, to be stored in the same transaction. */
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
