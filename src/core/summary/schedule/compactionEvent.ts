/** What happens in a compaction, for those who show it. */

import type { ForgeError } from "../../errors.ts";
import type { CompactionReceipt } from "../../history/records.ts";

/** One event. `started` is followed by any number of `progress`, and by exactly one of the others. */
export type CompactionEvent =
  | {
      readonly kind: "summarizationStarted";
      readonly strategy: string;
      readonly currentTokens: number;
      readonly budgetTokens: number;
    }
  | {
      readonly kind: "summarizationProgress";
      /** Messages and summaries that were read and written down so far. */
      readonly itemsDone: number;
      readonly itemsTotal: number;
      readonly tokensSaved: number;
      /** How much of the work is done, from 0 to 1; grows within a model's answer, too. */
      readonly share: number;
    }
  | {
      readonly kind: "summarizationCompleted";
      readonly tokensSaved: number;
      readonly newTokens: number;
      readonly durationMs: number;
      readonly receipt: CompactionReceipt;
    }
  | { readonly kind: "summarizationFailed"; readonly error: ForgeError }
  | { readonly kind: "summarizationCancelled" };
