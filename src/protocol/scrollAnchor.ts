/** Scroll positions in a conversation. */

/** The first message in the viewport. */
export interface ScrollAnchor {
  readonly messageId: number;
  /** Offset of its top from that of the viewport, in CSS pixels; mostly negative. */
  readonly topPx: number;
}

/** A row to scroll to. */
export interface RevealedRow {
  readonly rowId: string;
  /** The focus stays where it is; else it moves to the row. */
  readonly keepsFocus?: true;
  /** The focus moves to the question that a tool of the row asks. */
  readonly toQuestion?: true;
  /** Target offset from the top of the viewport, in CSS pixels; 0 by default. */
  readonly topPx?: number;
}
