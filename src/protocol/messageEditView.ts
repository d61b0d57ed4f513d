/** A message that was sent and that the reader says anew, or a summary that they change, as far as they have typed. */

/** What a message is to say instead. */
export interface MessageEditView {
  readonly messageId: number;
  /** Null: it stays as it is. */
  readonly text: string | null;
  /** Grows with each change, and from one edit of a message to the next: of two wordings the one with more is the later. */
  readonly revision: number;
}

/** What a summary is to say instead. */
interface SummaryEditView extends Pick<MessageEditView, "text" | "revision"> {
  readonly summaryId: number;
}

/** Either of them. */
export type EditView = MessageEditView | SummaryEditView;
