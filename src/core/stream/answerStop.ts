/** Why an answer is not complete, from the stop reason, the bill and the limits of its request. */

import type { AnswerStop } from "../message.ts";
import type { ModelLimits } from "../models/modelLimits.ts";
import type { ProviderUsage, StopReason } from "./streamEvent.ts";

/** Share of a figure that counts as all of it: servers stop a few tokens before, and bill one more or less. */
const NEARLY = 0.99;

/**
 * `undefined` for an answer that ended by itself. Many servers say "length" for a full window, too: it was that if the
 * answer is shorter than its limit, and prompt and answer fill the window. `limits` are those of the request; absent
 * for a step that was begun by an earlier version.
 */
export function answerStop(
  reason: StopReason,
  usage: ProviderUsage | undefined,
  limits: ModelLimits | undefined,
): AnswerStop | undefined {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  switch (reason) {
    case "endTurn":
      // llama.cpp's Responses call a cut answer complete.
      return outputTokens === limits?.maxOutput ? stopOf("maxTokens", outputTokens) : undefined;
    case "stopSequence":
    case "toolUse":
      return undefined;
    case "refusal":
    case "pause":
      return { reason };
    case "contextFull":
      return stopOf(reason, outputTokens > 0 ? outputTokens : undefined);
    case "maxTokens": {
      if (outputTokens === 0) return stopOf(reason, limits?.maxOutput);
      if (limits === undefined) return stopOf(reason, outputTokens);
      if (outputTokens >= limits.maxOutput * NEARLY) return stopOf(reason, limits.maxOutput);
      const isFull = inputTokens + outputTokens >= limits.contextWindow * NEARLY;
      return stopOf(isFull ? "contextFull" : reason, outputTokens);
    }
  }
}

function stopOf(reason: AnswerStop["reason"], tokens: number | undefined): AnswerStop {
  return tokens === undefined ? { reason } : { reason, tokens };
}
