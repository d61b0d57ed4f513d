/** Progress events of a compaction. */

import type { CompactionTrigger } from "../../context/plan/compactionPlanner.ts";
import type { ForgeError } from "../../errors.ts";
import type { CompactionReceipt } from "../../history/records.ts";

/**
 * `summarizationStarted` is followed by any number of `summarizationProgress` and exactly one of the others. `strategy`:
 * those of all steps; what the order names itself is `range` or `again`.
 */
export type CompactionEvent = CompactionEventKind & { readonly strategy: string; readonly atMs: number };

export type CompactionEventKind =
  | {
      readonly kind: "summarizationStarted";
      readonly trigger: CompactionTrigger;
      readonly currentTokens: number;
      readonly budgetTokens: number;
    }
  | {
      readonly kind: "summarizationProgress";
      /** Messages and summaries processed so far. */
      readonly itemsDone: number;
      readonly itemsTotal: number;
      readonly tokensSaved: number;
      /** Of all parts that are written one after the other or side by side, those that are done, whichever they are. */
      readonly partsDone: number;
      readonly parts: number;
      /** Completed share of the work, from 0 to 1; also grows while a model's answer arrives. */
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
