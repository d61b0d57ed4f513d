/** Composes a summary from notes and facts without pauses. */

import type { TokenCounts } from "../../../src/core/message.ts";
import { chooseFacts, contentOf, factsIn } from "../../../src/core/summary/write/composeSummary.ts";
import { selectUserVerbatim, DIRECTIVE_ALLOWANCE_TOKENS } from "../../../src/core/summary/facts/userVerbatim.ts";
import type { Fact } from "../../../src/core/summary/facts/fact.ts";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { beginningThatFits, fits, sizeOf } from "../../../src/core/summary/write/textSize.ts";
import { testTokenCounter } from "../models/tokenCounter.ts";

/** The text of a summary that fits `limit`, and the number of facts in it. */
export function composeAtOnce(parts: {
  readonly notes: string;
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  readonly limit: TokenCounts;
}): { readonly content: string; readonly factsKept: number } {
  const counter = testTokenCounter();
  const { facts, targetTokens, limit } = parts;
  const notes = fits(parts.notes, limit, counter) ? parts.notes : beginningThatFits(parts.notes, limit, counter);
  const allowanceTokens = DIRECTIVE_ALLOWANCE_TOKENS;
  const userVerbatim = runSync(selectUserVerbatim({ facts, targetTokens, allowanceTokens }, counter));
  const request = { notes, notesTokens: sizeOf(parts.notes, counter), facts, targetTokens };
  let chosen = runSync(chooseFacts({ ...request, userVerbatim }, counter));
  while (chosen.length > 0 && !fits(contentOf(notes, chosen), limit, counter)) chosen = chosen.slice(0, -1);
  const content = contentOf(notes, chosen);
  return { content, factsKept: runSync(factsIn(content, facts)).kept };
}
