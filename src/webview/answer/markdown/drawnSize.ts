/**
 * The size of a block in elements and texts, about. Each takes the browser some 20 microseconds to make, style and lay out.
 * Pure.
 */
import { hiddenParts } from "../hiddenParts.ts";
import type { Block, Inline } from "./markdownTree.ts";

/** The bar of a block of code, its buttons and their signs. */
const codeBar = 34;
/** The frame of a table, and of each of its rows. */
const tableFrame = 4;
/** An item without content is laid out as a line all the same. */
const emptyLine = 1;
/** Characters of code to a token. In a formula each may be an element. */
const perToken = 10;

/** Blocks stay the same objects while an answer grows. */
const known = new WeakMap<Block, number>();

/** About how many elements and texts are drawn for `block`. */
export function drawnSize(block: Block): number {
  let size = known.get(block);
  if (size === undefined) known.set(block, (size = sizeOf(block)));
  return size;
}

/** The size of several blocks. */
export function drawnSizeOf(blocks: readonly Block[]): number {
  return sum(blocks, drawnSize);
}

function sizeOf(block: Block): number {
  switch (block.kind) {
    case "paragraph":
    case "heading":
      return inlinesSize(block.inlines);
    case "code":
      return codeBar + block.text.length / perToken;
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

/** With what holds them. */
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

/** An ending, as names of files have it, which become links. */
const ending = /\.[a-z]/gi;
/** Where letters of another script begin the text is shaped anew, which costs as much as an element. */
const otherScript = /[\u0530-\u1fff]+(?: +[\u0530-\u1fff]+)*|[\u2e80-\ud7ff\ue000-\uffff]+|[\ud800-\udfff]+/g;

const rightToLeft = /[\u0590-\u08ff]/;
/** Among letters from right to left they and digits are laid out by themselves, and so is what stands on both sides. */
const signs = /[^\p{L}\p{M}\s]/gu;

function textSize(text: string): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const turns = rightToLeft.test(text) ? count(signs) : 0;
  return 2 * hiddenParts(text).length - 1 + 3 * count(ending) + count(otherScript) + turns;
}
