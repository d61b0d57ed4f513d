/** Percentages of a budget. */

/** `percent` of a budget, rounded down to whole tokens. */
export function shareOfBudget(budgetTokens: number, percent: number): number {
  return Math.floor((budgetTokens * percent) / 100);
}

/** The largest number of tokens below `percent` of a budget. */
export function mostTokensBelow(budgetTokens: number, percent: number): number {
  return Math.ceil((budgetTokens * percent) / 100) - 1;
}

/** Not rounded: "from 70 %" never starts a token early. */
export function percentOf(tokens: number, budgetTokens: number): number {
  return (tokens * 100) / budgetTokens;
}
