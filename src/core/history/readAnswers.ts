/** Reads a conversation page by page, each answer as one message with all that continues it. */

import type { ForgeError } from "../errors.ts";
import type { HistoryEntry } from "../message.ts";
import { ok, type Result } from "../result.ts";
import { joinedMessage } from "./continuations.ts";
import { readPages, type LoadedMessage, type ReadContents } from "./readPages.ts";

/** `entries` are visible. Stops at the first read error. */
export async function readAnswers(
  entries: readonly HistoryEntry[],
  readContents: ReadContents,
  onPage: (page: readonly LoadedMessage[]) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  let last: LoadedMessage | undefined;
  const read = await readPages(entries, readContents, async (page) => {
    const whole: LoadedMessage[] = [];
    for (const next of page) {
      if (last !== undefined && next.entry.continues === last.entry.id) {
        last = joinedAnswer(last, next);
        continue;
      }
      if (last !== undefined) whole.push(last);
      last = next;
    }
    if (whole.length > 0) await onPage(whole);
  });
  if (!read.ok) return read;
  if (last !== undefined) await onPage([last]);
  return ok(undefined);
}

/** Begun when and by whom the first was, ended as the rest was. */
function joinedAnswer(first: LoadedMessage, rest: LoadedMessage): LoadedMessage {
  const { createdAtMs, model = rest.entry.model } = first.entry;
  const entry = { ...rest.entry, createdAtMs, ...(model === undefined ? {} : { model }) };
  return { entry, message: joinedMessage(first.message, rest.message) };
}
