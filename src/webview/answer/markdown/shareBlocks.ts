import type { Block, ListItem } from "./markdownTree.ts";

/** Replaces each block and list item of `next` that equals its counterpart by the previous object, to avoid redraws. */
export function reuseBlocks(previous: readonly Block[], next: readonly Block[]): Block[] {
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
