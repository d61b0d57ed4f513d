/** What the user wishes of an answer beside its content, in words that fit every service, and which models know of it. */

import { withoutVendor } from "./longestPrefix.ts";

/** How much a model should think before it answers. */
export const REASONING_EFFORTS = ["none", "low", "medium", "high", "max"] as const;
/** One of {@link REASONING_EFFORTS}. */
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How long an answer should be. */
export const ANSWER_LENGTHS = ["short", "medium", "long"] as const;
/** One of {@link ANSWER_LENGTHS}. */
export type AnswerLength = (typeof ANSWER_LENGTHS)[number];

/** Wishes that are left out are left to the model. */
export interface AnswerWishes {
  readonly reasoningEffort?: ReasoningEffort;
  readonly answerLength?: AnswerLength;
}

/** Whether a model of OpenAI's is one of those that think: it takes `reasoning`; the others refuse it. */
export function openAiReasons(name: string): boolean {
  return /^(?:o\d|gpt-(?:[5-9]|\d{2})|codex|gpt-oss)/.test(withoutVendor(name)) && !/-chat\b/.test(name);
}

/** Whether a model of OpenAI's takes a wish for the length of an answer. */
export function openAiTakesLength(name: string): boolean {
  return /^gpt-(?:[5-9]|\d{2})/.test(withoutVendor(name));
}

/** Whether a model of Anthropic's thinks by itself as much as it needs, and takes an effort. Older ones refuse both. */
export function anthropicTakesEffort(name: string): boolean {
  return anthropicThinksUnasked(name) || /^claude-(?:opus|sonnet)-4-[6-9]\b/.test(withoutVendor(name));
}

/** Whether a model of Anthropic's thinks also where nobody asked for it. */
export function anthropicThinksUnasked(name: string): boolean {
  return /^claude-(?:opus|sonnet|haiku|fable|mythos)-(?:[5-9]|\d{2})\b/.test(withoutVendor(name));
}
