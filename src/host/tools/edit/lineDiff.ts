/** Unified diff of two texts, for people. The work is bounded: a far-reaching change is one block. */

export interface LineDiff {
  /** Hunks with three lines of context; empty when the texts are equal. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;
/** Beyond so many changed lines, or comparisons, the search for the smallest difference is not worth its time. */
const MOST_CHANGES = 100;
const MOST_COMPARISONS = 50_000;

interface DiffLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/** Line ends must be `\n`. */
export function lineDiff(before: string, after: string): LineDiff {
  const [old, fresh] = [linesIn(before), linesIn(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const middle = smallest(removed, added) ?? [...removed.map(lineOf("-")), ...added.map(lineOf("+"))];
  const from = Math.max(0, head - CONTEXT);
  const around = [old.slice(from, head), old.slice(old.length - tail, old.length - tail + CONTEXT)];
  const lines = [...(around[0] ?? []).map(lineOf(" ")), ...middle, ...(around[1] ?? []).map(lineOf(" "))];
  return {
    text: hunks(lines, from).join("\n"),
    added: middle.filter(({ kind }) => kind === "+").length,
    removed: middle.filter(({ kind }) => kind === "-").length,
  };
}

function lineOf(kind: DiffLine["kind"]): (text: string) => DiffLine {
  return (text) => ({ kind, text });
}

function linesIn(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

/** Furthest position on each diagonal; diagonal 0 is at index `MOST_CHANGES + 1`. */
type Reach = Int32Array;

/** Myers' greedy search; `undefined` when it would take too long. */
function smallest(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] | undefined {
  const trace: Reach[] = [];
  let comparisons = 0;
  const reach: Reach = new Int32Array(2 * MOST_CHANGES + 3).fill(-1);
  reach[at(1)] = 0;
  for (let changes = 0; changes <= MOST_CHANGES; changes++) {
    trace.push(reach.slice());
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const adds = isEnteredByAdding(reach, diagonal, changes);
      let x = adds ? (reach[at(diagonal + 1)] ?? 0) : (reach[at(diagonal - 1)] ?? 0) + 1;
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) {
        x++;
        comparisons++;
      }
      reach[at(diagonal)] = x;
      if (x >= old.length && x - diagonal >= fresh.length) return backtrack(trace, old, fresh);
      if (comparisons > MOST_COMPARISONS) return undefined;
    }
  }
  return undefined;
}

function at(diagonal: number): number {
  return diagonal + MOST_CHANGES + 1;
}

/** Whether a diagonal is entered from the one above, by adding a line, or from the one below, by removing one. */
function isEnteredByAdding(reach: Reach, diagonal: number, changes: number): boolean {
  const [below, above] = [reach[at(diagonal - 1)] ?? -1, reach[at(diagonal + 1)] ?? -1];
  return diagonal === -changes || (diagonal !== changes && below < above);
}

/** Follows the path of the search from its end to its start. */
function backtrack(trace: readonly Reach[], old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [old.length, fresh.length];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const reach = trace[changes] ?? new Int32Array();
    const adds = isEnteredByAdding(reach, x - y, changes);
    const from = x - y + (adds ? 1 : -1);
    const fromX = reach[at(from)] ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      lines.push({ kind: " ", text: old[--x] ?? "" });
      y--;
    }
    if (changes === 0) break;
    lines.push(adds ? { kind: "+", text: fresh[fromY] ?? "" } : { kind: "-", text: old[fromX] ?? "" });
    [x, y] = [fromX, fromY];
  }
  return lines.toReversed();
}

/** Joins lines into hunks; changes near each other share one. `start` lines precede them in both texts. */
function hunks(lines: readonly DiffLine[], start: number): readonly string[] {
  const changes = lines.flatMap(({ kind }, index) => (kind === " " ? [] : [index]));
  const written: string[] = [];
  let [oldLine, freshLine] = [start + 1, start + 1];
  let done = 0;
  for (let next = 0; next < changes.length;) {
    const from = Math.max(done, (changes[next] ?? 0) - CONTEXT);
    let end = changes[next] ?? 0;
    for (; next < changes.length && (changes[next] ?? 0) - end <= 2 * CONTEXT; next++) end = changes[next] ?? 0;
    const hunk = lines.slice(from, end + 1 + CONTEXT);
    const oldCount = hunk.filter(({ kind }) => kind !== "+").length;
    const freshCount = hunk.filter(({ kind }) => kind !== "-").length;
    oldLine += from - done;
    freshLine += from - done;
    written.push(`@@ -${oldLine},${oldCount} +${freshLine},${freshCount} @@`);
    for (const { kind, text } of hunk) written.push(kind + text);
    oldLine += oldCount;
    freshLine += freshCount;
    done = from + hunk.length;
  }
  return written;
}
