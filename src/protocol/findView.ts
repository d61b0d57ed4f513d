/** View data and protocol of the search in a conversation. */

export interface FindHit {
  readonly messageId: number;
  /** Plain text around the match. */
  readonly excerpt: string;
  /** It has the words in other forms, or only some of them. */
  readonly isSimilar?: true;
}

/** Where a hit is shown, once its rows are loaded. */
export interface FindPlace {
  /** Null: the message is hidden, and no row shows it. */
  readonly rowId: string | null;
  /** The part with the match; `thinking` and `call` are collapsed by default. */
  readonly part: "text" | "thinking" | "call";
  /** Empty unless `part` is `call`. */
  readonly callId: string;
  /** The matched words, verbatim. */
  readonly marks: readonly string[];
}

/** Host -> webview. `findId` is chosen by the webview, which ignores responses to an older search. */
export type FindToView =
  /** Opens the search with `query`, at `messageId` if that is a hit; an empty query: for typing. */
  | { readonly kind: "openFind"; readonly query: string; readonly messageId: number | null }
  /** Oldest hit first, then similar ones, best first; `isMore`: the list is truncated. */
  | { readonly kind: "found"; readonly findId: string; readonly hits: readonly FindHit[]; readonly isMore: boolean }
  /** Response to `findGo`. */
  | { readonly kind: "foundAt"; readonly findId: string; readonly messageId: number; readonly place: FindPlace };
