/** Percentages of a budget. */

/** So many percent of a budget, in whole tokens; never more. */
export function share(budgetTokens: number, percent: number): number {
  return Math.floor((budgetTokens * percent) / 100);
}

/** The most tokens that are still less than so many percent of a budget. */
export function mostBelow(budgetTokens: number, percent: number): number {
  return Math.ceil((budgetTokens * percent) / 100) - 1;
}

/** How many percent of a budget some tokens are, not rounded: "from 70 %" is never a token early. */
export function percentOf(tokens: number, budgetTokens: number): number {
  return (tokens * 100) / budgetTokens;
}
