/** Three-way merge of lines, as version control does it: what both sides changed at the same place is a conflict. */

/** Items `[start, end)` of the base become `items`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

/** The changes from one list to another, in order and apart; `undefined` if they differ in too much. */
export type CompareLines = (base: readonly string[], other: readonly string[]) => readonly Replacement[] | undefined;

/** The base with the changes of both sides; `undefined` if they touch each other and are not the same. */
export function mergeReplacements(
  base: readonly string[],
  one: readonly Replacement[],
  other: readonly Replacement[],
): readonly string[] | undefined {
  const merged: string[] = [];
  let at = 0;
  let [mine, its] = [0, 0];
  for (;;) {
    const [first, second] = [one[mine], other[its]];
    const next = first === undefined || (second !== undefined && second.start < first.start) ? second : first;
    if (next === undefined) break;
    if (first !== undefined && second !== undefined && first.start <= second.end && second.start <= first.end) {
      if (!isSame(first, second)) return undefined;
      [mine, its] = [mine + 1, its + 1];
    } else if (next === first) mine++;
    else its++;
    merged.push(...base.slice(at, next.start), ...next.items);
    at = next.end;
  }
  return [...merged, ...base.slice(at)];
}

function isSame(one: Replacement, other: Replacement): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.items.length === other.items.length &&
    one.items.every((item, index) => item === other.items[index])
  );
}
