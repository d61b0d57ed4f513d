/** Reads a conversation page by page, so that it is never in memory as a whole. */

import type { ForgeError } from "../errors.ts";
import type { MessageId } from "../ids.ts";
import type { HistoryEntry, Message, TokenCounts } from "../message.ts";
import { invariant, ok, type Result } from "../result.ts";

/** Messages in the order of `ids`. */
export type ReadContents = (ids: readonly MessageId[]) => Promise<Result<readonly Message[], ForgeError>>;

export interface LoadedMessage {
  readonly entry: HistoryEntry;
  readonly message: Message;
}

/** Passes the messages of `entries` to `onPage`, in order, one page at a time; stops at the first read error. */
export async function readPages(
  entries: readonly HistoryEntry[],
  readContents: ReadContents,
  onPage: (page: readonly LoadedMessage[]) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  for (let start = 0; start < entries.length;) {
    const page = entries.slice(start, pageEnd(entries, start));
    start += page.length;
    const read = await readContents(page.map(({ id }) => id));
    if (!read.ok) return read;
    await onPage(
      page.map((entry, index) => {
        const message = read.value[index];
        invariant(message !== undefined, "every message that was asked for is read");
        return { entry, message };
      }),
    );
  }
  return ok(undefined);
}

/** Maximum messages per page. */
const MAX_PAGE_MESSAGES = 200;

/** Maximum tokens of a page with more than one message: about 400 KB, processed in a few ms. */
const MAX_PAGE_TOKENS = 100_000;

/** Index after the last of the entries that are read together from `start` on. */
export function pageEnd(entries: readonly { readonly tokens: TokenCounts }[], start: number): number {
  let tokens = 0;
  let end = start;
  do tokens += entries[end++]?.tokens.cl100k ?? 0;
  while (
    end < entries.length &&
    end < start + MAX_PAGE_MESSAGES &&
    tokens + (entries[end]?.tokens.cl100k ?? 0) <= MAX_PAGE_TOKENS
  );
  return end;
}
