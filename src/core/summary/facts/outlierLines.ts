/**
 * The lines of a tool's output that are unlike the others: amid a listing, a log or code, the one line that reports
 * something is of another shape. What it names is worth more than what is named in rows.
 */

/** With fewer lines nothing can be said of what is usual. */
const FEWEST_LINES = 6;
/** A shape that so many lines have, or fewer, is odd. */
const MOST_OF_A_SHAPE = 2;
/** When more of the lines than this are odd, none is. */
const MOST_ODD_SHARE = 0.35;

/** The odd ones, by their position in `lines`. All of them where there are too few to tell. */
export function oddLines(lines: readonly string[]): ReadonlySet<number> {
  const all = new Set(lines.keys());
  if (lines.length < FEWEST_LINES) return new Set([...all].filter((index) => !looksLikeCode(lines[index] ?? "")));
  const shapes = lines.map(shapeOf);
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const odd = [...all].filter((index) => {
    const line = lines[index] ?? "";
    return (counts.get(shapes[index] ?? "") ?? 0) <= MOST_OF_A_SHAPE && !looksLikeCode(line);
  });
  return odd.length > lines.length * MOST_ODD_SHARE ? new Set() : new Set(odd);
}

/** Letters and digits in runs become one sign each; names of several parts become one. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/\d+/g, "0")
    .replaceAll(/\p{L}+/gu, "a")
    .replaceAll(/(?:[a0][._-])+(?=[a0])/g, "")
    .replaceAll(/[a0]+/g, "a")
    .slice(0, 60);
}

/** Statements, definitions and markup: what code consists of. */
export function looksLikeCode(line: string): boolean {
  return /[;{}]\s*$|^\s*(?:\d+[:|\s]\s*)?(?:import|export|const|let|var|return|if|for|while|class|def|fn|func|public|private|<\/?\w)|=>|\(\)|^\s*(?:\/\/|\*|#include)/.test(
    line,
  );
}
