import type { Message, TokenCounts } from "../message.ts";

/** Asynchronous counting port: never blocks the thread for more than a frame. */
export interface MessageCounter {
  /** Tokens of a message's content in both encodings, without its framing. */
  count(message: Message): Promise<TokenCounts>;
}
