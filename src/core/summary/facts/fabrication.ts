/**
 * Marks paths, names, addresses, numbers and quotations that a summary states and its source does not, so that the
 * reader, model or user, sees which details were never in the conversation.
 */

import { type CheckedText, normalize } from "./factCheck.ts";
import type { FactKind } from "./fact.ts";
import { type Line, linesOf } from "./lines.ts";
import { codeSpansOf, datesOf, quotationsOf } from "./phrases.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";
import { wordFactsOf } from "./words.ts";

/** Follows each detail that is not in the source. */
export const UNVERIFIED_MARK = " [unverified]";

export interface MarkedText {
  readonly text: string;
  readonly unverified: readonly string[];
  /** All different details of the answer, those included. */
  readonly details: readonly string[];
}

export function* markFabrications(answer: string, source: CheckedText): CooperativeTask<MarkedText> {
  const unverified = new Set<string>();
  const all = new Set<string>();
  for (const line of linesOf(answer)) {
    const before = unverified.size;
    for (const detail of detailsOf(line)) {
      all.add(detail.text);
      if (!source.states(detail)) unverified.add(detail.text);
      yield;
    }
    // A line of code made of known words may be new as a whole, such as a command.
    if (line.isCode && unverified.size === before && !source.states({ kind: "command", text: codeOf(line) })) {
      all.add(line.text);
      unverified.add(line.text);
    }
    yield;
  }
  const details = [...unverified];
  return { text: yield* withMarks(answer, details), unverified: details, details: [...all] };
}

/** Without the sign of a prompt, or the bracket or comma that code closes with. */
function codeOf({ text }: Line): string {
  return text.replace(/^[$>#%]\s+/, "").replace(/[\s,;()[\]{}]+$/, "");
}

/**
 * The summary with its marked details replaced by "…": as a source it does not vouch for them. A mark directly follows
 * its detail, or the backtick or quotation mark that closes around it.
 */
export function withoutUnverified(summary: string): string {
  if (!summary.includes(UNVERIFIED_MARK)) return summary;
  const pieces = summary.split(UNVERIFIED_MARK);
  const last = pieces.pop() ?? "";
  return pieces.map((piece) => `${piece.slice(0, -markedLength(piece))}…`).join("") + last;
}

/** The marked details of a summary: in order, without duplicates. */
export function unverifiedIn(summary: string): readonly string[] {
  const pieces = summary.split(UNVERIFIED_MARK).slice(0, -1);
  return [...new Set(pieces.map((piece) => piece.slice(-markedLength(piece))))];
}

/** Length of the detail at the end of `text` that a mark right after it refers to. */
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

/** Those of one line, which takes a millisecond or two for the longest. */
function detailsOf({ text, isCode }: Line): readonly Detail[] {
  const quoted = codeSpansOf(text);
  const phrases = quoted.filter((span) => span.includes(" ")).map((span): Detail => ({ kind: "command", text: span }));
  const quotes = quotationsOf(text, 2).map((quote): Detail => ({ kind: "quote", text: withoutEnd(quote) }));
  const dates = datesOf(text).map((date): Detail => ({ kind: "date", text: date }));
  const names = quoted.flatMap((span) => wordFactsOf(span, true));
  const words = isCode ? wordFactsOf(text) : wordFactsOf(text.replaceAll(/`[^`]{1,300}`/g, " "));
  const named = [...dates, ...names, ...words];
  const rest = named.reduce((line, detail) => line.replaceAll(detail.text, " | "), text);
  return [...quotes, ...phrases, ...named, ...numbersOf(rest)];
}

const NUMBER =
  /(?<![\p{L}\p{N}_])\d{1,15}(?:[.,]\d{1,9})*(?=(?:ms|µs|ns|s|m|h|d|[kKMGT]i?[Bb]?|px|%|x)?(?![\p{L}\p{N}_]))/gu;

/** All numbers with decimals, without units; list numbers are skipped. */
function numbersOf(line: string): readonly Detail[] {
  const numbers = line.replace(/^\s*\d{1,3}[.)]\s/, "").matchAll(NUMBER);
  return [...numbers].map((match) => ({ kind: "quantity", text: match[0] }));
}

/** Drops the comma or full stop that typography puts inside the quotation marks. */
function withoutEnd(quote: string): string {
  return normalize(quote).replace(/[.,;:!?]$/, "");
}

/** UTF-16 units searched between two pauses. */
const UNITS_A_SLICE = 1_000_000;

/** Marks each occurrence of a detail: longest details first, none inside another. */
function* withMarks(answer: string, details: readonly string[]): CooperativeTask<string> {
  const slice = new Slice(UNITS_A_SLICE);
  const ends: number[] = [];
  const isTaken = new Uint8Array(answer.length);
  for (const detail of [...details].sort((a, b) => b.length - a.length)) {
    for (let at = answer.indexOf(detail); at >= 0; at = answer.indexOf(detail, at + detail.length)) {
      if (isTaken[at] === 1 || !standsAlone(answer, at, detail.length)) continue;
      isTaken.fill(1, at, at + detail.length);
      ends.push(endWithQuotes(answer, at + detail.length));
    }
    if (slice.isOver(answer.length)) yield;
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

/** Moves the mark after a closing backtick or quotation mark, and after a unit. */
function endWithQuotes(text: string, end: number): number {
  const tail =
    /^(?:[a-zA-Z%]{1,3}(?![\p{L}\p{N}_]))?[.,]?\s?["”“’'»」』`)]?/u.exec(text.slice(end, end + 7))?.[0] ?? "";
  return end + tail.replace(/[.,\s]+$/, "").length;
}
