/** Approximate size of a block in elements and text nodes; each costs the browser some 20 microseconds. Pure. */
import { maxHighlightedLength } from "../code/codeTokens.ts";
import { hiddenParts } from "../hiddenParts.ts";
import { pieceLength } from "../textPieces.ts";
import type { Block, Inline } from "./markdownTree.ts";

/** Toolbar of a code block with its buttons and icons. */
const codeBar = 34;
/** Elements around the rows of a table. */
const tableFrame = 4;
/** An empty item is laid out as a line, too. */
const emptyLine = 1;
/** Characters of code per token. In a formula, each may be an element. */
const charactersPerToken = 10;

/** Cache: blocks keep their identity while an answer grows. */
const sizeCache = new WeakMap<Block, number>();

export function drawnSize(block: Block): number {
  let size = sizeCache.get(block);
  if (size === undefined) sizeCache.set(block, (size = sizeOf(block)));
  return size;
}

export function drawnSizeOf(blocks: readonly Block[]): number {
  return sum(blocks, drawnSize);
}

/** Characters of code in a block. */
export function codeLength(block: Block): number {
  switch (block.kind) {
    case "code":
      return block.text.length;
    case "quote":
      return sum(block.blocks, codeLength);
    case "list":
      return sum(block.items, ({ blocks }) => sum(blocks, codeLength));
    default:
      return 0;
  }
}

function sizeOf(block: Block): number {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return inlinesSize(block.inlines);
    case "code":
      return codeBar + codeElements(block.text.length);
    case "quote":
      return 1 + drawnSizeOf(block.blocks);
    case "list":
      return sum(block.items, ({ blocks }) => 1 + Math.max(emptyLine, drawnSizeOf(blocks)));
    case "table":
      return tableFrame + sum([block.header, ...block.rows], (row) => 1 + sum(row, inlinesSize));
    case "rule":
      return 1;
    case "formula":
      return block.source.length;
    default:
      return textSize(block.text);
  }
}

/** Code that is not highlighted is drawn in pieces. */
function codeElements(length: number): number {
  return length > maxHighlightedLength ? (2 * length) / pieceLength : length / charactersPerToken;
}

/** Includes the element around them. */
function inlinesSize(inlines: readonly Inline[]): number {
  return 1 + sum(inlines, inlineSize);
}

function inlineSize(inline: Inline): number {
  switch (inline.kind) {
    case "text":
      return textSize(inline.text);
    case "code":
      return 1 + textSize(inline.text);
    case "formula":
      return inline.source.length;
    case "break":
    case "image":
      return 3;
    default:
      return inlinesSize(inline.inlines);
  }
}

function sum<T>(list: readonly T[], size: (each: T) => number): number {
  return list.reduce((whole, each) => whole + size(each), 0);
}

/** Looks like the extension of a file name, which becomes a link. */
const ending = /\.[a-z]/gi;
/** Where letters of another script begin, the text is shaped again, which costs as much as an element. */
const otherScript = /[\u0530-\u1fff]+(?: +[\u0530-\u1fff]+)*|[\u2e80-\ud7ff\ue000-\uffff]+|[\ud800-\udfff]+/g;

const rightToLeft = /[\u0590-\u08ff]/;
/** In right-to-left text, signs and digits are laid out by themselves, and so is the text on both sides. */
const signs = /[^\p{L}\p{M}\s]/gu;

function textSize(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const turns = rightToLeft.test(text) ? count(signs) : 0;
  return 2 * hiddenParts(text).length - 1 + 3 * count(ending) + count(otherScript) + turns;
}
