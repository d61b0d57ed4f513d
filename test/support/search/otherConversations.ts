import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { err, invariant } from "../../../src/core/result.ts";
import type { OtherConversations } from "../../../src/host/tools/recall/otherConversations.ts";

/** For tests of a conversation alone. */
export const NO_OTHERS: OtherConversations = {
  search: () => Promise.resolve(err("unknown")),
  read: () => Promise.resolve(err("unknown")),
};

/** A conversation's id from a small number. */
export function conversationIdOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  invariant(id !== undefined, "it is a UUID");
  return id;
}
