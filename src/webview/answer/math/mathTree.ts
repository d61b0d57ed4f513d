/** A formula as the page draws it: elements of the fixed list, with text in the leaves. */

const mathTags = [
  "mrow",
  "mi",
  "mn",
  "mo",
  "mtext",
  "mspace",
  "mpadded",
  "mphantom",
  "mstyle",
  "mfrac",
  "msqrt",
  "mroot",
  "msub",
  "msup",
  "msubsup",
  "mmultiscripts",
  "mprescripts",
  "munder",
  "mover",
  "munderover",
  "mtable",
  "mtr",
  "mtd",
] as const;

/** The only elements that a formula can consist of. */
export type MathTag = (typeof mathTags)[number];

/** The only attributes. Their values are passed by `mathAttributes`. */
export type MathAttribute =
  | "accent"
  | "accentunder"
  | "class"
  | "depth"
  | "displaystyle"
  | "fence"
  | "form"
  | "height"
  | "linethickness"
  | "lspace"
  | "mathsize"
  | "mathvariant"
  | "maxsize"
  | "minsize"
  | "movablelimits"
  | "rspace"
  | "scriptlevel"
  | "separator"
  | "stretchy"
  | "symmetric"
  | "width";

/** Attributes by name. */
export type MathAttributes = Readonly<Partial<Record<MathAttribute, string>>>;

/** An element with what is in it: other elements, or text. */
export interface MathNode {
  readonly tag: MathTag;
  readonly attributes: MathAttributes;
  readonly content: readonly MathNode[] | string;
}

/** What the file of its own gives: a formula as elements; null where it is too much, or not well formed. */
export type ReadFormula = (tex: string, isDisplayed: boolean) => readonly MathNode[] | null;

/** Whether it names an element of the list. */
export function isMathTag(name: unknown): name is MathTag {
  return mathTags.some((tag) => tag === name);
}

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
