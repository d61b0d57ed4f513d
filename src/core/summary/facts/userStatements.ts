/**
 * Ranks the user's other statements. No pattern covers every wording or language of an instruction, so none is dropped:
 * the less a statement looks like an instruction, the later it gets room.
 */

import { isAccount, isQuestion } from "./directives.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import { wordFactsOf } from "./words.ts";

interface HasText {
  readonly fact: { readonly text: string };
}

/** Stable within a tier. */
export function* rankStatements<T extends HasText>(remarks: readonly T[]): CooperativeTask<readonly T[]> {
  const slice = new Slice(REMARKS_A_SLICE);
  const tiers = TIERS.map((): T[] => []);
  for (const remark of remarks) {
    tiers[TIERS.indexOf(tierOf(remark.fact.text))]?.push(remark);
    if (slice.isOver(1)) yield;
  }
  return tiers.flat();
}

const REMARKS_A_SLICE = 100;

/**
 * First to get room first. Statements that name a path or an address come last: that fact enters the ledger by itself.
 * Dates do not count as names, because they may set a deadline.
 */
const TIERS = ["plain", "naming", "account", "asking", "known"] as const;

function tierOf(text: string): (typeof TIERS)[number] {
  const kinds = wordFactsOf(text).flatMap(({ kind }) => (kind === "date" ? [] : [kind]));
  if (kinds.some((kind) => kind !== "identifier")) return "known";
  if (isQuestion(text)) return "asking";
  if (isAccount(text)) return kinds.length === 0 ? "account" : "known";
  return kinds.length === 0 ? "plain" : "naming";
}
