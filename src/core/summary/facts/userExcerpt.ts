/**
 * A message of the user that is too long for a summary: mostly, something was pasted into it. The user's own words stand
 * around that, so the beginning and the end are retained, and orders wherever they stand. Of a paste the end says most:
 * that is where a log stops. Of the task it is the beginning.
 */

import { placeAfter, placeBefore } from "../../cutText.ts";
import { omissionMark } from "../write/excerpt.ts";

/** Shares of the room; the end gets the rest. */
const SHARES = {
  task: { beginning: 1 / 2, orders: 1 / 4 },
  other: { beginning: 1 / 8, orders: 1 / 8 },
} as const;
/** Of the beginning of what is no task: enough for what is said before a paste. */
const BEGINNING_UNITS = { least: 400, most: 1_200 };
/** More orders in one message are those of a pasted text. */
const MOST_ORDERS = 40;
/** Less between two retained parts is not worth a mark. */
const SMALLEST_GAP_UNITS = 60;

interface Part {
  readonly start: number;
  readonly end: number;
}

/** At most `longestUnits` of `text`, and marks of what is left out. `orders` are sentences of the text. */
export function userExcerpt(
  text: string,
  longestUnits: number,
  { orders, isTask }: { readonly orders: readonly string[]; readonly isTask: boolean },
): string {
  if (text.length <= longestUnits) return text;
  const share = isTask ? SHARES.task : SHARES.other;
  const beginning = Math.floor(longestUnits * share.beginning);
  const least = Math.min(BEGINNING_UNITS.least, Math.floor(longestUnits / 3));
  const headEnd = lineEndBefore(text, isTask ? beginning : Math.min(BEGINNING_UNITS.most, Math.max(least, beginning)));
  const ends = Math.max(0, longestUnits - headEnd);
  const taken: Part[] = [];
  let left = Math.floor(longestUnits * share.orders);
  for (const order of orders.slice(0, MOST_ORDERS)) {
    const start = text.indexOf(order, headEnd);
    const end = start + order.length;
    if (start < 0 || end > text.length - ends || order.length > left) continue;
    left -= order.length;
    taken.push({ start, end });
  }
  const ordersUnits = taken.reduce((sum, { start, end }) => sum + end - start, 0);
  const tailStart = lineStartAfter(text, text.length - Math.max(0, ends - ordersUnits));
  return joined(text, [
    { start: 0, end: headEnd },
    ...taken.toSorted((one, other) => one.start - other.start),
    { start: tailStart, end: text.length },
  ]);
}

/** The parts in their order, with marks between. They may touch or overlap. */
function joined(text: string, [first, ...others]: readonly Part[]): string {
  let content = "";
  let { start, end } = first ?? { start: 0, end: 0 };
  for (const part of others) {
    if (part.start - end < SMALLEST_GAP_UNITS) {
      end = Math.max(end, part.end);
      continue;
    }
    content += `${text.slice(start, end)}\n${omissionMark(part.start - end)}\n`;
    ({ start, end } = part);
  }
  return content + text.slice(start, end);
}

/** The end of the last whole line in the second half before `at`, or `at`. */
function lineEndBefore(text: string, at: number): number {
  const lineEnd = text.lastIndexOf("\n", at);
  return lineEnd > at / 2 ? lineEnd : placeBefore(text, at);
}

/** The start of the first whole line soon after `at`, or `at`. */
function lineStartAfter(text: string, at: number): number {
  const lineStart = text.indexOf("\n", at) + 1;
  return lineStart > 0 && lineStart - at < (text.length - at) / 4 ? lineStart : placeAfter(text, at);
}
