/**
 * Marks what a summarizer says and its source does not: paths, names, addresses, numbers and quotations. The reader, model
 * or user, sees which details were never in the conversation.
 */

import { type CheckedText, normalize } from "./factCheck.ts";
import type { FactKind } from "./fact.ts";
import { linesOf } from "./lines.ts";
import { codeSpansOf, datesOf, quotationsOf } from "./phrases.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";
import { wordFactsOf } from "./words.ts";

/** Stands behind each detail that the source does not have. */
export const UNVERIFIED_MARK = " [unverified]";

/** A text with its marks, and the details that are marked, in order. */
export interface MarkedText {
  readonly text: string;
  readonly unverified: readonly string[];
}

/** Marks the details of `answer` that do not stand in `source`. */
export function* markFabrications(answer: string, source: CheckedText): CooperativeTask<MarkedText> {
  const unverified = new Set<string>();
  for (const detail of detailsOf(answer)) {
    if (!source.states(detail)) unverified.add(detail.text);
    yield;
  }
  const details = [...unverified];
  return { text: marked(answer, details), unverified: details };
}

/**
 * A summary without the details that are marked in it: as a source, it does not vouch for them. The mark stands right
 * behind the detail, or behind the backtick or quotation mark that closes around it.
 */
export function withoutUnverified(summary: string): string {
  if (!summary.includes(UNVERIFIED_MARK)) return summary;
  const pieces = summary.split(UNVERIFIED_MARK);
  const last = pieces.pop() ?? "";
  return pieces.map((piece) => `${piece.slice(0, -markedLength(piece))}…`).join("") + last;
}

/** The details that are marked in a summary, in order, without doubles. */
export function unverifiedIn(summary: string): readonly string[] {
  const pieces = summary.split(UNVERIFIED_MARK).slice(0, -1);
  return [...new Set(pieces.map((piece) => piece.slice(-markedLength(piece))))];
}

/** How much of the end of `text` a mark right behind it means. */
function markedLength(text: string): number {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const quoted = MARKED_QUOTES.map((pattern) => pattern.exec(line)?.[0].length ?? 0);
  const date = datesOf(line).findLast((candidate) => line.endsWith(candidate))?.length ?? 0;
  const word = /\S+$/.exec(line)?.[0].length ?? 0;
  return Math.max(1, word, date, ...quoted);
}

const MARKED_QUOTES: readonly RegExp[] = [
  /`[^`]+`$/,
  /["“„][^"“”„]+["”“]$/,
  /['‘‚][^'‘’‚]+['’]$/,
  /«[^«»]+»$/,
  /[「『][^「」『』]+[」』]$/,
];

interface Detail {
  readonly kind: FactKind;
  readonly text: string;
}

function detailsOf(answer: string): readonly Detail[] {
  return linesOf(answer).flatMap(({ text, isCode }) => {
    const quoted = codeSpansOf(text);
    const phrases = quoted
      .filter((span) => span.includes(" "))
      .map((span): Detail => ({ kind: "command", text: span }));
    const quotes = quotationsOf(text).map((quote): Detail => ({ kind: "quote", text: withoutEnd(quote) }));
    const dates = datesOf(text).map((date): Detail => ({ kind: "date", text: date }));
    const names = quoted.flatMap((span) => wordFactsOf(span, true));
    const words = isCode ? wordFactsOf(text) : wordFactsOf(text.replaceAll(/`[^`]{1,300}`/g, " "));
    const named = [...dates, ...names, ...words];
    const rest = named.reduce((line, detail) => line.replaceAll(detail.text, " | "), text);
    return [...quotes, ...phrases, ...named, ...numbersOf(rest)];
  });
}

const NUMBER =
  /(?<![\p{L}\p{N}_])\d{1,15}(?:[.,]\d{1,9})*(?=(?:ms|µs|ns|s|m|h|d|[kKMGT]i?[Bb]?|px|%|x)?(?![\p{L}\p{N}_]))/gu;

/** Every number, with its decimals and without its unit; not the one that counts a list. */
function numbersOf(line: string): readonly Detail[] {
  const numbers = line.replace(/^\s*\d{1,3}[.)]\s/, "").matchAll(NUMBER);
  return [...numbers].map((match) => ({ kind: "quantity", text: match[0] }));
}

/** The comma or full stop that typography puts inside the quotation marks. */
function withoutEnd(quote: string): string {
  return normalize(quote).replace(/[.,;:!?]$/, "");
}

/** Puts the mark behind each place where a detail stands, the longest detail first, never inside another one. */
function marked(answer: string, details: readonly string[]): string {
  const ends: number[] = [];
  const isTaken = new Uint8Array(answer.length);
  for (const detail of [...details].sort((a, b) => b.length - a.length)) {
    for (let at = answer.indexOf(detail); at >= 0; at = answer.indexOf(detail, at + detail.length)) {
      if (isTaken[at] === 1 || !standsAlone(answer, at, detail.length)) continue;
      isTaken.fill(1, at, at + detail.length);
      ends.push(endWithQuotes(answer, at + detail.length));
    }
  }
  let text = "";
  let start = 0;
  for (const end of ends.sort((a, b) => a - b)) {
    text += answer.slice(start, end) + UNVERIFIED_MARK;
    start = end;
  }
  return text + answer.slice(start);
}

function standsAlone(text: string, at: number, length: number): boolean {
  const before = text.charAt(at - 1);
  const behind = text.charAt(at + length);
  const isUnit = /\d/.test(text.charAt(at + length - 1)) && /[a-zA-Z%]/.test(behind);
  return !/[\p{L}\p{N}_]/u.test(before) && (isUnit || !/[\p{L}\p{N}_]/u.test(behind));
}

/** A mark stands behind the backtick or quotation mark that closes, and behind a unit. */
function endWithQuotes(text: string, end: number): number {
  const tail =
    /^(?:[a-zA-Z%]{1,3}(?![\p{L}\p{N}_]))?[.,]?\s?["”“’'»」』`)]?/u.exec(text.slice(end, end + 7))?.[0] ?? "";
  return end + tail.replace(/[.,\s]+$/, "").length;
}
