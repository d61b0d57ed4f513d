/** Entry of what reads formulas, a file of its own that is loaded when the first one is shown. */
import { adoptLook } from "../adoptLook.ts";
import look from "./look.css";
import { drawsRoots } from "./mathFont.ts";
import type { MathNode } from "./mathTree.ts";
import { readTex } from "./readTex.ts";
import { withoutRootSigns } from "./rootSigns.ts";

adoptLook(look);

let canDrawRoots: boolean | undefined;

/** Reads `tex`, of a line of its own if it is `displayed`, as the fonts of this machine can show it; null where it cannot be. */
export function readFormula(tex: string, displayed: boolean): readonly MathNode[] | null {
  const nodes = readTex(tex, displayed);
  canDrawRoots ??= drawsRoots();
  return nodes === null || canDrawRoots ? nodes : withoutRootSigns(nodes);
}
