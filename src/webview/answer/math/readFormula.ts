/** Entry point of the TeX reader, a bundle of its own that loads with the first formula. */
import { adoptLook } from "../adoptLook.ts";
import look from "./look.css";
import { drawsRoots } from "./mathFont.ts";
import type { MathNode } from "./mathTree.ts";
import { readTex } from "./readTex.ts";
import { withoutRootSigns } from "./rootSigns.ts";

adoptLook(look);

let canDrawRoots: boolean | undefined;

/** Reads `tex` for the fonts of this machine; null if it cannot be read. `displayed`: on a line of its own. */
export function readFormula(tex: string, displayed: boolean): readonly MathNode[] | null {
  const nodes = readTex(tex, displayed);
  canDrawRoots ??= drawsRoots();
  return nodes === null || canDrawRoots ? nodes : withoutRootSigns(nodes);
}
