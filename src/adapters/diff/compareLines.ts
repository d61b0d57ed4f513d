/** Compares lists of lines for a three-way merge. */

import { diffArrays } from "diff";
import type { CompareLines, Replacement } from "../../core/checkpoints/mergeLines.ts";

/** The search takes time with the square of what differs: beyond so many lines it is given up. */
const MAX_CHANGED_LINES = 2_000;

export const compareLines: CompareLines = (base, other) => {
  const parts = diffArrays([...base], [...other], { maxEditLength: MAX_CHANGED_LINES });
  if (parts === undefined) return undefined;
  const replacements: Replacement[] = [];
  let at = 0;
  let start: number | undefined;
  let items: string[] = [];
  const close = (): void => {
    if (start !== undefined) replacements.push({ start, end: at, items });
    [start, items] = [undefined, []];
  };
  for (const { added, removed, value, count } of parts) {
    if (!added && !removed) {
      close();
      at += count;
      continue;
    }
    start ??= at;
    if (added) items.push(...value);
    else at += count;
  }
  close();
  return replacements;
};
