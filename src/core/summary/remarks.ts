/**
 * What else the user said, in the order in which it gets room. No table foresees the words, or the tongue, in which somebody
 * directs, so nothing that a user tells is turned away: what is less like an order only comes later.
 */

import { isAccount } from "./directives.ts";
import { wordFactsOf } from "./words.ts";

/** Something said, with whatever it is kept with. */
interface Said {
  readonly fact: { readonly text: string };
}

/** The remarks in that order; those that are alike in this stay in the order given. */
export function rankedRemarks<T extends Said>(remarks: readonly T[]): readonly T[] {
  const isKnown = ({ fact: { text } }: T): boolean => wordFactsOf(text).length > 0;
  const alone = remarks.filter((remark) => !isKnown(remark));
  const isOfPast = ({ fact: { text } }: T): boolean => isAccount(text);
  return [
    ...alone.filter((remark) => !isOfPast(remark)),
    ...alone.filter(isOfPast),
    // What names a path or an identifier is known by that, too, wherever facts have room.
    ...remarks.filter(isKnown),
  ];
}
