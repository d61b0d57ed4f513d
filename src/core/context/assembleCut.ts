/** Puts the chosen representations of all blocks in a row, oldest first. Spec §4, step 5. */

import type { SummaryNode } from "../history/summaryForest.ts";
import type { HistoryEntry } from "../message.ts";
import type { Blocks } from "./blocks.ts";
import type { CutRequest } from "./cutRequest.ts";
import { excerptTokens } from "./excerpts.ts";
import { sumOfParts } from "./tokenCosts.ts";
import { WorkingContext } from "./workingContext.ts";

/** The working context of a cut that fits. A message that is always sent follows the summary it lies in. */
export function assembleCut(request: CutRequest, { spare, roots, mix, excerpts }: Blocks): WorkingContext {
  const { history, costs, entries, budgetTokens } = request;
  const context = new WorkingContext({
    overheadTokens: sumOfParts(request.overhead),
    isRefined: mix.isRefined,
    isPinned: (id) => history.pins.has(id),
    classOf: (id) => history.entry(id).textClass ?? "prose",
  });

  const send = (entry: HistoryEntry): void => {
    const { id } = entry;
    const cutTo = excerpts.get(id);
    if (cutTo === undefined) context.append({ kind: "original", id, tokens: costs.ofEntry(entry) });
    else context.append({ kind: "excerpt", id, tokens: cutTo, contentTokens: excerptTokens(budgetTokens) });
  };
  const sendOriginals = (start: number, end: number, which: "all" | "kept"): void => {
    for (let id = start; id < end; id++) {
      const entry = history.entries[id];
      if (entry === undefined || !history.isVisible(entry)) continue;
      if (which === "all" || !spare.isSpare(id)) send(entry);
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
