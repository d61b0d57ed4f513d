/** Names of reasons to stop, of all services: gateways pass on those of the service behind them, in any protocol. */

import type { StopReason } from "../../core/stream/streamEvent.ts";

const REASONS: readonly (readonly [reason: StopReason, names: RegExp])[] = [
  // OpenAI, Anthropic, Google; Responses; LM Studio's own.
  ["maxTokens", /^(?:length|max_?tokens|max_(?:output|completion|new)_tokens|token_limit|maxPredictedTokensReached)$/i],
  // Mistral; Anthropic; gateways; LM Studio's own.
  [
    "contextFull",
    /^(?:model_length|(?:model_)?context_(?:window|length)(?:_(?:exceeded|reached))?|contextLengthReached)$/i,
  ],
  // OpenAI and Azure; Anthropic; GLM; Google; Bedrock.
  [
    "refusal",
    /^content_filter|^(?:refusal|sensitive|safety|image_safety|recitation|prohibited_content|blocklist|spii|guardrail_intervened)$/i,
  ],
  ["pause", /^pause(?:_turn)?$/i],
];

/** `undefined` for any other reason: the model was done, or calls tools. */
export function stopReasonOf(name: string): StopReason | undefined {
  return REASONS.find(([, names]) => names.test(name))?.[0];
}
