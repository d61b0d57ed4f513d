/** Reads a whole conversation page by page, so that one of any size is never in memory at once. */

import type { ForgeError } from "../errors.ts";
import type { MessageId } from "../ids.ts";
import type { HistoryEntry, Message } from "../message.ts";
import { invariant, ok, type Result } from "../result.ts";

/** Reads the contents of messages, in the order asked. */
export type ReadContents = (ids: readonly MessageId[]) => Promise<Result<readonly Message[], ForgeError>>;

/** A message with what the index knows of it. */
export interface ReadMessage {
  readonly entry: HistoryEntry;
  readonly message: Message;
}

/** Gives the messages of `entries` to `onPage`, in order, some at a time; ends at the first that cannot be read. */
export async function readPages(
  entries: readonly HistoryEntry[],
  readContents: ReadContents,
  onPage: (page: readonly ReadMessage[]) => Promise<void>,
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

/** Messages that are read at once, at the most. */
const PAGE = 200;

/** Tokens of a page, at the most, where it has more than one message: some 400 KB, which is worked through in a few ms. */
const PAGE_TOKENS = 100_000;

/** Where the page ends that begins at `start`. */
function pageEnd(entries: readonly HistoryEntry[], start: number): number {
  let tokens = 0;
  let end = start;
  do tokens += entries[end++]?.tokens.cl100k ?? 0;
  while (end < entries.length && end < start + PAGE && tokens + (entries[end]?.tokens.cl100k ?? 0) <= PAGE_TOKENS);
  return end;
}
