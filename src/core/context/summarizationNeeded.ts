/** The answer of a context that does not fit: how much too much, and which messages would make room. */

import { type MessageId, messageNumber } from "../ids.ts";

/** The next request does not fit until older messages are summarized. */
export interface SummarizationNeeded {
  /** By how much the request is over the budget when all existing summaries are used. */
  readonly excessTokens: number;
  /** Oldest first; what did not fit, newer messages having been included first. */
  readonly messagesToSummarize: readonly MessageId[];
  /** For the user: what to do. */
  readonly suggestion: string;
}

/** States the need, in words too. */
export function summarizationNeeded(
  excessTokens: number,
  messagesToSummarize: readonly MessageId[],
): SummarizationNeeded {
  const first = messageNumber(messagesToSummarize[0] ?? 0);
  const last = messageNumber(messagesToSummarize.at(-1) ?? 0);
  const which = first === last ? `message ${first}` : `messages ${first} to ${last}`;
  return {
    excessTokens,
    messagesToSummarize,
    suggestion: `Summarize ${which}: the request is ${String(excessTokens)} tokens over the budget.`,
  };
}
