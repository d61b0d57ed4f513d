/** Messages as they are sent: themselves, or as an excerpt where a tool result has to be cut. What every kind of cut has in common. */

import type { RequestPart } from "../errors.ts";
import { messageNumber } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import type { CutRequest } from "./cutRequest.ts";
import type { PlannedExcerpts } from "./excerpts.ts";
import { sumOfParts } from "./tokenCosts.ts";
import { WorkingContext, type ContextSegment } from "./workingContext.ts";

/** What is looked at of a request for a cut. */
type Request = Pick<CutRequest, "history" | "costs" | "overhead" | "budgetTokens">;

/** A context in which nothing is sent yet but the overhead. */
export function emptyContext({ history, overhead }: Request, isRefined: boolean): WorkingContext {
  return new WorkingContext({
    overheadTokens: sumOfParts(overhead),
    isRefined,
    isPinned: (id) => history.pins.has(id),
    classOf: (id) => history.entry(id).textClass ?? "prose",
  });
}

/** The segment in which a message is sent. */
export function segmentOf(entry: HistoryEntry, { tokensOf }: PlannedExcerpts, request: Request): ContextSegment {
  const { id } = entry;
  const { costs } = request;
  const cutTo = tokensOf.get(id);
  if (cutTo === undefined) return { kind: "original", id, tokens: costs.ofEntry(entry) };
  return { kind: "excerpt", id, tokens: cutTo, contentTokens: cutTo - costs.framed(0) };
}

/** What messages take of a request that does not fit. */
export function partsOf(
  entries: readonly HistoryEntry[],
  { tokensOf }: PlannedExcerpts,
  { history, costs }: Request,
): readonly RequestPart[] {
  return entries.map((entry) => {
    const { id } = entry;
    const kind = history.pins.has(id) ? "pinned" : "message";
    return { kind, label: `message ${messageNumber(id)}`, tokens: tokensOf.get(id) ?? costs.ofEntry(entry) };
  });
}
