/** Detects right-to-left text. Pure. */

import { rightToLeftLetter } from "../../protocol/rightToLeft.ts";

/** Checked length of a streaming answer, in UTF-16 units: all of it would cost time in each frame. */
const checkedLength = 4_000;

/** `growing`: right-to-left text far down counts only once the answer is complete. */
export function hasRightToLeft(text: string, growing: boolean): boolean {
  return rightToLeftLetter.test(growing ? text.slice(0, checkedLength) : text);
}

/** Class of a field with `text`; none without such letters: for pasted megabytes the browser would take minutes. */
export function directionClass(text: string): "bidi" | undefined {
  return hasRightToLeft(text, false) ? "bidi" : undefined;
}
