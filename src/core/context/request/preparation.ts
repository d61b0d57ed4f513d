/** The answers to "what can be sent now?" and "how full is it?". */

import type { RecentMessagesTooLarge } from "../../errors.ts";
import type { ContextUsage } from "../usage/contextUsage.ts";
import type { Cut, SummarizationNeeded } from "../cut/buildCut.ts";
import type { PreparedContext } from "./preparedContext.ts";
import type { WorkingContext } from "../cut/workingContext.ts";

export type Preparation =
  | { readonly kind: "ready"; readonly context: PreparedContext }
  | { readonly kind: "summarizationNeeded"; readonly needed: SummarizationNeeded }
  | { readonly kind: "tooLarge"; readonly error: RecentMessagesTooLarge };

export type UsageStatus =
  | { readonly kind: "ready"; readonly usage: ContextUsage }
  | { readonly kind: "needsSummarization"; readonly usage: ContextUsage; readonly needed: SummarizationNeeded }
  | { readonly kind: "tooLarge"; readonly usage: ContextUsage; readonly error: RecentMessagesTooLarge };

/** Only a cut that fits is proven. */
export function preparationOf(cut: Cut, prove: (context: WorkingContext) => PreparedContext): Preparation {
  switch (cut.kind) {
    case "ready":
      return { kind: "ready", context: prove(cut.context) };
    case "needed":
      return { kind: "summarizationNeeded", needed: cut.needed };
    case "tooLarge":
      return cut;
  }
}

export function usageStatusOf(cut: Cut, usage: ContextUsage): UsageStatus {
  switch (cut.kind) {
    case "ready":
      return { kind: "ready", usage };
    case "needed":
      return { kind: "needsSummarization", usage, needed: cut.needed };
    case "tooLarge":
      return { kind: "tooLarge", usage, error: cut.error };
  }
}
