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
  /** Brings messages into the page, so that their way there is no part of what is measured. */
  hold(rows: readonly Row[]): Promise<void>;
  /** Adds those messages at the end, each when the one before it has been drawn. */
  append(): Promise<void>;
  /** Fails where the last of them is not shown. Not part of `append`: to look for it costs as much as to draw a message. */
  checkAppended(): Promise<void>;
  /** Shows the rows with an answer behind them that has just begun, and waits until the page has nothing to do. */
  begin(rows: readonly Row[]): Promise<void>;
  /** Adds `text` to that answer piece by piece, at the rate. */
  stream(text: string): Promise<void>;
}

declare global {
  interface Window {
    /** What is to be appended: it came into the page before that is measured. */
    held: readonly unknown[];
  }
}
