/** A one-off request outside any conversation, such as a summarizer's, with the same proof that it fits. */

import type { RecentMessagesTooLarge, RequestPart } from "../../errors.ts";
import { messageId, messageNumber, type ModelId } from "../../ids.ts";
import type { Message, TokenCounts } from "../../message.ts";
import { effectiveInputBudget, type ModelLimits } from "../../models/modelLimits.ts";
import { err, invariant, ok, type Result } from "../../result.ts";
import { ContextUsage } from "../usage/contextUsage.ts";
import { PreparedContext } from "./preparedContext.ts";
import { recentTooLargeError, sumOfParts, TokenCosts } from "../tokenCosts.ts";
import { NO_OVERHEAD } from "./requestOverhead.ts";
import { withPairedToolCalls } from "./toolPairs.ts";

export interface PromptRequest {
  readonly model: ModelId;
  readonly limits: ModelLimits;
  readonly systemPrompt: string;
  /** Absent: an upper bound is used. */
  readonly systemTokens?: TokenCounts;
  readonly messages: readonly Message[];
  /** One for each message. */
  readonly tokens: readonly TokenCounts[];
}

/** Proves that a prompt fits; the error lists what takes how much of the budget. */
export function promptContext(request: PromptRequest): Result<PreparedContext, RecentMessagesTooLarge> {
  const { model, limits, systemPrompt, messages, tokens } = request;
  invariant(tokens.length === messages.length, "every message of a prompt is counted");
  const costs = new TokenCosts(model);
  const systemTokens = request.systemTokens ?? tokenUpperBound(systemPrompt);
  const overhead = costs.ofOverhead({ ...NO_OVERHEAD, systemPrompt, systemTokens });
  const parts = tokens.map((counts, index): RequestPart => {
    return { kind: "message", label: `message ${messageNumber(index)}`, tokens: costs.ofMessage(counts) };
  });
  const budgetTokens = effectiveInputBudget(limits);
  const usedTokens = sumOfParts(overhead) + sumOfParts(parts);
  if (usedTokens > budgetTokens)
    return err(recentTooLargeError(budgetTokens, [...overhead, ...parts], messages.length));
  return ok(
    new PreparedContext({
      revision: 0,
      currentRevision: () => 0,
      model,
      limits,
      systemPrompt,
      tools: [],
      usedTokens,
      budgetTokens,
      segments: () => parts.map((part, index) => ({ kind: "original", id: messageId(index), tokens: part.tokens })),
      usage: () => new ContextUsage({ usedTokens, budgetTokens, summarizedSegments: 0 }),
      messages: () => Promise.resolve(ok(withPairedToolCalls(messages))),
    }),
  );
}

/** A byte is never more than one token, and a UTF-16 unit never more than three bytes. */
function tokenUpperBound(text: string): TokenCounts {
  const most = text.length * 3;
  return { cl100k: most, o200k: most };
}
