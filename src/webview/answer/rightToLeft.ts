/** Whether text has words from right to left. Pure. */

/** Letters of the scripts that are written so. */
const letters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** So much is looked at of an answer that is being written, in UTF-16 units: all of it would take its time in each frame. */
const lookedAtLength = 4_000;

/** Whether it has; `growing`: it is being written, and what begins far down in it counts when it is complete. */
export function hasRightToLeft(text: string, growing: boolean): boolean {
  return letters.test(growing ? text.slice(0, lookedAtLength) : text);
}

/** The class of a field with `text`. Without such words none: the browser looks minutes for the way of megabytes that are pasted. */
export function directionClass(text: string): "bidi" | undefined {
  return hasRightToLeft(text, false) ? "bidi" : undefined;
}
