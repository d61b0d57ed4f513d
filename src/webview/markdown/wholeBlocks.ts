import { drawnSize, mostDrawn } from "./drawnSize.ts";
import type { Block } from "./markdownTree.ts";

/** A block; where it is a paragraph so long that it comes in pieces, all of them, or as many as can be drawn together. */
export type WholeBlock = readonly [Block, ...Block[]];

/** Returns `blocks` in their order, with the pieces of each long paragraph together. Pure. */
export function wholeBlocks(blocks: readonly Block[]): readonly WholeBlock[] {
  const wholes: [Block, ...Block[]][] = [];
  let goesOn = false;
  let size = 0;
  for (const block of blocks) {
    const isParagraph = block.kind === "paragraph";
    const last = wholes.at(-1);
    size += drawnSize(block);
    if (goesOn && isParagraph && last !== undefined && size <= mostDrawn) {
      last.push(block);
    } else {
      wholes.push([block]);
      size = drawnSize(block);
    }
    goesOn = isParagraph && block.goesOn === true;
  }
  return wholes;
}
