/** Originals of summaries, loaded page by page. */
import type { SummaryOriginals } from "../../protocol/summaryView.ts";

/** Loaded originals, from the first on, by summary id. */
export type OriginalsBySummary = ReadonlyMap<number, SummaryOriginals>;

/** Appends a page; one that does not continue the loaded ones replaces them. */
export function appendOriginals(
  loaded: OriginalsBySummary,
  summaryId: number,
  page: SummaryOriginals,
): OriginalsBySummary {
  const before = loaded.get(summaryId)?.messages ?? [];
  const messages = page.from === before.length ? [...before, ...page.messages] : page.messages;
  return new Map(loaded).set(summaryId, { from: 0, total: page.total, messages });
}
