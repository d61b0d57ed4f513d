/** What the view knows of a search in its conversation. Plain data, made for showing. */

/** A message that was found. */
export interface FindHit {
  readonly messageId: number;
  /** Plain text around what was found. */
  readonly excerpt: string;
}

/** Where a message that was found is shown, once its rows are at hand. */
export interface FindPlace {
  /** The row; null: it is hidden, and no row shows it. */
  readonly rowId: string | null;
  /** What of it holds the words; `thinking` and `call` are folded until asked. */
  readonly part: "text" | "thinking" | "call";
  /** Which call; empty for the other parts. */
  readonly callId: string;
  /** The words that were found, as they stand in it. */
  readonly marks: readonly string[];
}

/** Host -> view. `findId` is the view's own: answers to an older search are left. */
export type FindToView =
  /** Opens the search with `query` in it, at `messageId` if that is among what is found; empty: for typing. */
  | { readonly kind: "openFind"; readonly query: string; readonly messageId: number | null }
  /** The messages that were found, oldest first; `isMore`: there are more than could be told. */
  | { readonly kind: "found"; readonly findId: string; readonly hits: readonly FindHit[]; readonly isMore: boolean }
  /** The message is where it was asked for. */
  | { readonly kind: "foundAt"; readonly findId: string; readonly messageId: number; readonly place: FindPlace };

/** View -> host. */
export type FindToHost =
  | { readonly kind: "find"; readonly findId: string; readonly query: string }
  /** Bring a message that was found to the view, whose oldest row is `before`. */
  | { readonly kind: "findGo"; readonly findId: string; readonly messageId: number; readonly before: string }
  /** Show the words of a message that no row shows. */
  | { readonly kind: "openMessage"; readonly messageId: number };
