/** Entry point of the TeX reader, a bundle of its own that loads with the first formula. */
import { adoptStyleSheet } from "../adoptStyleSheet.ts";
import look from "./look.css";
import { type MathNode, element, leaf, row } from "./mathTree.ts";
import { readTex } from "./readTex.ts";

adoptStyleSheet(look);

let canDrawRoots: boolean | undefined;

/** Reads `tex` for the fonts of this machine; null if it cannot be read. `displayed`: on a line of its own. */
export function readFormula(tex: string, displayed: boolean): readonly MathNode[] | null {
  const nodes = readTex(tex, displayed);
  canDrawRoots ??= hasMathFont();
  return nodes === null || canDrawRoots ? nodes : withoutRootSigns(nodes);
}

/** Whether there is a math font: else browsers draw no root signs, which changes the formula, and no stretchy signs. */
function hasMathFont(): boolean {
  const math = mathElement("math");
  const sign = math.appendChild(mathElement("mrow")).appendChild(mathElement("mo"));
  sign.textContent = "(";
  sign.setAttribute("stretchy", "true");
  const beside = sign.parentElement?.appendChild(mathElement("mspace"));
  beside?.setAttribute("height", "3em");
  beside?.setAttribute("depth", "3em");
  const place = document.body.appendChild(document.createElement("div"));
  place.className = "markdown";
  place.append(math);
  const { height } = sign.getBoundingClientRect();
  const isGrown = height > 4 * Number.parseFloat(getComputedStyle(sign).fontSize);
  place.remove();
  return isGrown;
}

function mathElement(name: string): Element {
  return document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
}

/** The same formula with each root made of a sign and a line, for browsers without a math font. */
function withoutRootSigns(nodes: readonly MathNode[]): readonly MathNode[] {
  return nodes.map((node) => {
    if (typeof node.content === "string") return node;
    const content = withoutRootSigns(node.content);
    if (node.tag === "msqrt") return row([leaf("mo", "√", { rspace: "0" }), radicand(content)]);
    const [base, degree] = content;
    if (node.tag !== "mroot" || base === undefined || degree === undefined) return { ...node, content };
    return row([element("msup", [row([]), degree]), leaf("mo", "√", { lspace: "0", rspace: "0" }), radicand([base])]);
  });
}

function radicand(content: readonly MathNode[]): MathNode {
  return element("mrow", content, { class: "math-radicand" });
}
