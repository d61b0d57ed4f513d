/**
 * The form in which a message is sent while the budget requires nothing shorter. It depends on the message alone, so it
 * is the same in every request and for every model, and its tokens are counted once, when the message is added.
 */

import { withoutExcluded } from "../../history/exclusion.ts";
import type { MessageId } from "../../ids.ts";
import type { HistoryEntry, Message } from "../../message.ts";
import { messageWithoutLoops } from "../../repetition/withoutLoops.ts";
import { withTruncatedResults } from "./resultTruncation.ts";

/** The form of a message that is added; the same object when it is sent as it is. */
export function sentForm(message: Message, id: MessageId): Message {
  return withTruncatedResults(messageWithoutLoops(message), id);
}

/** Form in which a message of the history is sent, but for long results, of which an excerpt may be made. */
export function sentContent(message: Message, { leftOut, sentTokens }: HistoryEntry): Message {
  const content = withoutExcluded(message, leftOut);
  // What was added by an earlier version was counted, and is sent, as it is.
  return sentTokens === undefined ? content : messageWithoutLoops(content);
}
