/** Detects right-to-left text. Pure. */

/** Letters of right-to-left scripts. */
const letters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Checked length of a streaming answer, in UTF-16 units: all of it would cost time in each frame. */
const checkedLength = 4_000;

/** `growing`: right-to-left text far down counts only once the answer is complete. */
export function hasRightToLeft(text: string, growing: boolean): boolean {
  return letters.test(growing ? text.slice(0, checkedLength) : text);
}

/** Class of a field with `text`; none without such letters: for pasted megabytes the browser would take minutes. */
export function directionClass(text: string): "bidi" | undefined {
  return hasRightToLeft(text, false) ? "bidi" : undefined;
}
