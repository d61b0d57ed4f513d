import type { Alphabet } from "./alphabets.ts";
import type { MathNode } from "./mathTree.ts";
import type { TexCursor } from "./texCursor.ts";

/** One cell behind the other, one row below the other. */
export type Cells = readonly (readonly (readonly MathNode[])[])[];

/** What the commands of a formula are given to read on with. */
export interface TexReader {
  readonly cursor: TexCursor;
  /** The group in braces that follows, or the one sign. */
  argument(): MathNode;
  /** The same, its letters those of `alphabet`. */
  argumentIn(alphabet: Alphabet): MathNode;
  /** All up to the sign or command that `isEnd` knows, which is not taken. */
  until(isEnd: (kind: string, text: string) => boolean): readonly MathNode[];
  /** Cells up to the same, parted by "&" and "\\". */
  cells(isEnd: (kind: string, text: string) => boolean): Cells;
  /** The formula in a text of its own, such as the one in brackets. */
  inner(tex: string): MathNode;
  /** It is not well formed. */
  fail(): void;
}

/** What has been read: an element, and where scripts of it go. */
export interface Atom {
  readonly node: MathNode;
  /** Below and above, where there is room or always; else behind it. */
  readonly limits?: true;
}
