import type { Block } from "./markdownTree.ts";

/** A block; where it is a paragraph so long that it comes in pieces, all of them. */
export type WholeBlock = readonly [Block, ...Block[]];

/** Returns `blocks` in their order, with the pieces of each long paragraph together. Pure. */
export function wholeBlocks(blocks: readonly Block[]): readonly WholeBlock[] {
  const wholes: [Block, ...Block[]][] = [];
  let goesOn = false;
  for (const block of blocks) {
    const isParagraph = block.kind === "paragraph";
    const last = wholes.at(-1);
    if (goesOn && isParagraph && last !== undefined) last.push(block);
    else wholes.push([block]);
    goesOn = isParagraph && block.goesOn === true;
  }
  return wholes;
}
