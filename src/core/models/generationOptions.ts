/** What a user may ask of answers beside their content, in words that fit every service. */

/** How much a model should think before it answers. */
export const REASONING_EFFORTS = ["none", "low", "medium", "high", "max"] as const;
/** One of {@link REASONING_EFFORTS}. */
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How long an answer should be. */
export const ANSWER_LENGTHS = ["short", "medium", "long"] as const;
/** One of {@link ANSWER_LENGTHS}. */
export type AnswerLength = (typeof ANSWER_LENGTHS)[number];

/** An option that is left out is left to the model. */
export interface GenerationOptions {
  readonly reasoningEffort?: ReasoningEffort;
  readonly answerLength?: AnswerLength;
}
