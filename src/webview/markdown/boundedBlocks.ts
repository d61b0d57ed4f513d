/** Keeps what is drawn as one small enough that nobody waits for it. Pure. */
import type { Token, Tokens } from "marked";
import { drawnSize, drawnSizeOf, mostDrawn } from "./drawnSize.ts";
import type { Block, List, ListItem } from "./markdownTree.ts";

/** A list goes on in another part where one is so large: of a list that grows only the last is drawn again. */
const largePart = 600;
/** More than this is data: thousands of items, which are shown as they are written. */
const mostInList = 10_000;

/** What is drawn for `block`, which was made of `token`: itself, the parts of a long list, or its source where it is too much. */
export function boundedBlocks(block: Block, token: Token): readonly Block[] {
  const { kind } = block;
  const size = drawnSize(block);
  // A list is made of no other token; its type also allows those of extensions.
  if (kind === "list" && size <= mostInList) return partsOf(block, token as Tokens.List);
  const hasLimit = kind === "code" || kind === "formula"; // of its own
  return [hasLimit || size <= mostDrawn ? block : asWritten(token)];
}

function asWritten({ raw }: { readonly raw: string }): Block {
  return { kind: "plain", text: raw.trimEnd() };
}

/** Where a part ends is told by what stands before, so it stays where it is. */
function partsOf(list: List, { items: tokens }: Tokens.List): readonly List[] {
  const parts: List[] = [];
  let items: ListItem[] = [];
  let size = 0;
  for (const [index, item] of list.items.entries()) {
    if (size > largePart) {
      parts.push({ ...partOf(list, items, index), goesOn: true });
      [items, size] = [[], 0];
    }
    const token = tokens[index];
    const itemSize = drawnSizeOf(item.blocks);
    items.push(itemSize > mostDrawn && token !== undefined ? { ...item, blocks: [asWritten(token)] } : item);
    size += 1 + itemSize;
  }
  return [...parts, partOf(list, items, list.items.length)];
}

/** The part of `list` that is `items`, the last of which stands before the one at `end`. */
function partOf(list: List, items: readonly ListItem[], end: number): List {
  return { ...list, items, start: list.start === null ? null : list.start + end - items.length };
}
