/** TeX as elements of the fixed list: Temml parses it, and only that list passes. Bounded for any input. */
import temml from "temml";
import { hiddenSequence } from "../../../protocol/hiddenSequence.ts";
import { attributesOf, enclosureOf } from "./mathAttributes.ts";
import { element, isMathTag, leaf, type MathNode } from "./mathTree.ts";

/** A longer formula is shown as written. */
const maxLength = 5_000;
const maxNodes = 4_000;
const maxDepth = 100;

const options = {
  throwOnError: true,
  trust: false,
  wrap: "none",
  maxExpand: 500, // a macro may expand forever
  maxSize: [10, 10],
} as const satisfies Parameters<typeof temml.__renderToMathMLTree>[1];

/** Control characters. A formula with some, or with hidden characters, is shown as text, where they are visible. */
const control = /[^\P{Cc}\n\r\t]/u;
/** Invisible operators, such as function application, are for screen readers and hide nothing. */
const betweenTerms = /^[\u2061-\u2064]$/;

/** Null if it is too large or malformed. `displayMode`: on a line of its own. */
export function readTex(tex: string, displayMode: boolean): readonly MathNode[] | null {
  if (tex.length > maxLength || hiddenSequence.test(tex) || control.test(tex)) return null;
  try {
    return new NodeConverter().convert(temml.__renderToMathMLTree(tex, { ...options, displayMode }), 0);
  } catch {
    return null; // thrown for malformed and for too large formulas
  }
}

/** Output of Temml: elements with a type, texts, and fragments with neither. */
interface TemmlNode {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly children?: readonly unknown[];
}

/** Converts one formula. */
class NodeConverter {
  #nodes = 0;

  /** Counterpart of `made` and its children. Throws if it is too large or hides something. */
  convert(made: unknown, depth: number): readonly MathNode[] {
    if (++this.#nodes > maxNodes || depth > maxDepth) throw new RangeError("too much for one formula");
    if (!isTemmlNode(made)) return [];
    const { type, children = [] } = made;
    if (children.length > 0 && children.every((child) => isTemmlNode(child) && typeof child.text === "string")) {
      return isMathTag(type) ? [leaf(type, textOf(children), attributesOf(made))] : [leaf("mtext", textOf(children))];
    }
    const content = children.flatMap((child) => this.convert(child, depth + 1));
    if (type === "menclose") return [element("mrow", content, enclosureOf(made))];
    return isMathTag(type) ? [element(type, content, attributesOf(made))] : content;
  }
}

function isTemmlNode(value: unknown): value is TemmlNode {
  if (typeof value !== "object" || value === null) return false;
  return !("children" in value) || Array.isArray(value.children);
}

function textOf(children: readonly unknown[]): string {
  const text = children
    .map((child) => (isTemmlNode(child) && typeof child.text === "string" ? child.text : ""))
    .join("");
  if (!betweenTerms.test(text) && (hiddenSequence.test(text) || control.test(text)))
    throw new RangeError("it hides something");
  return text;
}
