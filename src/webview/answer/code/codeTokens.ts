/** Interface between the view and the highlighter, which loads on first use. */

/** Longer code stays plain: highlighting it would block the view for more than a few frames. */
export const maxHighlightedLength = 50_000;

/** Token kinds with a theme colour. */
export type CodeTokenKind =
  "keyword" | "string" | "number" | "literal" | "comment" | "function" | "type" | "variable" | "inserted" | "deleted";

/** `kind` is null for the default colour. */
export interface CodeToken {
  readonly kind: CodeTokenKind | null;
  readonly text: string;
}

/** The texts of the tokens concatenate to `code`; null for an unknown language. */
export type HighlightCode = (language: string, code: string) => readonly CodeToken[] | null;
