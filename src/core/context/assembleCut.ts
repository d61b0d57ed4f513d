/** Puts the chosen representations of all blocks in a row, oldest first. Spec §4, step 5. */

import type { SummaryNode } from "../history/summaryForest.ts";
import type { Blocks } from "./blocks.ts";
import type { CutRequest } from "./cutRequest.ts";
import { emptyContext, segmentOf } from "./sentMessages.ts";
import type { WorkingContext } from "./workingContext.ts";

/** The working context of a cut that fits. A message that is always sent follows the summary it lies in. */
export function assembleCut(request: CutRequest, { spare, roots, mix, excerpts }: Blocks): WorkingContext {
  const { history, costs, entries } = request;
  const context = emptyContext(request, mix.isRefined);

  const sendOriginals = (start: number, end: number, which: "all" | "kept"): void => {
    for (let id = start; id < end; id++) {
      const entry = history.entries[id];
      if (entry === undefined || !history.isVisible(entry)) continue;
      if (which === "all" || !spare.isSpare(id)) context.append(segmentOf(entry, excerpts, request));
    }
  };
  const sendSummarized = (node: SummaryNode): void => {
    const { covers, id, tokenCount } = node.summary;
    switch (mix.of(node)) {
      case "originals":
        sendOriginals(covers.start, covers.end, "all");
        break;
      case "mix":
        sendBlocks(covers.start, covers.end, node.children);
        break;
      case "summary":
        context.append({ kind: "summary", id, covers, tokens: costs.ofSummary(tokenCount) });
        sendOriginals(covers.start, covers.end, "kept");
    }
  };
  const sendBlocks = (start: number, end: number, nodes: readonly SummaryNode[]): void => {
    let at = start;
    for (const node of nodes) {
      sendOriginals(at, node.summary.covers.start, "all");
      sendSummarized(node);
      at = node.summary.covers.end;
    }
    sendOriginals(at, end, "all");
  };

  sendBlocks(0, entries, roots);
  return context;
}
