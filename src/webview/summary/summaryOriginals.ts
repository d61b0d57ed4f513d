/** The originals of summaries, page by page. */
import type { SummaryOriginals } from "../../protocol/summaryView.ts";

/** What was loaded so far, from the first message on, by the summary's id. */
export type OriginalsBySummary = ReadonlyMap<number, SummaryOriginals>;

/** A page behind those that are there; one that is no continuation begins anew. */
export function withOriginals(
  known: OriginalsBySummary,
  summaryId: number,
  page: SummaryOriginals,
): OriginalsBySummary {
  const before = known.get(summaryId)?.messages ?? [];
  const messages = page.from === before.length ? [...before, ...page.messages] : page.messages;
  return new Map(known).set(summaryId, { from: 0, total: page.total, messages });
}
