/**
 * Splits a text into pre-tokens, the pieces across which byte pairs are never merged, like the patterns of the two
 * encodings.
 *
 * Hand-written over the class table, because a regular expression is slower and its `\s` differs from the providers'. A
 * run without a boundary is cut at {@link LONGEST_RUN} units, never inside a surrogate pair, so every step is short.
 */

import { type CharClasses, isSurrogate, LETTER, NEWLINE, NUMBER, SPACE, widthAt } from "./charClasses.ts";
import { type WordPattern, cl100kWord, o200kWord } from "./wordPatterns.ts";

/** UTF-16 units after which a run without a boundary is cut. Changes counts of such runs by less than 0.1 %. */
export const LONGEST_RUN = 1024;

export type EncodingName = "cl100k" | "o200k";

const BLANK = 32;
const SLASH = 47;

export class PreTokenizer {
  private readonly classes: CharClasses;
  private readonly wordPattern: WordPattern;
  private readonly slashEndsSymbols: boolean;
  private readonly longestRun: number;

  constructor(classes: CharClasses, encoding: EncodingName, longestRun = LONGEST_RUN) {
    this.classes = classes;
    this.wordPattern = encoding === "o200k" ? o200kWord : cl100kWord;
    this.slashEndsSymbols = encoding === "o200k";
    this.longestRun = longestRun;
  }

  /** End of the pre-token at `start`, which lies inside `text`; always greater than `start`. */
  endOf(text: string, start: number): number {
    const limit = this.limitOf(text, start);
    const flags = this.classes.at(text, start);
    const wordEnd = this.wordPattern(this.classes, text, start, limit);
    if (wordEnd > start) return wordEnd;
    if ((flags & NUMBER) !== 0) return this.endOfNumber(text, start, limit);
    const symbolsEnd = this.endOfSymbols(text, start, limit);
    return symbolsEnd > start ? symbolsEnd : this.endOfSpace(text, start, limit);
  }

  private limitOf(text: string, start: number): number {
    if (text.length - start <= this.longestRun) return text.length;
    const limit = start + this.longestRun;
    const last = text.charCodeAt(limit - 1);
    return last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit;
  }

  /** `\p{N}{1,3}` */
  private endOfNumber(text: string, start: number, limit: number): number {
    let end = start + widthAt(text, start);
    for (let digits = 1; digits < 3 && end < limit && (this.classes.at(text, end) & NUMBER) !== 0; digits++) {
      end += widthAt(text, end);
    }
    return end;
  }

  /** ` ?[^\s\p{L}\p{N}]+[\r\n]*`, in o200k `[\r\n/]*` at the end; `start` when it does not match. */
  private endOfSymbols(text: string, start: number, limit: number): number {
    const first = text.charCodeAt(start) === BLANK ? start + 1 : start;
    let end = first;
    const { ofUnit } = this.classes;
    while (end < limit) {
      const unit = text.charCodeAt(end);
      const flags = isSurrogate(unit) ? this.classes.at(text, end) : (ofUnit[unit] ?? 0);
      if ((flags & (SPACE | LETTER | NUMBER)) !== 0) break;
      end += widthAt(text, end);
    }
    if (end === first) return start;
    while (end < limit) {
      const unit = text.charCodeAt(end);
      if (unit !== 10 && unit !== 13 && !(this.slashEndsSymbols && unit === SLASH)) break;
      end++;
    }
    return end;
  }

  /** `\s*[\r\n]+`, else `\s+(?!\S)`, else `\s+`: the last blank before a word belongs to the word. */
  private endOfSpace(text: string, start: number, limit: number): number {
    const { ofUnit } = this.classes;
    let end = start;
    let afterNewline = start;
    while (end < limit) {
      const flags = ofUnit[text.charCodeAt(end)] ?? 0;
      if ((flags & SPACE) === 0) break;
      end++;
      if ((flags & NEWLINE) !== 0) afterNewline = end;
    }
    if (afterNewline > start) return afterNewline;
    return end < limit && end - start > 1 ? end - 1 : Math.max(end, start + 1);
  }
}
