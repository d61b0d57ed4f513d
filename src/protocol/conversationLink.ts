/** Addresses of the user's conversations and of messages in them, as answers and results of tools name them. */

/** A place that may not exist: addresses are written by models. */
export interface ConversationPlace {
  /** A lower-case UUID. */
  readonly conversationId: string;
  /** Null: the conversation as a whole. */
  readonly messageId: number | null;
}

/** Messages are counted from 1 in addresses, and from 0 by their ids. */
const ADDRESS =
  /^#conversation-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:-message-([1-9]\d{0,8}))?$/;

/** `#conversation-<uuid>` or `#conversation-<uuid>-message-<n>`. */
export function conversationAddress({ conversationId, messageId }: ConversationPlace): string {
  const message = messageId === null ? "" : `-message-${String(messageId + 1)}`;
  return `#conversation-${conversationId}${message}`;
}

/** `undefined` when it is no such address. */
export function parseConversationAddress(address: string): ConversationPlace | undefined {
  const [, conversationId, number] = ADDRESS.exec(address) ?? [];
  if (conversationId === undefined) return undefined;
  return { conversationId, messageId: number === undefined ? null : Number(number) - 1 };
}
