/** Input, services and output of the summarizer. */

import type { SummarizerOutput } from "../../context/summarization/completedSummary.ts";
import type { SummaryKind } from "../../history/summaries/summary.ts";
import type { MessageId, ModelId } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";
import type { ModelLimits } from "../../models/modelLimits.ts";
import type { CancelSignal } from "../../cancellation.ts";
import type { Provider } from "../../stream/provider.ts";
import type { SummarizerRecord } from "../quality/summarizerRecord.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { SourcePages, SummarySource } from "./source.ts";
import type { CallAllowance } from "./callAllowance.ts";

export interface SummaryRequest {
  /** Oldest first; in pages when there may be many. */
  readonly sources: readonly SummarySource[] | SourcePages;
  readonly kind: SummaryKind;
  /** Target size; the user's directives and messages have room in addition to it. */
  readonly targetTokens: number;
  /** Room for the user's messages, word for word, in the encoding that is finite; absent: none. */
  readonly userTokens?: TokenCounts;
  /** The first message of the user in the conversation; absent: unknown. */
  readonly task?: MessageId;
  /** Names that other summaries in use list: this one need not repeat them. Absent: none. */
  readonly listedNames?: ReadonlySet<string>;
  /** Upper bound including directives; absent: only smaller than its source. */
  readonly mostTokens?: TokenCounts;
  /** Of the model's notes; absent: a share of the target. */
  readonly mostNotesTokens?: number;
  /** Emphasis requested by the user, verbatim. */
  readonly focus?: string;
}

/** `tokensSaved` is what the items done so far will save. */
export interface SummaryProgress {
  readonly itemsDone: number;
  readonly itemsTotal: number;
  readonly tokensSaved: number;
  /** Completed share of the work, from 0 to 1. Grows while a model writes, measured against the target length. */
  readonly share: number;
}

export interface SummarizerServices {
  /** Guarded, so that its streams end; absent: no model, an extract is made. */
  readonly provider: Provider | undefined;
  readonly model: ModelId;
  readonly limits: ModelLimits;
  /** Experience with the model in this conversation. */
  readonly record: SummarizerRecord;
  /** Calls that the whole compaction may still make. */
  readonly calls: CallAllowance;
  readonly counter: TokenCounter;
  readonly cancel: CancelSignal;
  readonly onProgress: (progress: SummaryProgress) => void;
  /** Awaited every few milliseconds of work, so that the host stays responsive. */
  readonly yieldToHost: () => Promise<void>;
}

/** A summary not yet recorded. Its content is never empty, and smaller than its source. */
export interface SummaryDraft extends Omit<SummarizerOutput, "createdAtMs"> {
  readonly generatedBy: string;
  /** Model calls; for several summaries made together, attributed to the first. */
  readonly calls: number;
  /** As billed, over all calls that reported it. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** No model was asked, as the compaction has no call left: notes may replace it later. */
  readonly isForNow?: true;
  /** Details in the model's notes that the source lacks; they are marked in the content. */
  readonly unverified: readonly string[];
}
