/** Problems that an edit added, known by comparing those before it with those after it. */

export interface TextProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Empty where the checker gives none, as is `source`. */
  readonly code: string;
  readonly source: string;
  /** The line that it begins on; by it, a problem that only moved is recognized. */
  readonly lineText: string;
}

/** Longer lines are compared by their beginnings. */
const MOST_COMPARED = 500;

/**
 * Those of `after` that `before` lacks, in their order; equal ones are counted. A problem counts as the same on its line,
 * wherever that is now, and on a rewritten one. `texts` are those of the file, where the edit changed it.
 */
export function addedProblems<P extends TextProblem>(
  before: readonly TextProblem[],
  after: readonly P[],
  texts?: { readonly before: string; readonly after: string },
): readonly P[] {
  const onSameLine = new Counts(after.map(lineKeyOf));
  const solved = before.filter((problem) => !onSameLine.take(lineKeyOf(problem)));
  const known = new Counts(before.map(lineKeyOf));
  const others = after.filter((problem) => !known.take(lineKeyOf(problem)));
  if (others.length === 0 || solved.length === 0 || texts === undefined) return others;
  const [linesBefore, linesAfter] = [linesOf(texts.before), linesOf(texts.after)];
  const rewritten = new Counts(solved.filter(({ lineText }) => !linesAfter.has(lineKey(lineText))).map(keyOf));
  return others.filter((problem) => linesBefore.has(lineKey(problem.lineText)) || !rewritten.take(keyOf(problem)));
}

/** A multiset of texts. */
class Counts {
  readonly #counts = new Map<string, number>();

  constructor(keys: readonly string[]) {
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Takes one of them out; false when none is left. */
  take(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    this.#counts.set(key, count - 1);
    return true;
  }
}

function keyOf({ severity, message, code, source }: TextProblem): string {
  return JSON.stringify([severity, message, code, source]);
}

function lineKeyOf(problem: TextProblem): string {
  return `${lineKey(problem.lineText)}\n${keyOf(problem)}`;
}

function lineKey(line: string): string {
  return line.trim().slice(0, MOST_COMPARED);
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(text.split("\n").map(lineKey));
}
