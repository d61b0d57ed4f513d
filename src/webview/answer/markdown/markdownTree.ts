/**
 * All that an answer can consist of. Nothing else is ever drawn: raw HTML is text, an image is its alternative text and
 * its address, an address that is no http(s) link is text.
 */

import type { ConversationPlace } from "../../../protocol/conversationLink.ts";

export type Block =
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  /** `level` is for assistive technology: it never skips one, and starts below the turn's own heading. */
  | { readonly kind: "heading"; readonly depth: number; readonly level: number; readonly inlines: readonly Inline[] }
  /** `closed` is false until the closing fence is received. `path` is the file that the block names. */
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
  /** Raw HTML, shown like code, white space preserved. */
  | { readonly kind: "verbatim"; readonly text: string }
  /** Too large to format: shown as written. */
  | { readonly kind: "plain"; readonly text: string };

/** TeX. `source` is the written form with its delimiters; `display`: on a line of its own. */
export interface Formula {
  readonly kind: "formula";
  readonly tex: string;
  readonly source: string;
  readonly display: boolean;
}

export interface List {
  readonly kind: "list";
  /** Number of the first item; null for bullets. */
  readonly start: number | null;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** Null if the item is no task. */
  readonly task: "done" | "open" | null;
  readonly blocks: readonly Block[];
  /** Items of a tight list contain bare lines instead of spaced paragraphs. */
  readonly tight: boolean;
}

/** Each row has as many cells as the header. */
export interface Table {
  readonly kind: "table";
  readonly align: readonly Alignment[];
  readonly header: readonly (readonly Inline[])[];
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}

/** Null if the answer does not specify it. */
export type Alignment = "left" | "center" | "right" | null;

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis" | "strike"; readonly inlines: readonly Inline[] }
  | { readonly kind: "break" }
  | Formula
  /** `href` is null if the address must not be opened; `address` is as written. */
  | {
      readonly kind: "link";
      readonly href: string | null;
      readonly address: string;
      readonly inlines: readonly Inline[];
    }
  /** Link to a message of this conversation. */
  | { readonly kind: "message"; readonly messageId: number; readonly inlines: readonly Inline[] }
  /** Link to another conversation, or to a message of it. */
  | { readonly kind: "conversation"; readonly place: ConversationPlace; readonly inlines: readonly Inline[] }
  | { readonly kind: "image"; readonly href: string | null; readonly address: string; readonly alt: string };
