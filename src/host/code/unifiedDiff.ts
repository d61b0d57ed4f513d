/** Diffs as models write them: line numbers are often wrong, so hunks are located by their lines. */

import { Slice, type CooperativeTask } from "../../core/cooperativeTask.ts";
import { mapLines } from "./alignLines.ts";

/** Places compared between two pauses; takes a fraction of a millisecond. */
const placesPerSlice = 5_000;

interface Hunk {
  /** From the header, counted from 0; 0 where it has none. */
  readonly line: number;
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

const header = /^@@ -(\d{1,9})(?:,\d+)? \+\d+(?:,\d+)? @@/;

/** True for a hunk header, or a pair of file headers. */
export function isUnifiedDiff(text: string): boolean {
  return /^@@ .*@@/m.test(text) || /^--- .+\n\+\+\+ .+\n/m.test(text);
}

/** The changed file as the diff names it; empty where it names none. */
export function pathInDiff(text: string): string {
  const named = /^\+\+\+ (?:b\/)?([^\t\n]{1,400})/m.exec(text)?.[1]?.trim() ?? "";
  return named === "/dev/null" ? "" : named;
}

/** `before` with all hunks applied; `undefined` where one does not fit anywhere. */
export function* applyUnifiedDiff(before: string, diff: string): CooperativeTask<string | undefined> {
  const lines = before.split("\n");
  /** Trailing white space does not count. */
  const plain = yield* mapLines(lines, (line) => line.trimEnd());
  let from = 0;
  let shift = 0;
  for (const { line, old, fresh } of hunksOf(diff)) {
    const wanted = old.map((text) => text.trimEnd());
    const at = yield* findHunkPlace(plain, wanted, { from, near: line + shift });
    if (at === undefined) return undefined;
    lines.splice(at, old.length, ...fresh);
    plain.splice(at, old.length, ...fresh.map((text) => text.trimEnd()));
    from = at + fresh.length;
    shift += fresh.length - old.length;
  }
  return from === 0 ? undefined : lines.join("\n");
}

function hunksOf(diff: string): readonly Hunk[] {
  const hunks: { line: number; old: string[]; fresh: string[] }[] = [];
  for (const line of diff.split("\n")) {
    if (/^(?:diff |index |--- |\+\+\+ |\\)/.test(line)) continue;
    if (line.startsWith("@@")) {
      hunks.push({ line: Math.max(0, Number(header.exec(line)?.[1] ?? 1) - 1), old: [], fresh: [] });
      continue;
    }
    if (hunks.length === 0) hunks.push({ line: 0, old: [], fresh: [] });
    const hunk = hunks.at(-1);
    const text = line.slice(1);
    if (!line.startsWith("+")) hunk?.old.push(text);
    if (!line.startsWith("-")) hunk?.fresh.push(text);
  }
  return hunks.filter(({ old, fresh }) => old.length + fresh.length > 0);
}

/** The place of the lines, at `from` or after, that is nearest to `near`. */
function* findHunkPlace(
  lines: readonly string[],
  wanted: readonly string[],
  { from, near }: { readonly from: number; readonly near: number },
): CooperativeTask<number | undefined> {
  if (wanted.length === 0) return lines.length === 1 && lines[0] === "" ? 0 : undefined;
  const slice = new Slice(placesPerSlice);
  let best: number | undefined;
  for (let at = from; at + wanted.length <= lines.length; at++) {
    if (slice.isOver(1)) yield;
    if (!wanted.every((line, index) => lines[at + index] === line)) continue;
    if (best === undefined || Math.abs(at - near) < Math.abs(best - near)) best = at;
  }
  return best;
}
