import { placeAfter, placeBefore } from "../../cutText.ts";

/** The mark that {@link excerpt} writes in the place of what it leaves out. */
export const OMISSION = /… \d+ characters left out …/;

/** The text or, when too long, its head (two thirds) and tail with the number of omitted characters between. */
export function excerpt(text: string, longestUnits: number): string {
  if (text.length <= longestUnits) return text;
  const headEnd = placeBefore(text, Math.floor((longestUnits * 2) / 3));
  const tailStart = placeAfter(text, text.length - Math.floor(longestUnits / 3));
  return `${text.slice(0, headEnd)}\n… ${tailStart - headEnd} characters left out …\n${text.slice(tailStart)}`;
}
