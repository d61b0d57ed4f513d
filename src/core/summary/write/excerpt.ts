import { placeAfter, placeBefore } from "../../cutText.ts";

/** The mark of {@link omissionMark}. */
export const OMISSION = /… \d+ characters left out …/;

/** Stands in the place of what is left out. */
export function omissionMark(units: number): string {
  return `… ${String(units)} characters left out …`;
}

/** The text or, when too long, its head and tail with the number of omitted characters between. */
export function excerpt(text: string, longestUnits: number, shareOfHead = 2 / 3): string {
  if (text.length <= longestUnits) return text;
  const head = Math.floor(longestUnits * shareOfHead);
  const headEnd = placeBefore(text, head);
  const tailStart = placeAfter(text, text.length - (longestUnits - head));
  return `${text.slice(0, headEnd)}\n${omissionMark(tailStart - headEnd)}\n${text.slice(tailStart)}`;
}
