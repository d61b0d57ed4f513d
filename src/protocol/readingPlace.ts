/** Where a reader is in a conversation, and where the host brings them. */

/** The first message in sight. */
export interface ReadingPlace {
  readonly messageId: number;
  /** How far below the top of the view it begins, in CSS pixels; mostly above it, so less than 0. */
  readonly topPx: number;
}

/** A row that is brought into sight. */
export interface RevealedRow {
  readonly rowId: string;
  /** The keyboard focus stays where it is; else it goes to the row. */
  readonly keepsFocus?: true;
  /** How far below the top of the view it is to begin, in CSS pixels; 0 by default. */
  readonly topPx?: number;
}
