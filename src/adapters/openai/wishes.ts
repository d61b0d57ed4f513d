/** The user's wishes in OpenAI's words. */

import type { AnswerLength, ReasoningEffort } from "../../core/models/answerWishes.ts";

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
