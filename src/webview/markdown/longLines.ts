/** Where a line that is too long to be parsed as a whole at each of its words may be cut. Pure. */
import type { Links, Token, Tokens } from "marked";
import { lexMarkdown } from "./lexMarkdown.ts";
import type { ReadingEffort } from "../readingEffort.ts";

/** A line of text longer than this is parsed and drawn in pieces; in UTF-16 units. */
export const longLine = 4_000;
/** The cut is made in this part of the line, and told by nothing that stands behind it. */
const earliest = 1_500;
const latest = 3_000;

/** What may begin something that ends behind the cut. */
const mark = /[*_`~[\]$<\\]/;
const sentenceEnd = /(?:[.!?…:;][)"”’»]*\s+|[。！？][）」』”]*\s*)(?=\p{L})/gu;
const wordEnd = /(?<!\s)\s+(?=\p{L})/gu;

/**
 * The length of the first piece of `source`, up to a cut in its first long line: at the end of a sentence, else of a word,
 * and never inside of anything. What follows begins with a letter, so that it is read as text. `undefined` where no line
 * of text is long, or it cannot be cut. The same source with more behind it is cut at the same place.
 */
export function endOfPiece(source: string, links: Links, effort: ReadingEffort): number | undefined {
  for (const start of startsOfLongLines(source)) {
    const window = source.slice(0, start + latest);
    const last = lexMarkdown(window, links, effort)?.tokens.at(-1);
    if (last?.type !== "paragraph" || !window.endsWith(last.raw)) continue;
    const cut = cutIn(last as Tokens.Paragraph, window.length - last.raw.length, start + earliest);
    if (cut !== undefined) return cut;
  }
  return undefined;
}

function startsOfLongLines(source: string): readonly number[] {
  const starts: number[] = [];
  for (let start = 0; source.length - start > longLine;) {
    const end = source.indexOf("\n", start);
    if ((end < 0 ? source.length : end) - start > longLine) starts.push(start);
    if (end < 0) break;
    start = end + 1;
  }
  return starts;
}

/**
 * The last good place behind `from`, in words that belong to nothing but the paragraph, which begins at `offset`; behind a
 * mark that may belong to something only where there is no other.
 */
function cutIn(paragraph: Tokens.Paragraph, offset: number, from: number): number | undefined {
  const clear: Ends = { sentence: undefined, word: undefined };
  const any: Ends = { sentence: undefined, word: undefined };
  let isClear = true;
  let at = offset;
  for (const token of paragraph.tokens) {
    const words = isPlain(token) ? token.raw : "";
    const begin = Math.max(0, from - at);
    const stop = words.slice(begin).search(mark);
    if (isClear) note(clear, stop < 0 ? words : words.slice(0, begin + stop), begin, at);
    note(any, words, begin, at);
    isClear &&= stop < 0;
    at += token.raw.length;
  }
  return clear.sentence ?? clear.word ?? any.sentence ?? any.word;
}

/** The last places of each kind. */
interface Ends {
  sentence: number | undefined;
  word: number | undefined;
}

function note(ends: Ends, text: string, from: number, at: number): void {
  ends.sentence = lastEnd(sentenceEnd, text, from, at) ?? ends.sentence;
  ends.word = lastEnd(wordEnd, text, from, at) ?? ends.word;
}

function isPlain(token: Token): boolean {
  return token.type === "text";
}

/** Where the last match that begins behind `from` in `text` ends; `text` itself begins at `at`. */
function lastEnd(pattern: RegExp, text: string, from: number, at: number): number | undefined {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined || last.index < from ? undefined : at + last.index + last[0].length;
}
