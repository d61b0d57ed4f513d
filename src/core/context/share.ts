/** Percentages of a budget. */

/** So many percent of a budget, in whole tokens. */
export function share(budgetTokens: number, percent: number): number {
  return Math.floor((budgetTokens * percent) / 100);
}
