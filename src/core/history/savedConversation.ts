/**
 * A conversation as one JSON document, for export: everything that was said, every summary with its state, receipts, pins.
 * Written in pieces, so that a conversation of any size is never in memory as a whole. Saving what was loaded gives the
 * same bytes.
 */

import type { ForgeError } from "../errors.ts";
import { messageId, type MessageId } from "../ids.ts";
import { ok, type Result } from "../result.ts";
import { atOnce } from "../steps.ts";
import { branchesOf } from "./branchReplay.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { FullHistory } from "./fullHistory.ts";
import { readPages, type ReadContents } from "./readPages.ts";
import { GRANT_PREFIX, type UsageRecord } from "./records.ts";
import type { MessageRange } from "./summary.ts";

/** The version of the document. Newer ones are refused, not guessed at. */
export const SAVED_VERSION = 1;

/** Gives the document to `write` in pieces, in order; ends at the first message that cannot be read. */
export async function saveConversation(
  history: FullHistory,
  readContents: ReadContents,
  write: (piece: string) => Promise<void>,
): Promise<Result<void, ForgeError>> {
  const summaryOf = coveringSummaries(history);
  await write(`{"version":${String(SAVED_VERSION)},"messages":[\n`);
  let separator = "";
  const read = await readPages(history.entries, readContents, async (page) => {
    const rows = page.map(({ entry, message }) =>
      canonicalJson({ ...entry, partCount: undefined, summary: summaryOf.get(entry.id), parts: message.parts }),
    );
    await write(separator + rows.join(",\n"));
    separator = ",\n";
  });
  if (!read.ok) return read;
  await write(`\n],${canonicalJson(besidesMessages(history)).slice(1)}\n`);
  return ok(undefined);
}

function besidesMessages(history: FullHistory): object {
  const { summaries, spending, pins, settings, title, model } = history;
  const branches = atOnce(branchesOf(history));
  return {
    summaries,
    receipts: spending.receipts,
    usage: spending.records.length === 0 ? undefined : spending.records.map(savedUsage),
    pins: [...pins].sort((one, other) => one - other),
    hidden: hiddenRanges(history),
    branches: branches.length === 0 ? undefined : branches,
    settings: [...settings]
      .filter(([name]) => !name.startsWith(GRANT_PREFIX))
      .map(([name, value]) => ({ name, value })),
    title: title && { title: title.title, by: title.by, atMs: title.atMs },
    model: model && { provider: model.provider, model: model.model, atMs: model.atMs },
  };
}

function savedUsage(record: UsageRecord): object {
  return { ...record, kind: undefined };
}

/** For each message that stands in a summary, the outermost one. */
function coveringSummaries(history: FullHistory): ReadonlyMap<MessageId, number> {
  const covering = new Map<MessageId, number>();
  for (const { summary } of history.usableSummaries()) {
    for (const { id } of history.entries.slice(summary.covers.start, summary.covers.end)) covering.set(id, summary.id);
  }
  return covering;
}

function hiddenRanges(history: FullHistory): readonly MessageRange[] {
  const ranges: { start: MessageId; end: MessageId }[] = [];
  for (const entry of history.entries) {
    if (history.isVisible(entry)) continue;
    const last = ranges.at(-1);
    const end = messageId(entry.id + 1);
    if (last?.end === entry.id) last.end = end;
    else ranges.push({ start: entry.id, end });
  }
  return ranges;
}
