/** Validates a finished summary before it becomes a record. A refused summary changes nothing. */

import { validationError, type ForgeError } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import type { SummaryRecord } from "../../history/records.ts";
import type { SummaryKind } from "../../history/summaries/summary.ts";
import { partlyOverlaps, allSummaries } from "../../history/summaries/summaryForest.ts";
import { messageNumber, summaryId } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";
import { err, ok, type Result } from "../../result.ts";
import type { PendingSummarization } from "./pendingSummarization.ts";
import type { TokenCosts } from "../tokenCosts.ts";

/** Output of a summarizer. */
export interface SummarizerOutput {
  readonly content: string;
  readonly tokens: TokenCounts;
  /** The requested kind, or `extract` if no model wrote any of it. */
  readonly kind: SummaryKind;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly createdAtMs: number;
}

/** Refused if it is empty, not smaller than what it replaces, larger than planned, or if its source has changed. */
export function completedSummary(
  done: { readonly pending: PendingSummarization; readonly draft: SummarizerOutput; readonly generatedBy: string },
  { history, costs }: { readonly history: FullHistory; readonly costs: TokenCosts },
): Result<SummaryRecord, ForgeError> {
  const { pending, draft, generatedBy } = done;
  const { covers, level, originalTokens, sourceHash } = pending;
  const refuse = (field: string, found: string, expected: string): Result<SummaryRecord, ForgeError> =>
    err(validationError(`summary.${field}`, found, expected));

  if (draft.content.trim() === "") return refuse("content", "nothing", "text");
  if (covers.end > history.length || history.sourceHash(covers) !== sourceHash) {
    return refuse("sourceHash", "messages that have changed meanwhile", "the messages that were summarized");
  }
  const tokens = costs.ofSummary(draft.tokens);
  if (tokens >= pending.sourceTokens) {
    return refuse("tokens", String(tokens), `fewer than the ${String(pending.sourceTokens)} that it stands for`);
  }
  if (tokens > pending.maxTokens + costs.summaryFrame) {
    const most = pending.maxTokens + costs.summaryFrame;
    return refuse("tokens", String(tokens), `at most ${String(most)}`);
  }
  const counted = [...allSummaries(history.usableSummaries())];
  const ids = new Set(counted.map(({ id }) => id));
  if (pending.sources.some((source) => source.kind === "summary" && !ids.has(source.id))) {
    return refuse("sources", "a summary that has changed meanwhile", "the summaries that were summarized");
  }
  for (const other of counted) {
    if (partlyOverlaps(other.covers, covers)) {
      const range = `messages ${messageNumber(covers.start)} to ${covers.end}`;
      return refuse("covers", range, `a range that does not cut into summary ${String(other.id)}`);
    }
  }
  return ok({
    kind: "summary",
    summary: {
      id: summaryId(history.summaryCount),
      covers,
      level,
      kind: draft.kind,
      content: draft.content,
      tokenCount: draft.tokens,
      originalTokens,
      createdAtMs: draft.createdAtMs,
      generatedBy,
      sourceHash,
      factsKept: draft.factsKept,
      factsTotal: draft.factsTotal,
      state: "active",
    },
  });
}
