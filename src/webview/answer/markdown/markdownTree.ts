/**
 * The fixed list of things that an answer can consist of. Nothing else is ever drawn: raw HTML is text, an image is
 * its words and its address, an address that is no http(s) link is text.
 */

/** A block of an answer. */
export type Block =
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  /** `level` is the one for assistive technology: it never skips one, and starts below the turn's own heading. */
  | { readonly kind: "heading"; readonly depth: number; readonly level: number; readonly inlines: readonly Inline[] }
  /** `closed` is false while the closing fence has not come. `path` is the file that the block names, if it does. */
  | {
      readonly kind: "code";
      readonly language: string;
      readonly path?: string;
      readonly text: string;
      readonly closed: boolean;
    }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | List
  | Table
  | { readonly kind: "rule" }
  | Formula
  /** Shown as it is, white space kept, as code: raw HTML. */
  | { readonly kind: "verbatim"; readonly text: string }
  /** Too large to be formatted: shown as it was written. */
  | { readonly kind: "plain"; readonly text: string };

/** A formula in TeX. `source` is how it is written, its signs at both ends too; `display`: on a line of its own. */
export interface Formula {
  readonly kind: "formula";
  readonly tex: string;
  readonly source: string;
  readonly display: boolean;
}

/** Items, numbered or with bullets. */
export interface List {
  readonly kind: "list";
  /** The number of the first item; null for bullets. */
  readonly start: number | null;
  readonly items: readonly ListItem[];
}

/** An item of a list. */
export interface ListItem {
  /** Null when the item is no task. */
  readonly task: "done" | "open" | null;
  readonly blocks: readonly Block[];
  /** Items of a tight list hold bare lines, not paragraphs with space between. */
  readonly tight: boolean;
}

/** A table; each row has as many cells as the header. */
export interface Table {
  readonly kind: "table";
  readonly align: readonly Alignment[];
  readonly header: readonly (readonly Inline[])[];
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}

/** Where a column's text stands; null where the answer does not say. */
export type Alignment = "left" | "center" | "right" | null;

/** A part of a line. */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis" | "strike"; readonly inlines: readonly Inline[] }
  | { readonly kind: "break" }
  | Formula
  /** `href` is null when the address must not be opened; `address` is what the answer says. */
  | {
      readonly kind: "link";
      readonly href: string | null;
      readonly address: string;
      readonly inlines: readonly Inline[];
    }
  /** To a message of this conversation. */
  | { readonly kind: "message"; readonly messageId: number; readonly inlines: readonly Inline[] }
  | { readonly kind: "image"; readonly href: string | null; readonly address: string; readonly alt: string };
