import type { Message, TokenCounts } from "../message.ts";

/** The port to counting that gives way: never holds the thread for more than a frame. */
export interface MessageCounter {
  /** Tokens of a message's content, without its framing, in both encodings. */
  count(message: Message): Promise<TokenCounts>;
}
