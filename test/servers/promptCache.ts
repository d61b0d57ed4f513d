/**
 * The prompt cache of a service: stores the prefix up to each cache mark, and reads repeated prefixes. Like the real
 * one it looks back at most 20 blocks from a mark.
 */

import { estimateTokens, list, member } from "./wireJson.ts";

const LOOK_BACK_BLOCKS = 20;

export interface CacheUse {
  readonly readTokens: number;
  readonly writtenTokens: number;
}

export class PromptCache {
  readonly #kept = new Set<string>();

  /** Tokens of a request that are read from the cache and written to it. */
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

/** Blocks in the service's order: tools, instructions, messages. */
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
