/**
 * The prompt cache of a service: what was sent up to a mark is kept, and what is sent again is read from there. Like the
 * real one it looks back from a mark over 20 blocks and no further.
 */

import { estimateTokens, list, member } from "./wireJson.ts";

const LOOK_BACK_BLOCKS = 20;

/** Tokens of one request by where they came from. */
export interface CacheUse {
  readonly readTokens: number;
  readonly writtenTokens: number;
}

/** Remembers prefixes. */
export class PromptCache {
  readonly #kept = new Set<string>();

  /** What of a request is read from the cache and what is written to it. */
  use(body: unknown): CacheUse {
    const blocks = blocksOf(body);
    const marks = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
    const prefix = (end: number): string =>
      blocks
        .slice(0, end + 1)
        .map(({ text }) => text)
        .join("\n");
    let read = -1;
    for (const mark of marks) {
      for (let end = mark; end >= Math.max(0, mark - LOOK_BACK_BLOCKS); end--) {
        if (this.#kept.has(prefix(end))) read = Math.max(read, end);
      }
    }
    for (const mark of marks) this.#kept.add(prefix(mark));
    const last = marks.at(-1) ?? -1;
    const readTokens = read < 0 ? 0 : estimateTokens(prefix(read));
    return { readTokens, writtenTokens: last <= read ? 0 : estimateTokens(prefix(last)) - readTokens };
  }
}

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

/** In the order in which the service reads them: tools, instructions, messages. */
function blocksOf(body: unknown): readonly Block[] {
  const messages = list(body, "messages").flatMap((message) =>
    list(message, "content").map((block) => ({ role: member(message, "role"), block })),
  );
  return [...list(body, "tools"), ...list(body, "system"), ...messages].map((given) => {
    const block = member(given, "block") ?? given;
    const text = JSON.stringify(given, (key, value: unknown) => (key === "cache_control" ? undefined : value));
    return { text, isMarked: member(block, "cache_control") !== undefined };
  });
}
