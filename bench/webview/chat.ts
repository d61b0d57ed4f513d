/** What is done to a chat while it is measured. */

import type { Row } from "../../src/protocol/toView.ts";

/** How an answer arrives. */
export const PIECE_CHARACTERS = 60;
/** The pace of a fast model. */
export const PIECES_PER_SECOND = 200;

/** A chat that can be measured. Each of these is done when the page has drawn it. */
export interface Chat {
  /** Shows the rows; answers the milliseconds. */
  open(rows: readonly Row[]): Promise<number>;
  /** Adds a message at the end. */
  append(row: Row): Promise<void>;
  /** Begins an answer behind thirty messages and adds `text` to it piece by piece, at the rate. */
  stream(rows: readonly Row[], text: string): Promise<void>;
}
