/**
 * What else the user said, in the order in which it gets room. No table foresees the words, or the tongue, in which somebody
 * directs, so nothing that a user tells is turned away: what is less like an order only comes later.
 */

import { isAccount, isQuestion } from "./directives.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import { wordFactsOf } from "./words.ts";

/** Something said, with whatever it is kept with. */
interface Said {
  readonly fact: { readonly text: string };
}

/** The remarks in that order; those that are alike in this stay in the order given. */
export function* rankedRemarks<T extends Said>(remarks: readonly T[]): CooperativeTask<readonly T[]> {
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
 * What names a path or an address is known by that, too, wherever facts have room, and comes last; before it what tells of the
 * past. Whoever names a date may set a deadline.
 */
const TIERS = ["plain", "naming", "account", "asking", "known"] as const;

function tierOf(text: string): (typeof TIERS)[number] {
  const kinds = wordFactsOf(text).flatMap(({ kind }) => (kind === "date" ? [] : [kind]));
  if (kinds.some((kind) => kind !== "identifier")) return "known";
  if (isQuestion(text)) return "asking";
  if (isAccount(text)) return kinds.length === 0 ? "account" : "known";
  return kinds.length === 0 ? "plain" : "naming";
}
