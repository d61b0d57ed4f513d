/** A formula as the page draws it: elements of the fixed list, with text in the leaves. */

/** The only elements that a formula can consist of. */
export type MathTag =
  | "mrow"
  | "mi"
  | "mn"
  | "mo"
  | "mtext"
  | "mspace"
  | "mfrac"
  | "msqrt"
  | "mroot"
  | "msub"
  | "msup"
  | "msubsup"
  | "munder"
  | "mover"
  | "munderover"
  | "mtable"
  | "mtr"
  | "mtd"
  | "mphantom"
  | "mstyle";

/** The only attributes, with values that the reader of formulas makes itself. */
export type MathAttributes = Readonly<
  Partial<
    Record<
      | "accent"
      | "class"
      | "displaystyle"
      | "fence"
      | "form"
      | "linethickness"
      | "lspace"
      | "mathvariant"
      | "maxsize"
      | "minsize"
      | "movablelimits"
      | "rspace"
      | "scriptlevel"
      | "stretchy"
      | "width",
      string
    >
  >
>;

/** An element with what is in it: other elements, or text. */
export interface MathNode {
  readonly tag: MathTag;
  readonly attributes: MathAttributes;
  readonly content: readonly MathNode[] | string;
}

/** What the file of its own gives: a formula as elements; null where it is too much, or not well formed. */
export type ReadFormula = (tex: string) => readonly MathNode[] | null;

/** Makes a leaf. */
export function leaf(tag: MathTag, text: string, attributes: MathAttributes = {}): MathNode {
  return { tag, attributes, content: text };
}

/** Makes an element of others. */
export function element(tag: MathTag, content: readonly MathNode[], attributes: MathAttributes = {}): MathNode {
  return { tag, attributes, content };
}

/** One element for all of them. */
export function row(nodes: readonly MathNode[]): MathNode {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : element("mrow", nodes);
}
