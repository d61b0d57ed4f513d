/** What the highlighter, which is loaded when it is first needed, and the view say to each other. */

/** The kinds of tokens that get a colour of the theme. */
export type CodeTokenKind =
  "keyword" | "string" | "number" | "literal" | "comment" | "function" | "type" | "variable" | "inserted" | "deleted";

/** A stretch of code; `kind` is null for what has the plain colour. */
export interface CodeToken {
  readonly kind: CodeTokenKind | null;
  readonly text: string;
}

/** Returns the tokens of `code`, whose texts joined are `code` again, or null when `language` is not known. */
export type HighlightCode = (language: string, code: string) => readonly CodeToken[] | null;
