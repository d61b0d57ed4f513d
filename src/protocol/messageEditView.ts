/** A message that was sent and that the reader says anew, as far as they have typed. */

/** What a message is to say instead. */
export interface MessageEditView {
  readonly messageId: number;
  /** Null: it stays as it is. */
  readonly text: string | null;
  /** Grows with each change, and from one edit of a message to the next: of two wordings the one with more is the later. */
  readonly revision: number;
}
