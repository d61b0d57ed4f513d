/** Options that a user may set for answers, in terms that fit every provider. */

export const REASONING_EFFORTS = ["none", "low", "medium", "high", "max"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

export const ANSWER_LENGTHS = ["short", "medium", "long"] as const;
export type AnswerLength = (typeof ANSWER_LENGTHS)[number];

/** An absent option leaves the choice to the model. */
export interface GenerationOptions {
  readonly reasoningEffort?: ReasoningEffort;
  readonly answerLength?: AnswerLength;
}
