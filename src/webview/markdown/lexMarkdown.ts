/**
 * Splits Markdown into tokens with marked's lexer, and keeps what could freeze or break it away from it.
 */
import { Lexer, type Links, type MarkedOptions, type Token, Tokenizer, type Tokens } from "marked";
import { formulaRules } from "./formulaTokens.ts";
import type { ReadingEffort } from "../readingEffort.ts";

/** Tokens in their order, the link definitions that were seen, and where the last settled blank line ends. */
export interface Lexed {
  readonly tokens: readonly Token[];
  readonly links: Links;
}

/** An open block longer than this is shown as it is: what hostile text costs grows with the square of its length. */
const maxBlockLength = 60_000;
/** Code costs little, whatever is in it. */
const maxCodeLength = 500_000;
/** A line longer than this is data, not prose. */
const maxLineLength = 10_000;
/** Emphasis in emphasis deeper than this stays text. */
const maxEmphasisDepth = 16;
/** Looking for ends of emphasis in one stretch of text may read so many characters: tens of milliseconds. */
const maxEmphasisSearch = 400_000;
/** A table of more cells than this is shown as it is written: each costs more than a line of text. */
const maxCells = 1_500;
/** Quotes, bullets and numbers in a row, or indentation: deeper than this is nesting made to exhaust the stack. */
const tooDeep = /(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){50}|^[ \t]{200}/m;

/**
 * Returns the tokens of `source`, or null when it must be shown as it is. `links` are definitions known before, `effort` what
 * was spent on the answer that it is a part of; null for one that is too short to take long.
 */
export function lexMarkdown(source: string, links: Links, effort: ReadingEffort | null = null): Lexed | null {
  if (!isReasonable(source)) return null;
  const lexer = new PlainTextLexer(new BoundedTokenizer(effort), formulaRules(source));
  Object.assign(lexer.tokens.links, links);
  const tokens = effort === null ? lexer.lex(source) : effort.spend(() => lexer.lex(source));
  return tokens && { tokens, links: tokens.links };
}

function isReasonable(source: string): boolean {
  return isProse(source) || (source.length <= maxCodeLength && isProse(behindCode(source)));
}

function isProse(source: string): boolean {
  return source.length <= maxBlockLength && !tooDeep.test(source) && longestLine(source) <= maxLineLength;
}

/** What stands behind the blocks of code that `source` begins with. What only looks like a fence begins none. */
function behindCode(source: string): string {
  const { fences, newline } = Lexer.rules.block.gfm;
  let rest = source;
  for (;;) {
    const [found] = newline.exec(rest) ?? fences.exec(rest) ?? [""];
    if (found === "") return rest;
    rest = rest.slice(found.length);
  }
}

/** What a sign in a line may begin; where there is none of it, the line is text and nothing else. */
const inlineSign = /[\\`*_~<[@$]|&#|:\/\/|www\.| \n/i;

/** Looking for links with definitions, which emphasis does not reach into, takes a time that grows with the square of this. */
const maxDefinedSearch = 10_000;
const nothing = /(?!)/g;
/** Looking for the ends of code in one stretch of text may read so many characters. */
const maxTickSearch = 50_000_000;

/** A comment, or what else has a beginning and an end in a line of text, is looked for no further: it would be at each one. */
const anyLength = "[\\s\\S]*?";
const nearby = "[^]{0,300}?";

/** Marked's own lexer, which does not look for what cannot be there: most lines of an answer are nothing but text. */
class PlainTextLexer extends Lexer {
  readonly #tokenizer: Tokenizer;
  readonly #rules: Tokenizer["rules"];
  readonly #withoutDefined: Tokenizer["rules"];

  constructor(tokenizer: Tokenizer, options: MarkedOptions) {
    super({ gfm: true, tokenizer, ...options });
    this.#tokenizer = tokenizer;
    const { inline } = tokenizer.rules;
    const tag = new RegExp(inline.tag.source.replaceAll(anyLength, nearby));
    this.#rules = { ...tokenizer.rules, inline: { ...inline, tag } };
    this.#withoutDefined = { ...this.#rules, inline: { ...this.#rules.inline, reflinkSearch: nothing } };
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src === "" || (inlineSign.test(src) && !hasManyTicks(src))) {
      const areDefined = src.length <= maxDefinedSearch && Object.keys(this.tokens.links).length > 0;
      this.#tokenizer.rules = areDefined ? this.#rules : this.#withoutDefined;
      return super.inlineTokens(src, tokens);
    }
    tokens.push({ type: "text", raw: src, text: src, escaped: this.state.inRawBlock });
    return tokens;
  }
}

/** Marked's own rules, except that a tag changes nothing, and that tables, looking for the end of emphasis and the time have a limit. */
class BoundedTokenizer extends Tokenizer {
  readonly #effort: ReadingEffort | null;
  #emphasisDepth = 0;
  /** What may still be looked through in the present stretch of text, in characters. */
  #searchLeft = 0;
  #searched = "";

  constructor(effort: ReadingEffort | null) {
    super();
    this.#effort = effort;
  }

  /** The first that is asked for each block. */
  override space(src: string): Tokens.Space | undefined {
    this.#effort?.step();
    return super.space(src);
  }

  /** The first that is asked for each piece of a line. */
  override escape(src: string): Tokens.Escape | undefined {
    this.#effort?.step();
    return super.escape(src);
  }

  /** Raw HTML is text, so a tag must not change how what follows it is read: in `<a>`, links would not be seen. */
  override tag(src: string): Tokens.Tag | undefined {
    const { inLink } = this.lexer.state;
    const token = super.tag(src);
    this.lexer.state.inLink = inLink;
    this.lexer.state.inRawBlock = false;
    return token;
  }

  /** Asked before it is looked for a table: one that is too large becomes text like raw HTML. */
  override html(src: string): Tokens.HTML | undefined {
    const table = hugeTable(src);
    if (table === null) return super.html(src);
    return { type: "html", block: true, raw: table, pre: false, text: table };
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!/^[*_]/.test(src)) return undefined;
    return this.#bounded(src, maskedSrc, () => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    if (!src.startsWith("~")) return undefined;
    return this.#bounded(src, maskedSrc, () => super.del(src, maskedSrc, prevChar));
  }

  /** Each search may look through all the rest, and reads what it found before it returns. */
  #bounded<T>(src: string, stretch: string, search: () => T | undefined): T | undefined {
    if (this.#emphasisDepth === 0 && stretch !== this.#searched) {
      this.#searched = stretch;
      this.#searchLeft = maxEmphasisSearch;
    }
    this.#searchLeft -= src.length;
    if (this.#searchLeft < 0 || this.#emphasisDepth >= maxEmphasisDepth) return undefined;
    this.#emphasisDepth++;
    const token = search();
    this.#emphasisDepth--;
    return token;
  }
}

/** Whether looking for the end of code from each of its backticks may read so much that it would be noticed. */
function hasManyTicks(src: string): boolean {
  if (src.length <= maxLineLength) return false;
  let left = maxTickSearch / src.length;
  for (let at = src.indexOf("`"); at >= 0 && left >= 0; at = src.indexOf("`", at + 1)) left--;
  return left < 0;
}

function longestLine(source: string): number {
  let longest = 0;
  for (let start = 0; start <= source.length;) {
    const end = source.indexOf("\n", start);
    const stop = end < 0 ? source.length : end;
    longest = Math.max(longest, stop - start);
    start = stop + 1;
  }
  return longest;
}

/** The second line of a table. */
const delimiterRow = /^(?=[^\n]*\|)[^\n]*\n {0,3}(?=\|?[ \t]*:?-)[|:\- \t]+(?:\n|$)/;

/** The table with which `source` begins, up to the blank line behind it, if it has too many cells; else null. */
function hugeTable(source: string): string | null {
  if (!delimiterRow.test(source)) return null;
  const end = /\n[ \t]*(?:\n|$)/.exec(source);
  const table = end === null ? source : source.slice(0, end.index + 1);
  let cells = 0;
  for (let at = table.indexOf("|"); at >= 0 && cells <= maxCells; at = table.indexOf("|", at + 1)) cells++;
  return cells > maxCells ? table : null;
}
