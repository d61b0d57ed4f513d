/** Splits a formula into its words. Pure. */

/** A word of a formula. */
export type TexToken =
  /** "\frac", "\\", "\,": without the backslash. */
  | { readonly kind: "command"; readonly text: string }
  | { readonly kind: "number"; readonly text: string }
  /** A single character, braces and signs of structure too. */
  | { readonly kind: "sign"; readonly text: string }
  /** White space counts only where the formula holds text. */
  | { readonly kind: "space"; readonly text: string };

const token = /\\(?<command>[A-Za-z]+\*?|[^])|(?<number>\d+(?:\.\d+)?|\.\d+)|(?<space>\s+)|%[^\n]*\n?|(?<sign>[^])/gu;

/** Returns the words in order; a comment is none. */
export function texTokens(tex: string): readonly TexToken[] {
  const tokens: TexToken[] = [];
  for (const { groups } of tex.matchAll(token)) {
    for (const kind of ["command", "number", "space", "sign"] as const) {
      const text = groups?.[kind];
      if (text !== undefined) tokens.push({ kind, text });
    }
  }
  return tokens;
}
