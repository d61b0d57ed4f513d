import type { MessageId } from "../../ids.ts";

/**
 * A `message` is one of the user, whole or its beginning and end; a `directive` is a sentence of the user; a `decision` a
 * sentence of the user or the assistant; a `remark` any other sentence of the user, which may be an instruction that no
 * pattern recognized.
 */
export type FactKind =
  | "message"
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

export interface Fact {
  readonly kind: FactKind;
  readonly text: string;
  /** First message that states it. */
  readonly id: MessageId;
  /** Sequence number of the last statement of this fact; higher is more recent. */
  readonly lastStated: number;
  /** Higher is more important; directives are above all others. */
  readonly weight: number;
  /** A name that occurs again and again. */
  readonly isInUse?: true;
  /** Occurs only in repetitive data: listed where there is room, and not counted. */
  readonly isCommonplace?: true;
}
