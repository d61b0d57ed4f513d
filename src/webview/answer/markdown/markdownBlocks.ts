/**
 * Blocks of a growing answer. Blocks that no further text can change are closed: parsed once, and the same objects from
 * then on. Only the open end is parsed again.
 * Invariant: after any sequence of updates, the blocks equal those of the whole text parsed at once (except for text
 * beyond the limits of `lexMarkdown`, which is shown as written).
 */
import type { Links, Token } from "marked";
import { blocksOf, type HeadingLevels, turnHeadingLevel } from "./blocksOf.ts";
import { codeLength, drawnSizeOf } from "./drawnSize.ts";
import { lexMarkdown } from "./lexMarkdown.ts";
import type { Block, ListItem } from "./markdownTree.ts";

/** Long text is parsed in parts of this length, as if it had grown, so that no block is parsed with all the others. */
const partLength = 2_000;
/** Each part is checked against all link definitions: parts grow with their number, up to this length. */
const maxPartLength = 8_000;
/** Beyond this many characters that are no code, or elements and text nodes, the rest of an answer is shown as written. */
const maxCharacters = 300_000;
const maxElements = 20_000;

export class MarkdownBlocks {
  /** Text of the closed blocks. */
  #closedSource = "";
  #closed: readonly Block[] = [];
  #closedSize = 0;
  /** Characters of closed blocks that are no code. */
  #closedProse = 0;
  #open: readonly Block[] = [];
  #levels: HeadingLevels = { last: turnHeadingLevel };
  /** Link definitions in the closed blocks. */
  #closedLinks: Links = {};
  /** Definitions of the whole text so far; they apply to all of it, also to text before them. */
  #links: Links = {};
  /** Blocks were closed before a definition that may change their meaning. */
  #isOutdated = false;
  #source = "";
  /** The open end is too large to parse or draw, and stays so while it grows. */
  #isOverLimit = false;
  /** The open end is a fenced document that has fences of its own. */
  #isDocumentOpen = false;
  /** Fenced documents may have fences of their own. */
  #hasDocuments = true;

  /** `text` is the whole text so far; unchanged blocks are the same objects. `growing`: more text may follow. */
  update(text: string, growing = false): readonly Block[] {
    const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    const isContinued = source.startsWith(this.#source) && this.#hasDocuments;
    if (!isContinued) this.#reset();
    this.#parseText(source, isContinued ? this.#source.length : 0, null, growing);
    if (this.#isOutdated) {
      const links = this.#links;
      this.#reset();
      this.#parseText(source, 0, links, growing);
    }
    this.#source = source;
    return [...this.#closed, ...this.#open];
  }

  /** In a whole text, a document whose own fence is missing ends where CommonMark ends it. */
  #parseText(source: string, parsed: number, links: Links | null, growing: boolean): void {
    this.#parseParts(source, parsed, links);
    if (growing || !this.#isDocumentOpen) return;
    this.#hasDocuments = false;
    this.#parseParts(source, this.#closedSource.length, links);
  }

  /** Parses from offset `parsed` on. `links` are the definitions of the whole text, if known. */
  #parseParts(source: string, parsed: number, links: Links | null): void {
    let length = this.#partLength();
    for (let end = Math.max(this.#closedSource.length, parsed) + length; end < source.length; end += length) {
      const { length: closed } = this.#closedSource;
      this.#parse(source.slice(0, end), links);
      // An unfinished block is parsed again with each part: doubling the length keeps that cheap.
      length = this.#closedSource.length > closed ? this.#partLength() : 2 * length;
    }
    this.#parse(source, links);
  }

  #partLength(): number {
    return Math.min(maxPartLength, partLength + Object.keys(this.#links).length);
  }

  #reset(): void {
    this.#closedSource = "";
    this.#closed = [];
    this.#closedSize = 0;
    this.#closedProse = 0;
    this.#open = [];
    this.#levels = { last: turnHeadingLevel };
    this.#closedLinks = {};
    this.#isOutdated = false;
    this.#isOverLimit = false;
    this.#isDocumentOpen = false;
    this.#hasDocuments = true;
  }

  /** Parses the open end, and closes what no further text can change. */
  #parse(source: string, links: Links | null): void {
    const start = this.#closedSource.length;
    const tail = source.slice(start);
    const lexed = this.#isOverLimit ? null : lexMarkdown(tail, links ?? this.#closedLinks, this.#hasDocuments);
    this.#isDocumentOpen = lexed?.isDocumentOpen === true;
    if (lexed === null) {
      this.#showAsWritten(tail);
      return;
    }
    if (start > 0 && !sameLinks(lexed.links, this.#links)) this.#isOutdated = true;
    this.#links = { ...lexed.links };
    const cut = settledTokens(lexed.tokens, tail);
    if (cut.count > 0 && Object.keys(lexed.links).length > 0)
      this.#closedLinks = { ...lexMarkdown(tail.slice(0, cut.length), this.#closedLinks, this.#hasDocuments)?.links };
    const closing = lexed.tokens
      .slice(0, cut.count)
      .map((token) => ({ token, blocks: blocksOf([token], this.#levels) }));
    const open = blocksOf(lexed.tokens.slice(cut.count), { ...this.#levels });
    const shared = reuseBlocks(this.#open, [...closing.flatMap(({ blocks }) => blocks), ...open]);
    this.#open = shared.slice(shared.length - open.length);
    let [end, closed, isOver] = [start, 0, false];
    for (const { token, blocks } of closing) {
      closed += blocks.length;
      this.#closedSize += drawnSizeOf(blocks);
      end += token.raw.length;
      this.#closedProse += token.raw.length - blocks.reduce((sum, block) => sum + codeLength(block), 0);
      isOver = this.#closedProse > maxCharacters || this.#closedSize > maxElements;
      if (isOver) break;
    }
    if (closed > 0) this.#closed = [...this.#closed, ...shared.slice(0, closed)];
    this.#closedSource = source.slice(0, isOver ? end : start + cut.length);
    if (isOver) this.#showAsWritten(source.slice(end));
  }

  /** Shows the rest of the answer, and all later text, as written. */
  #showAsWritten(rest: string): void {
    this.#isOverLimit = true;
    this.#open = rest === "" ? [] : [{ kind: "plain", text: rest }];
  }
}

/**
 * Tokens from the start that cannot change any more, and their length: up to the last blank line that is followed by a
 * complete line with text. That line alone decides whether a list, quote, code or paragraph continues after the blank
 * line; an incomplete one may decide otherwise with its next character.
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

/** Replaces each block and list item of `next` that equals its counterpart by the previous object, to avoid redraws. */
function reuseBlocks(previous: readonly Block[], next: readonly Block[]): Block[] {
  return next.map((block, index) => shareBlock(previous[index], block));
}

function shareBlock(previous: Block | undefined, next: Block): Block {
  if (previous?.kind !== next.kind) return next;
  if (equal(previous, next)) return previous;
  if (previous.kind === "list" && next.kind === "list") {
    return { ...next, items: next.items.map((item, index) => shareItem(previous.items[index], item)) };
  }
  return next;
}

function shareItem(previous: ListItem | undefined, next: ListItem): ListItem {
  if (previous === undefined) return next;
  if (equal(previous, next)) return previous;
  return { ...next, blocks: reuseBlocks(previous.blocks, next.blocks) };
}

/** Deep equality of plain data: the tree contains nothing else. */
function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => equal(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
