/** TeX as elements of the fixed list: Temml reads it, and of what it makes only that list passes. Bounded, whatever the text. */
import temml from "temml";
import { hiddenSequence } from "../../../protocol/hiddenSequence.ts";
import { attributesOf, enclosureOf } from "./mathAttributes.ts";
import { element, isMathTag, leaf, type MathNode } from "./mathTree.ts";

/** A longer formula is shown as it is written. */
const maxLength = 5_000;
/** Elements of one formula. */
const maxNodes = 4_000;
/** Elements in elements. */
const maxDepth = 100;

const options = {
  throwOnError: true,
  trust: false,
  wrap: "none",
  maxExpand: 500, // a formula may define what goes on for ever
  maxSize: [10, 10],
} as const satisfies Parameters<typeof temml.__renderToMathMLTree>[1];

/** Signs of a terminal and the like. A formula that holds some, or hides something, is shown as text, which says so. */
const control = /[^\P{Cc}\n\r\t]/u;
/** What tells a screen reader that a function is applied and the like is not seen, and hides nothing. */
const betweenTerms = /^[\u2061-\u2064]$/;

/** Reads `tex`, of a line of its own if it is displayed; null where it is too much, or not well formed. */
export function readTex(tex: string, displayMode: boolean): readonly MathNode[] | null {
  if (tex.length > maxLength || hiddenSequence.test(tex) || control.test(tex)) return null;
  try {
    return new Passage().of(temml.__renderToMathMLTree(tex, { ...options, displayMode }), 0);
  } catch {
    return null; // the library throws for what is not well formed, and for too much
  }
}

/** What the library makes: elements with a type, texts, and fragments without either. */
interface MadeNode {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly children?: readonly unknown[];
}

/** Takes one formula over. */
class Passage {
  #nodes = 0;

  /** What stands for `made` and all in it. Throws where it is too much or hides something. */
  of(made: unknown, depth: number): readonly MathNode[] {
    if (++this.#nodes > maxNodes || depth > maxDepth) throw new RangeError("too much for one formula");
    if (!isMade(made)) return [];
    const { type, children = [] } = made;
    if (children.length > 0 && children.every((child) => isMade(child) && typeof child.text === "string")) {
      return isMathTag(type) ? [leaf(type, textOf(children), attributesOf(made))] : [leaf("mtext", textOf(children))];
    }
    const content = children.flatMap((child) => this.of(child, depth + 1));
    if (type === "menclose") return [element("mrow", content, enclosureOf(made))];
    return isMathTag(type) ? [element(type, content, attributesOf(made))] : content;
  }
}

function isMade(value: unknown): value is MadeNode {
  if (typeof value !== "object" || value === null) return false;
  return !("children" in value) || Array.isArray(value.children);
}

function textOf(children: readonly unknown[]): string {
  const text = children.map((child) => (isMade(child) && typeof child.text === "string" ? child.text : "")).join("");
  if (!betweenTerms.test(text) && (hiddenSequence.test(text) || control.test(text)))
    throw new RangeError("it hides something");
  return text;
}
