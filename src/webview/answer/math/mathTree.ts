/** Formula as the page draws it: elements of a fixed list, with text in the leaves. */

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

export type MathTag = (typeof mathTags)[number];

/** Their values are checked by `mathAttributes`. */
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

export type MathAttributes = Readonly<Partial<Record<MathAttribute, string>>>;

export interface MathNode {
  readonly tag: MathTag;
  readonly attributes: MathAttributes;
  readonly content: readonly MathNode[] | string;
}

/** Export of the TeX reader's bundle; null if the formula is too large or malformed. */
export type ReadFormula = (tex: string, isDisplayed: boolean) => readonly MathNode[] | null;

export function isMathTag(name: unknown): name is MathTag {
  return mathTags.some((tag) => tag === name);
}

export function leaf(tag: MathTag, text: string, attributes: MathAttributes = {}): MathNode {
  return { tag, attributes, content: text };
}

export function element(tag: MathTag, content: readonly MathNode[], attributes: MathAttributes = {}): MathNode {
  return { tag, attributes, content };
}

/** Wraps several nodes in an `mrow`; a single node stays as it is. */
export function row(nodes: readonly MathNode[]): MathNode {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : element("mrow", nodes);
}
