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
  for (const page of pagesOf(entries)) {
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

/** Groups what is read together. */
export function* pagesOf<T extends { readonly tokens: TokenCounts }>(
  items: Iterable<T>,
  mostTokens: number = MAX_PAGE_TOKENS,
): Generator<readonly T[], void> {
  let page: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const { cl100k } = item.tokens;
    if (page.length >= MAX_PAGE_MESSAGES || (page.length > 0 && tokens + cl100k > mostTokens)) {
      yield page;
      page = [];
      tokens = 0;
    }
    page.push(item);
    tokens += cl100k;
  }
  if (page.length > 0) yield page;
}
