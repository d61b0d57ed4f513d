/** Splits Markdown into tokens with marked's lexer, and shields it from input that could freeze or break it. */
import { Lexer, type Links, type MarkedOptions, type Token, Tokenizer, type Tokens } from "marked";
import { addressEnd } from "./addressEnd.ts";
import { emphasisRules } from "./emphasisRules.ts";
import { formulaOptions } from "./formulaTokens.ts";
import { putBackCode, takeLongCode } from "./longCode.ts";
import { nestedFence } from "./nestedFence.ts";

export interface Lexed {
  readonly tokens: readonly Token[];
  readonly links: Links;
  /** A Markdown document with fences of its own reaches to the end, since its fence has not been closed. */
  readonly isDocumentOpen: boolean;
}

/** A code block that the lexer's own rules would have ended earlier. */
export interface DocumentToken extends Tokens.Code {
  readonly isOpen: boolean;
}

/** Longest block that is not code, in UTF-16 units. */
const maxBlockLength = 40_000;
/** The same with code blocks before it: code is cheap, whatever it contains. */
const maxCodeLength = 500_000;
/** A longer line is data, not prose. */
const maxLineLength = 36_000;
/**
 * Lookahead of all lexer steps together, in characters: each step may scan the whole rest, so the cost of hostile text
 * is quadratic. Usual text of {@link maxBlockLength} needs less.
 */
const maxLookahead = 50_000_000;
/** Cost per character of a quote, which is split into lines before its extent is known. */
const quoteCost = 24;
/** Cost per character after ticks that begin no code: the lexer searches for their end twice, slowly. */
const tickCost = 4;
/** Deeper nested emphasis stays text. */
const maxEmphasisDepth = 16;
/** Quote marks, bullets and numbers in a row, or indentation: deeper nesting is made to exhaust the stack. */
const tooDeep = /(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){50}|^[ \t]{200}/m;

/**
 * Null if `source` must be shown as written. `links` are the definitions known before. `hasDocuments`: a fenced
 * Markdown document may have fences of its own.
 */
export function lexMarkdown(source: string, links: Links, hasDocuments = true): Lexed | null {
  const { text, taken } =
    source.length > maxBlockLength ? takeLongCode(source, hasDocuments) : { text: source, taken: [] };
  const lexed = lexWithin(text, links, hasDocuments);
  if (lexed === null || putBackCode(lexed.tokens, taken)) return lexed;
  return lexWithin(source, links, hasDocuments);
}

function lexWithin(source: string, links: Links, hasDocuments: boolean): Lexed | null {
  if (!isWithinLimits(source, hasDocuments)) return null;
  const tokenizer = new BoundedTokenizer(hasDocuments);
  const lexer = new PlainTextLexer(tokenizer, formulaOptions(source));
  Object.assign(lexer.tokens.links, links);
  try {
    const tokens = lexer.lex(source);
    return { tokens, links: tokens.links, isDocumentOpen: tokenizer.isDocumentOpen };
  } catch (error) {
    if (error instanceof TooMuchLookahead) return null;
    throw error;
  }
}

class TooMuchLookahead extends Error {}

function isWithinLimits(source: string, hasDocuments: boolean): boolean {
  return isProse(source) || (source.length <= maxCodeLength && isProse(textAfterCode(source, hasDocuments)));
}

function isProse(source: string): boolean {
  return source.length <= maxBlockLength && !tooDeep.test(source) && longestLine(source) <= maxLineLength;
}

/** Rest of `source` after the code blocks at its start. What only looks like a fence begins none. */
function textAfterCode(source: string, hasDocuments: boolean): string {
  const { fences, newline } = Lexer.rules.block.gfm;
  let rest = source;
  for (;;) {
    const document = hasDocuments ? nestedFence(rest) : null;
    const found = document?.raw ?? (newline.exec(rest) ?? fences.exec(rest))?.[0] ?? "";
    if (found === "") return rest;
    rest = rest.slice(found.length);
  }
}

/** Signs that may begin inline syntax; a line without any is plain text. */
const inlineSign = /[\\`*_~<[@$]|&#|:\/\/|www\.| \n/i;

/** Longest text searched for reference links, which emphasis does not reach into: the search takes quadratic time. */
const maxReferenceSearch = 10_000;
const neverMatches = /(?!)/g;

/** Marked's lexer, except that a line without inline syntax, as most of an answer are, is not searched for any. */
class PlainTextLexer extends Lexer {
  readonly #tokenizer: BoundedTokenizer;
  readonly #rules: Tokenizer["rules"];
  readonly #withoutDefined: Tokenizer["rules"];

  constructor(tokenizer: BoundedTokenizer, options: MarkedOptions) {
    super({ gfm: true, tokenizer, ...options });
    this.#tokenizer = tokenizer;
    this.#rules = tokenizer.rules;
    this.#withoutDefined = { ...this.#rules, inline: { ...this.#rules.inline, reflinkSearch: neverMatches } };
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src === "" || inlineSign.test(src)) {
      const hasDefinitions = src.length <= maxReferenceSearch && Object.keys(this.tokens.links).length > 0;
      this.#tokenizer.countLookahead(tickCost * unmatchedTickRuns(src) * src.length);
      this.#tokenizer.rules = hasDefinitions ? this.#rules : this.#withoutDefined;
      return super.inlineTokens(src, tokens);
    }
    tokens.push({ type: "text", raw: src, text: src, escaped: this.state.inRawBlock });
    return tokens;
  }
}

/** Marked's rules, except that tags have no effect, and that all lexer steps together have a limit. */
class BoundedTokenizer extends Tokenizer {
  /** See {@link Lexed.isDocumentOpen}. */
  isDocumentOpen = false;
  readonly #hasDocuments: boolean;
  #lookaheadLeft = maxLookahead;
  #emphasisDepth = 0;
  /** Lists and quotes around the block. */
  #containers = 0;

  constructor(hasDocuments: boolean) {
    super();
    this.#hasDocuments = hasDocuments;
  }

  /** The first rule tried for each block. */
  override space(src: string): Tokens.Space | undefined {
    this.countLookahead(src.length);
    return super.space(src);
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(src)) return undefined;
    const blankLine = src.indexOf("\n\n");
    this.countLookahead(quoteCost * (blankLine < 0 ? src.length : blankLine));
    return this.#contained(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#contained(() => super.list(src));
  }

  override fences(src: string): Tokens.Code | DocumentToken | undefined {
    const document = this.#hasDocuments ? nestedFence(src) : null;
    if (document !== null) this.countLookahead(src.length);
    // Where a list or quote ends is not known before the document in it: an open one stays CommonMark's.
    if (document === null || (document.isOpen && this.#containers > 0)) return super.fences(src);
    const code = super.fences(document.unambiguous);
    if (document.isOpen) this.isDocumentOpen = true;
    return code === undefined ? undefined : { ...code, raw: document.raw, isOpen: document.isOpen };
  }

  /** The first rule tried for each part of a line. */
  override escape(src: string): Tokens.Escape | undefined {
    this.countLookahead(src.length);
    return super.escape(src);
  }

  /** Raw HTML is text, so a tag must not affect the text after it: in `<a>`, links would be ignored. */
  override tag(src: string): Tokens.Tag | undefined {
    const { inLink } = this.lexer.state;
    const token = super.tag(src);
    this.lexer.state.inLink = inLink;
    this.lexer.state.inRawBlock = false;
    return token;
  }

  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!/^[*_]/.test(src)) return undefined;
    return this.#nested(() => super.emStrong(src, maskedSrc, prevChar), src.startsWith("*") ? src : "");
  }

  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    if (!src.startsWith("~~")) return undefined; // a single one is a range, an estimate or a folder
    return this.#nested(() => super.del(src, maskedSrc, prevChar), src);
  }

  override url(src: string): Tokens.Link | undefined {
    return super.url(/^(?:https?:\/\/|ftp:\/\/|www\.)/i.test(src) ? src.slice(0, addressEnd(src)) : src);
  }

  /** Counts scanned characters; throws {@link TooMuchLookahead} over the limit. */
  countLookahead(characters: number): void {
    this.#lookaheadLeft -= characters;
    if (this.#lookaheadLeft < 0) throw new TooMuchLookahead();
  }

  #contained<T>(read: () => T): T {
    this.#containers++;
    try {
      return read();
    } finally {
      this.#containers--;
    }
  }

  /** Emphasis is lexed recursively. */
  #nested<T>(search: () => T | undefined, delimiter: string): T | undefined {
    if (this.#emphasisDepth >= maxEmphasisDepth) return undefined;
    const { rules } = this;
    if (delimiter !== "") this.rules = { ...rules, inline: { ...rules.inline, ...emphasisRules(delimiter) } };
    this.#emphasisDepth++;
    try {
      return search();
    } finally {
      this.#emphasisDepth--;
      this.rules = rules;
    }
  }
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

/** Tick runs that begin no code, as no equal run follows: for each, the lexer scans all text after it. Pure; linear. */
export function unmatchedTickRuns(text: string): number {
  const rows = [...text.matchAll(/`+/g)].map(({ 0: row, index }) => ({ index, length: row.length }));
  const last = new Map(rows.map(({ index, length }) => [length, index]));
  let count = 0;
  let codeEnd = 0;
  let place = 0;
  // After a backslash a tick is literal; in code a backslash is literal.
  for (const { 0: found, index } of rows.length === 0 ? [] : text.matchAll(/\\[^`]|\\?`+/g)) {
    const start = Math.max(codeEnd, index + (found.startsWith("\\") ? 2 : 0));
    const length = index + found.length - start;
    if (length <= 0 || index < codeEnd) continue;
    if ((last.get(length) ?? 0) <= start) {
      count++;
      continue;
    }
    let row = rows[place];
    while (row !== undefined && (row.index <= start || row.length !== length)) row = rows[++place];
    if (row !== undefined) codeEnd = row.index + length;
  }
  return count;
}
