/** What a summarizer is asked for, what it works with, and what it makes. */

import type { SummarizerOutput } from "../../context/summarization/completedSummary.ts";
import type { SummaryKind } from "../../history/summaries/summary.ts";
import type { ModelId } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";
import type { ModelLimits } from "../../models/modelLimits.ts";
import type { CancelSignal } from "../../cancellation.ts";
import type { Provider } from "../../stream/provider.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { SummarySource } from "./source.ts";

/** A span that is to be summarized. */
export interface SummaryRequest {
  /** Oldest first. */
  readonly sources: readonly SummarySource[];
  readonly kind: SummaryKind;
  /** Tokens that the summary should take; the user's directives have an allowance beside it. */
  readonly targetTokens: number;
  /** The most that it may take, directives included; absent: it only has to be smaller than its source. */
  readonly mostTokens?: TokenCounts;
  /** What the user wants to be looked after, in the user's words. */
  readonly focus?: string;
}

/** How far a summary has come. `tokensSaved` is what the pieces done so far will save. */
export interface SummaryProgress {
  readonly itemsDone: number;
  readonly itemsTotal: number;
  readonly tokensSaved: number;
  /** How much of the work is done, from 0 to 1. Grows while a model writes, by the length that is aimed at. */
  readonly share: number;
}

/** What a summarizer works with. */
export interface SummarizerDeps {
  /** Guarded, so that its streams end; absent: no model, the extract is made. */
  readonly provider: Provider | undefined;
  readonly model: ModelId;
  readonly limits: ModelLimits;
  readonly counter: TokenCounter;
  readonly cancel: CancelSignal;
  readonly onProgress: (progress: SummaryProgress) => void;
  /** Awaited between pieces of work of some milliseconds, so that the host stays responsive. */
  readonly yieldToHost: () => Promise<void>;
}

/** A summary that is not recorded yet. Its content is never empty, and smaller than its source. */
export interface SummaryDraft extends Omit<SummarizerOutput, "createdAtMs"> {
  /** The model's name, or `extract`. */
  readonly generatedBy: string;
  /** Of several summaries that were asked for in one call, the first one counts it. */
  readonly calls: number;
  /** As billed, over all calls that said so. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Details that the model wrote and the source does not have; they are marked in the content. */
  readonly unverified: readonly string[];
}
