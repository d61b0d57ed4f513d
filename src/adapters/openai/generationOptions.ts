/** The user's generation options as OpenAI's values, and which of OpenAI's models accept them. */

import type { AnswerLength, ReasoningEffort } from "../../core/models/generationOptions.ts";
import { withoutVendor } from "../../core/models/longestPrefix.ts";

export const EFFORTS = {
  none: "none",
  low: "low",
  medium: "medium",
  high: "high",
  max: "xhigh",
} as const satisfies Record<ReasoningEffort, string>;

export const VERBOSITY = { short: "low", medium: "medium", long: "high" } as const satisfies Record<
  AnswerLength,
  string
>;

/** Models that do not reason refuse `reasoning`. */
export function openAiReasons(name: string): boolean {
  return /^(?:o\d|gpt-(?:[5-9]|\d{2})|codex|gpt-oss)/.test(withoutVendor(name)) && !/-chat\b/.test(name);
}

export function openAiTakesLength(name: string): boolean {
  return /^gpt-(?:[5-9]|\d{2})/.test(withoutVendor(name));
}
