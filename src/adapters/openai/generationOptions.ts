/** The user's generation options in OpenAI's words, and which of OpenAI's own models take them. */

import type { AnswerLength, ReasoningEffort } from "../../core/models/generationOptions.ts";
import { withoutVendor } from "../../core/models/longestPrefix.ts";

/** How much to think. */
export const EFFORTS = {
  none: "none",
  low: "low",
  medium: "medium",
  high: "high",
  max: "xhigh",
} as const satisfies Record<ReasoningEffort, string>;

/** How long to answer. */
export const VERBOSITY = { short: "low", medium: "medium", long: "high" } as const satisfies Record<
  AnswerLength,
  string
>;

/** Whether a model reasons, and so takes `reasoning`; the others refuse it. */
export function openAiReasons(name: string): boolean {
  return /^(?:o\d|gpt-(?:[5-9]|\d{2})|codex|gpt-oss)/.test(withoutVendor(name)) && !/-chat\b/.test(name);
}

/** Whether a model takes a verbosity. */
export function openAiTakesLength(name: string): boolean {
  return /^gpt-(?:[5-9]|\d{2})/.test(withoutVendor(name));
}
