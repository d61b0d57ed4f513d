/**
 * The blocks of an answer that grows. Blocks that no further text can change are closed: they are parsed once and stay
 * the same objects; only the open end is parsed again.
 * Invariant: after any sequence of updates the blocks equal those of the whole text parsed at once (but for text that
 * goes beyond the limits of `lexMarkdown`, which is shown as it is).
 */
import type { Links, Token } from "marked";
import { blocksOf, type HeadingLevels, turnHeadingLevel } from "./blocksOf.ts";
import { drawnSizeOf } from "./drawnSize.ts";
import { type Lexed, lexMarkdown } from "./lexMarkdown.ts";
import { ReadingEffort } from "../readingEffort.ts";
import { endOfPiece, longLine } from "./longLines.ts";
import type { Block } from "./markdownTree.ts";
import { shareBlocks } from "./shareBlocks.ts";

/** A long text is parsed part by part, as if it had grown: so no block is parsed together with all the others. */
const partLength = 16_000;
/** So many pieces of a line are laid out together in well under the 100 ms in which a reader sees nothing stand still. */
const mostPieces = 54;
/** Fewer, where they hold more elements and texts than these: all of them are styled and painted. */
const mostInPieces = 12_000;
/**
 * From here on, in elements and texts, the rest of an answer is shown as it is written: with twice as many, collecting the
 * browser's memory alone makes it stand still. Models write 500 KB at most; usual documents have 86 to a KB.
 */
const mostOfAnswer = 60_000;

/** The blocks of an answer that does not grow any more: those of {@link MarkdownBlocks}, and nothing is remembered for the next. */
export function blocksOfText(text: string): readonly Block[] {
  const lexed = text.length > longLine ? null : lexMarkdown(withLineFeeds(text), {});
  return lexed === null ? new MarkdownBlocks().update(text) : blocksOf(lexed.tokens, { last: turnHeadingLevel });
}

/** Parses one answer as it grows. */
export class MarkdownBlocks {
  /** The text of the closed blocks. */
  #closedSource = "";
  #closed: readonly Block[] = [];
  #open: readonly Block[] = [];
  #levels: HeadingLevels = { last: turnHeadingLevel };
  /** Link definitions in the closed blocks. */
  #closedLinks: Links = {};
  /** Those of the whole text so far; they apply to all of it, also to what stands before them. */
  #links: Links = {};
  #source = "";
  #effort = new ReadingEffort();

  /** Takes the whole text as it is now and returns its blocks; blocks that did not change are the same objects. */
  update(text: string): readonly Block[] {
    return lastOf(this.#read(text, false));
  }

  /** The same in parts: `next` reads one of them, each in a frame of its own; the last returns the blocks. */
  reading(text: string): Generator<undefined, readonly Block[]> {
    return this.#read(text, true);
  }

  *#read(text: string, inFrames: boolean): Generator<undefined, readonly Block[]> {
    const source = withLineFeeds(text);
    if (!source.startsWith(this.#closedSource)) this.#reset();
    const isLonger = source.startsWith(this.#source);
    if (this.#effort.isTooGreat && !isLonger) this.#effort = new ReadingEffort();
    const read = isLonger ? this.#source.length : 0;
    this.#source = source;
    this.#effort.begin();
    yield* this.#inParts(source, read, (part) => {
      if (inFrames) this.#effort.begin();
      this.#parse(part, null);
    });
    return [...this.#closed, ...this.#open];
  }

  /**
   * Has `parse` go through `source`, each time a part further: a block that goes on is not read anew at every one, and what
   * was `read` before, up to where, is not read in parts again.
   */
  *#inParts(source: string, read: number, parse: (upTo: string) => void): Generator<undefined, void> {
    let length = partLength;
    for (let end = Math.max(this.#closedSource.length, read) + length; end < source.length; end += length) {
      const { length: closed } = this.#closedSource;
      parse(source.slice(0, end));
      yield;
      length = this.#closedSource.length > closed ? partLength : 2 * length;
    }
    parse(source);
  }

  #reset(): void {
    this.#closedSource = "";
    this.#closed = [];
    this.#levels = { last: turnHeadingLevel };
    this.#closedLinks = {};
  }

  /**
   * Parses what is not closed, a line that is too long piece by piece; all of it again when a new definition changes what
   * the closed blocks mean. `links` are the definitions of the whole text, where they are known already.
   */
  #parse(source: string, links: Links | null): void {
    for (let goesOn = true; goesOn;) {
      const { length } = this.#closedSource;
      const known = links ?? this.#closedLinks;
      const isFull = drawnSizeOf(this.#closed) > mostOfAnswer;
      const isInPieces = !isFull && !this.#hasMostPieces();
      const end = isInPieces ? endOfPiece(source.slice(length), known, this.#effort) : undefined;
      const upTo = end === undefined ? source : source.slice(0, length + end);
      const lexed = isFull ? null : lexMarkdown(upTo.slice(length), known, this.#effort);
      const { links: found } = lexed ?? {};
      if (links === null && length > 0 && found !== undefined && !sameLinks(found, this.#links)) {
        this.#reset();
        this.#effort.begin();
        const parts = this.#inParts(source, 0, (part) => {
          this.#parse(part, found);
        });
        lastOf(parts);
        return;
      }
      goesOn = end !== undefined;
      this.#take(upTo, lexed, goesOn);
    }
  }

  /** Whether the line that goes on is in so many pieces that it is no prose: the rest of it is read as any other text. */
  #hasMostPieces(): boolean {
    const start = this.#closed.findLastIndex((block) => block.kind !== "paragraph" || block.goesOn !== true) + 1;
    const pieces = this.#closed.slice(start);
    return pieces.length >= mostPieces || drawnSizeOf(pieces) > mostInPieces;
  }

  /** Takes the tokens of what is not closed, and closes what is settled; all of it, where the last line `goesOn`. */
  #take(source: string, lexed: Lexed | null, goesOn: boolean): void {
    const start = this.#closedSource.length;
    const tail = source.slice(start);
    if (lexed === null) {
      this.#open = tail === "" ? [] : [{ kind: "plain", text: tail }];
      return;
    }
    this.#links = { ...lexed.links };
    const cut = goesOn ? { count: lexed.tokens.length, length: tail.length } : settledTokens(lexed.tokens, tail);
    const before = this.#open;
    if (cut.count > 0 && Object.keys(lexed.links).length > 0) {
      this.#closedLinks = { ...lexMarkdown(tail.slice(0, cut.length), this.#closedLinks, this.#effort)?.links };
    }
    const closing = blocksOf(lexed.tokens.slice(0, cut.count), this.#levels);
    if (goesOn) closing.push(...closing.splice(-1).map(goingOn));
    this.#open = blocksOf(lexed.tokens.slice(cut.count), { ...this.#levels });
    const shared = shareBlocks(before, [...closing, ...this.#open]);
    this.#open = shared.splice(closing.length);
    this.#closed = [...this.#closed, ...shared];
    this.#closedSource = source.slice(0, start + cut.length);
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

/** What the last part returns. */
function lastOf<T>(parts: Generator<undefined, T>): T {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function goingOn(block: Block): Block {
  return block.kind === "paragraph" ? { ...block, goesOn: true } : block;
}

function sameLinks(one: Links, other: Links): boolean {
  const labels = Object.keys(one);
  return (
    labels.length === Object.keys(other).length &&
    labels.every((label) => one[label]?.href === other[label]?.href && one[label]?.title === other[label]?.title)
  );
}
