/** Entry point of the TeX reader, a bundle of its own that loads with the first formula. */
import { adoptStyleSheet } from "../adoptStyleSheet.ts";
import look from "./look.css";
import { hasMathFont } from "./mathFont.ts";
import type { MathNode } from "./mathTree.ts";
import { readTex } from "./readTex.ts";
import { withoutRootSigns } from "./rootSigns.ts";

adoptStyleSheet(look);

let canDrawRoots: boolean | undefined;

/** Reads `tex` for the fonts of this machine; null if it cannot be read. `displayed`: on a line of its own. */
export function readFormula(tex: string, displayed: boolean): readonly MathNode[] | null {
  const nodes = readTex(tex, displayed);
  canDrawRoots ??= hasMathFont();
  return nodes === null || canDrawRoots ? nodes : withoutRootSigns(nodes);
}
