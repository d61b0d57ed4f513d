import { h, type VNode } from "preact";
import type { Formula } from "../markdown/markdownTree.ts";
import type { MathNode } from "./mathTree.ts";
import { words } from "../../words/words.ts";
import { useServices } from "../../state/useStore.ts";
import { visibleText } from "../visibleText.tsx";

/** A formula as native MathML, or its source if it cannot be read. The tooltip has the source. */
export function FormulaView({ formula }: { readonly formula: Formula }) {
  const { formulas } = useServices();
  const elements = formulas.elements(formula);
  const { display, source } = formula;
  if (elements === null) {
    return <code class={display ? "formula-source" : undefined}>{visibleText(source)}</code>;
  }
  const math = h("math", display ? { display: "block" } : {}, h("mrow", {}, elements.map(draw)));
  if (!display) return <span title={source}>{math}</span>;
  return (
    <span class="formula" role="group" aria-label={words.formula} tabIndex={0} title={source}>
      {math}
    </span>
  );
}

/** Elements of the fixed list only; text becomes text nodes. */
function draw({ tag, attributes, content }: MathNode): VNode {
  return h(tag, attributes, typeof content === "string" ? content : content.map(draw));
}
