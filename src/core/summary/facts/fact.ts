/** What a summary must not lose, as one type. */

import type { MessageId } from "../../ids.ts";

/**
 * What a fact is. A `directive` is a sentence of the user; a `decision` a sentence of the user or the assistant; a `remark`
 * any other sentence of the user, which may direct in words that nobody foresaw.
 */
export type FactKind =
  | "directive"
  | "decision"
  | "error"
  | "command"
  | "path"
  | "url"
  | "identifier"
  | "quantity"
  | "version"
  | "commit"
  | "date"
  | "quote"
  | "remark";

/** A fact, word for word. */
export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
  /** Where it stands first. */
  readonly id: MessageId;
  /** Grows from statement to statement: of two facts, the one that was stated last has the higher. */
  readonly lastStated: number;
  /** The most important facts have the highest; directives are above all others. */
  readonly weight: number;
  /** It stands only in data, in rows of many like it: named where there is room, and not counted. */
  readonly isCommonplace?: true;
}
