/** The difference of two texts as a unified diff that people read. */

import { formatPatch, OMIT_HEADERS, structuredPatch, type StructuredPatchHunk } from "diff";

/** A difference. */
export interface LineDiff {
  /** Hunks with three lines around each change; empty when the texts are equal. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const CONTEXT_LINES = 3;
/** The search takes time with the square of the changed lines: beyond so many, all that differs is one hunk. */
const MAX_CHANGED_LINES = 100;

/** Compares texts whose line ends are `\n`. */
export function lineDiff(before: string, after: string): LineDiff {
  const names = { oldFileName: "", newFileName: "", oldHeader: undefined, newHeader: undefined };
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_CHANGED_LINES };
  const hunks = structuredPatch("", "", before, after, "", "", options)?.hunks ?? [wholeHunk(before, after)];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    text: hunks.length === 0 ? "" : formatPatch({ ...names, hunks }, OMIT_HEADERS).slice(0, -1),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** One hunk from the first line that differs to the last. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const start = Math.max(0, head - CONTEXT_LINES);
  const end = Math.max(0, tail - CONTEXT_LINES);
  const [oldEnd, freshEnd] = [old.length - tail, fresh.length - tail];
  const marked = (sign: string, lines: readonly string[]): string[] => lines.map((line) => sign + line);
  const lines = [
    ...marked(" ", old.slice(start, head)),
    ...marked("-", old.slice(head, oldEnd)),
    ...marked("+", fresh.slice(head, freshEnd)),
    ...marked(" ", old.slice(oldEnd, old.length - end)),
  ];
  const [oldLines, newLines] = [old.length - end - start, fresh.length - end - start];
  return { oldStart: start + 1, oldLines, newStart: start + 1, newLines, lines };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}
