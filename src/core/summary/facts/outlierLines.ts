/**
 * Finds the lines of tool output that differ in shape from the others: they report something, so what they name is
 * worth more than names in repetitive rows.
 */

/** With fewer lines there is no usual shape. */
const FEWEST_LINES = 6;
/** Lines whose shape occurs at most this often are outliers. */
const MOST_OF_A_SHAPE = 2;
/** With a larger share of outliers, there are none. */
const MOST_ODD_SHARE = 0.35;

/** Indexes of the outliers in `lines`; with too few lines, of all that are not code. */
export function outlierLines(lines: readonly string[]): ReadonlySet<number> {
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

/** Letter and digit runs become one character each; compound names become one. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/\d+/g, "0")
    .replaceAll(/\p{L}+/gu, "a")
    .replaceAll(/(?:[a0][._-])+(?=[a0])/g, "")
    .replaceAll(/[a0]+/g, "a")
    .slice(0, 60);
}

/** A line of a file that a tool shows, such as the half of a statement: what it says of errors is no report. */
export function isSourceLine(line: string): boolean {
  return looksLikeCode(line) || /[,({[]\s*$|[!=]==|\?\.|^\s*\d{1,6}(?:[→|]|[:-]?\t)/.test(line);
}

/** Statements, definitions and markup. */
export function looksLikeCode(line: string): boolean {
  return /[;{}]\s*$|^\s*(?:\d+[:|\s]\s*)?(?:import|export|const|let|var|return|if|for|while|class|def|fn|func|public|private|<\/?\w)|=>|\(\)|^\s*(?:\/\/|\*|#include)/.test(
    line,
  );
}
