/** Puts the chosen representations of all blocks in a row, oldest first. Spec §4, step 5. */

import type { SummaryNode } from "../history/summaryForest.ts";
import { MESSAGES_A_SLICE, Slice, type Steps } from "../steps.ts";
import type { Blocks } from "./blocks.ts";
import type { CutRequest } from "./cutRequest.ts";
import { emptyContext, segmentOf } from "./sentMessages.ts";
import type { WorkingContext } from "./workingContext.ts";

/** The working context of a cut that fits. A message that is always sent follows the summary it lies in. */
export function* assembleCut(request: CutRequest, { spare, roots, mix, excerpts }: Blocks): Steps<WorkingContext> {
  const { history, costs, entries } = request;
  const context = emptyContext(request, mix.isRefined);
  const slice = new Slice(MESSAGES_A_SLICE);

  function* sendOriginals(start: number, end: number, which: "all" | "kept"): Steps<void> {
    for (let id = start; id < end; id++) {
      if (slice.isOver(1)) yield;
      const entry = history.entries[id];
      if (entry === undefined || !history.isVisible(entry)) continue;
      if (which === "all" || !spare.isSpare(id)) context.append(segmentOf(entry, excerpts, request));
    }
  }
  function* sendSummarized(node: SummaryNode): Steps<void> {
    const { covers, id, tokenCount } = node.summary;
    switch (mix.of(node)) {
      case "originals":
        yield* sendOriginals(covers.start, covers.end, "all");
        break;
      case "mix":
        yield* sendBlocks(covers.start, covers.end, node.children);
        break;
      case "summary":
        context.append({ kind: "summary", id, covers, tokens: costs.ofSummary(tokenCount) });
        yield* sendOriginals(covers.start, covers.end, "kept");
    }
  }
  function* sendBlocks(start: number, end: number, nodes: readonly SummaryNode[]): Steps<void> {
    let at = start;
    for (const node of nodes) {
      yield* sendOriginals(at, node.summary.covers.start, "all");
      yield* sendSummarized(node);
      at = node.summary.covers.end;
    }
    yield* sendOriginals(at, end, "all");
  }

  yield* sendBlocks(0, entries, roots);
  return context;
}
