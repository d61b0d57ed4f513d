/**
 * Splits Markdown into tokens with marked's lexer, and keeps what could freeze or break it away from it.
 */
import { Lexer, type Links, type MarkedOptions, type Token, Tokenizer, type Tokens } from "marked";
import { formulaRules } from "./formulaTokens.ts";
import { loneTicks } from "./loneTicks.ts";

/** Tokens in their order, and the link definitions that were seen. */
export interface Lexed {
  readonly tokens: readonly Token[];
  readonly links: Links;
}

/** A block that is not code may be this long, in UTF-16 units. */
const maxBlockLength = 40_000;
/** Code costs little, whatever is in it. */
const maxCodeLength = 500_000;
/** A line longer than this is data, not prose. */
const maxLineLength = 36_000;
/**
 * Characters that the lexer may have before it at its steps, added up: at each step it may look through all of them, so that
 * what hostile text costs grows with the square of its length. Usual text of {@link maxBlockLength} needs less.
 */
const maxLookahead = 50_000_000;
/** A quote is cut into its lines before it is known how far it reaches: each character counts as so many. */
const quoteCost = 24;
/** An end for a row of ticks that begins no code is looked for twice, slowly: each character counts as so many. */
const tickCost = 4;
/** Emphasis in emphasis deeper than this stays text. */
const maxEmphasisDepth = 16;
/** Quotes, bullets and numbers in a row, or indentation: deeper than this is nesting made to exhaust the stack. */
const tooDeep = /(?:>[ \t]*|[*+-][ \t]+|\d{1,9}[.)][ \t]+){50}|^[ \t]{200}/m;

/** Returns the tokens of `source`, or null when it must be shown as it is. `links` are definitions known before. */
export function lexMarkdown(source: string, links: Links): Lexed | null {
  if (!isReasonable(source)) return null;
  const lexer = new PlainTextLexer(new BoundedTokenizer(), formulaRules(source));
  Object.assign(lexer.tokens.links, links);
  try {
    const tokens = lexer.lex(source);
    return { tokens, links: tokens.links };
  } catch (error) {
    if (error instanceof TooMuchLookahead) return null;
    throw error;
  }
}

class TooMuchLookahead extends Error {}

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

/** Marked's own lexer, which does not look for what cannot be there: most lines of an answer are nothing but text. */
class PlainTextLexer extends Lexer {
  readonly #tokenizer: BoundedTokenizer;
  readonly #rules: Tokenizer["rules"];
  readonly #withoutDefined: Tokenizer["rules"];

  constructor(tokenizer: BoundedTokenizer, options: MarkedOptions) {
    super({ gfm: true, tokenizer, ...options });
    this.#tokenizer = tokenizer;
    this.#rules = tokenizer.rules;
    this.#withoutDefined = { ...this.#rules, inline: { ...this.#rules.inline, reflinkSearch: nothing } };
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src === "" || inlineSign.test(src)) {
      const areDefined = src.length <= maxDefinedSearch && Object.keys(this.tokens.links).length > 0;
      this.#tokenizer.spend(tickCost * loneTicks(src) * src.length);
      this.#tokenizer.rules = areDefined ? this.#rules : this.#withoutDefined;
      return super.inlineTokens(src, tokens);
    }
    tokens.push({ type: "text", raw: src, text: src, escaped: this.state.inRawBlock });
    return tokens;
  }
}

/** Marked's own rules, except that a tag changes nothing, and that all of the lexer's steps together have a limit. */
class BoundedTokenizer extends Tokenizer {
  #lookaheadLeft = maxLookahead;
  #emphasisDepth = 0;

  /** The first rule that is tried for each block. */
  override space(src: string): Tokens.Space | undefined {
    this.spend(src.length);
    return super.space(src);
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    if (!/^ {0,3}>/.test(src)) return undefined;
    const blankLine = src.indexOf("\n\n");
    this.spend(quoteCost * (blankLine < 0 ? src.length : blankLine));
    return super.blockquote(src);
  }

  /** The first rule that is tried for each part of a line. */
  override escape(src: string): Tokens.Escape | undefined {
    this.spend(src.length);
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

  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!/^[*_]/.test(src)) return undefined;
    return this.#nested(() => super.emStrong(src, maskedSrc, prevChar));
  }

  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    if (!src.startsWith("~")) return undefined;
    return this.#nested(() => super.del(src, maskedSrc, prevChar));
  }

  /** Counts `characters` that are looked through. */
  spend(characters: number): void {
    this.#lookaheadLeft -= characters;
    if (this.#lookaheadLeft < 0) throw new TooMuchLookahead();
  }

  /** Emphasis is read with all that is in it. */
  #nested<T>(search: () => T | undefined): T | undefined {
    if (this.#emphasisDepth >= maxEmphasisDepth) return undefined;
    this.#emphasisDepth++;
    try {
      return search();
    } finally {
      this.#emphasisDepth--;
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
