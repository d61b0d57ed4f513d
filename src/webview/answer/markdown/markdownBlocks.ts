/**
 * The blocks of an answer that grows. Blocks that no further text can change are closed: they are parsed once and stay
 * the same objects; only the open end is parsed again.
 * Invariant: after any sequence of updates the blocks equal those of the whole text parsed at once (but for text that
 * goes beyond the limits of `lexMarkdown`, which is shown as it was written).
 */
import type { Links, Token } from "marked";
import { blocksOf, type HeadingLevels, turnHeadingLevel } from "./blocksOf.ts";
import { drawnSizeOf } from "./drawnSize.ts";
import { lexMarkdown } from "./lexMarkdown.ts";
import type { Block } from "./markdownTree.ts";
import { shareBlocks } from "./shareBlocks.ts";

/** A long text is parsed in parts of this length, as if it had grown: so no block is parsed together with all the others. */
const partLength = 2_000;
/** With each part all definitions of links are looked at: the more there are, the longer are the parts, up to this length. */
const longestPart = 8_000;
/** The rest of an answer of more characters, or more elements and texts, is shown as it was written. */
const mostCharacters = 300_000;
const mostElements = 20_000;

/** Parses one answer as it grows. */
export class MarkdownBlocks {
  /** The text of the closed blocks. */
  #closedSource = "";
  #closed: readonly Block[] = [];
  #closedSize = 0;
  #open: readonly Block[] = [];
  #levels: HeadingLevels = { last: turnHeadingLevel };
  /** Link definitions in the closed blocks. */
  #closedLinks: Links = {};
  /** Those of the whole text so far; they apply to all of it, also to what stands before them. */
  #links: Links = {};
  /** Blocks were closed before a definition was found that may change what they mean. */
  #isOutdated = false;
  #source = "";
  /** What is not closed is too much to be parsed or drawn, and stays so while it grows. */
  #isTooMuch = false;

  /** Takes the whole text as it is now and returns its blocks; blocks that did not change are the same objects. */
  update(text: string): readonly Block[] {
    const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    const isLonger = source.startsWith(this.#source);
    if (!isLonger) this.#reset();
    this.#parseParts(source, isLonger ? this.#source.length : 0, null);
    if (this.#isOutdated) {
      const links = this.#links;
      this.#reset();
      this.#parseParts(source, 0, links);
    }
    this.#source = source;
    return [...this.#closed, ...this.#open];
  }

  /** Parses `source` from where it was `parsed` to. `links` are the definitions of the whole text, where they are known. */
  #parseParts(source: string, parsed: number, links: Links | null): void {
    let length = this.#partLength();
    for (let end = Math.max(this.#closedSource.length, parsed) + length; end < source.length; end += length) {
      const { length: closed } = this.#closedSource;
      this.#parse(source.slice(0, end), links);
      // A block that goes on is parsed anew with each part: with longer and longer ones that costs little.
      length = this.#closedSource.length > closed ? this.#partLength() : 2 * length;
    }
    this.#parse(source, links);
  }

  #partLength(): number {
    return Math.min(longestPart, partLength + Object.keys(this.#links).length);
  }

  #reset(): void {
    this.#closedSource = "";
    this.#closed = [];
    this.#closedSize = 0;
    this.#open = [];
    this.#levels = { last: turnHeadingLevel };
    this.#closedLinks = {};
    this.#isOutdated = false;
    this.#isTooMuch = false;
  }

  /** Parses what is not closed, and closes what no further text can change. */
  #parse(source: string, links: Links | null): void {
    const start = this.#closedSource.length;
    const tail = source.slice(start);
    const lexed = this.#isTooMuch ? null : lexMarkdown(tail, links ?? this.#closedLinks);
    if (lexed === null) {
      this.#showAsWritten(tail);
      return;
    }
    if (start > 0 && !sameLinks(lexed.links, this.#links)) this.#isOutdated = true;
    this.#links = { ...lexed.links };
    const cut = settledTokens(lexed.tokens, tail);
    if (cut.count > 0 && Object.keys(lexed.links).length > 0)
      this.#closedLinks = { ...lexMarkdown(tail.slice(0, cut.length), this.#closedLinks)?.links };
    const closing = lexed.tokens
      .slice(0, cut.count)
      .map((token) => ({ token, blocks: blocksOf([token], this.#levels) }));
    const open = blocksOf(lexed.tokens.slice(cut.count), { ...this.#levels });
    const shared = shareBlocks(this.#open, [...closing.flatMap(({ blocks }) => blocks), ...open]);
    this.#open = shared.splice(shared.length - open.length);
    let end = start;
    for (const { token, blocks } of closing) {
      this.#closed = [...this.#closed, ...shared.splice(0, blocks.length)];
      this.#closedSize += drawnSizeOf(blocks);
      end += token.raw.length;
      if (end <= mostCharacters && this.#closedSize <= mostElements) continue;
      this.#closedSource = source.slice(0, end);
      this.#showAsWritten(source.slice(end));
      return;
    }
    this.#closedSource = source.slice(0, start + cut.length);
  }

  /** Shows the rest of the answer, and what will be added to it, as it is. */
  #showAsWritten(rest: string): void {
    this.#isTooMuch = true;
    this.#open = rest === "" ? [] : [{ kind: "plain", text: rest }];
  }
}

/**
 * How many tokens from the start cannot change any more, and how much text they are: all up to the last blank line
 * that is followed by a complete line with text. Whether a list, a quote, code or a paragraph goes on after a blank
 * line is decided by that one line; a line that is still being written may decide otherwise with its next character.
 */
function settledTokens(tokens: readonly Token[], source: string): { count: number; length: number } {
  let settled = { count: 0, length: 0 };
  let offset = 0;
  for (const [index, token] of tokens.entries()) {
    if (source.slice(offset, offset + token.raw.length) !== token.raw) break;
    offset += token.raw.length;
    if (token.type === "space" && index > 0 && source.includes("\n", offset)) {
      settled = { count: index + 1, length: offset };
    }
  }
  return settled;
}

function sameLinks(one: Links, other: Links): boolean {
  const labels = Object.keys(one);
  return (
    labels.length === Object.keys(other).length &&
    labels.every((label) => one[label]?.href === other[label]?.href && one[label]?.title === other[label]?.title)
  );
}
