import { element, leaf, type MathNode, row } from "./mathTree.ts";

/** The same formula with each root made of a sign and a line, for browsers without a math font. */
export function withoutRootSigns(nodes: readonly MathNode[]): readonly MathNode[] {
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
