/** Markdown as plain text, for a line that only identifies the text. Pure. */

import { beginningOf } from "../../core/cutText.ts";
import { linesOf } from "../../core/summary/facts/lines.ts";

/** Source characters read per character of the line: markup takes some of them. */
const READ_FOR_EACH = 8;
/** Line prefixes: heading, list, quotation, task. */
const LINE_MARKS = /^(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)])(?:\s+|$)|\[[ xX]\]\s+)+/;
/** A horizontal rule, or the separator line of a table. */
const RULE = /^(?:[-*_]\s*){3,}$|^=+$|^\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/;
/** `code`, kept as it is; else a link or an image, reduced to its label, or an escaped character. */
const PIECES =
  /(`+)([^`](?:.*?[^`])?)\1(?!`)|!?\[([^[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)|<(https?:[^\s<>]*)>|\\([!-/:-@[-`{-~])/g;
/** Emphasis around words; an underscore within a word belongs to it. */
const EMPHASIS: readonly RegExp[] = [
  /(\*\*\*|\*\*|~~)(?=\S)(.*?\S)\1/g,
  /(?<![\p{L}\p{N}_])(___|__)(?=\S)(.*?\S)\1(?![\p{L}\p{N}_]|\.\p{L})/gu,
  /(?<![\p{L}\p{N}*])(\*)(?=[^\s*])([^*]*[^\s*])\1(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_])(_)(?=[^\s_])([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu,
];

/** The beginning of the text, in one line of at most `most` UTF-16 units and "…". Code is kept, without its fence. */
export function plainWords(markdown: string, most: number): string {
  const read = beginningOf(markdown, most * READ_FOR_EACH);
  const words = linesOf(read)
    .map(({ text, isCode }) => (isCode ? text : proseOf(text)))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (words.length > most) return `${beginningOf(words, most).trimEnd()}…`;
  return read.length < markdown.length ? `${words}…` : words;
}

function proseOf(line: string): string {
  if (RULE.test(line)) return "";
  const text = line.replace(LINE_MARKS, "");
  return text.startsWith("|") ? cellsOf(text) : inlineWords(text);
}

function cellsOf(row: string): string {
  const cells = row.split("|").map((cell) => inlineWords(cell.trim()));
  return cells.filter((cell) => cell !== "").join(", ");
}

function inlineWords(text: string): string {
  const kept: string[] = [];
  const keep = (words: string): string => `\u0000${kept.push(words) - 1}\u0000`;
  const signs = text.replaceAll(
    PIECES,
    (_whole, _ticks, code?: string, label?: string, address?: string, sign?: string) =>
      label ?? keep((code ?? address ?? sign ?? "").trim()),
  );
  const plain = EMPHASIS.reduce((words, pair) => words.replaceAll(pair, "$2"), signs);
  return plain.replaceAll(/\0(\d+)\0/g, (_mark, index: string) => kept[Number(index)] ?? "");
}
