import type { Row } from "../../src/protocol/toView.ts";

/** Characters per piece of an answer. */
export const PIECE_CHARACTERS = 60;
export const PIECES_PER_SECOND = 200;

/** A chat to be measured. Each method resolves when the page has drawn. */
export interface Chat {
  /** Shows the rows. Returns the duration in milliseconds. */
  open(rows: readonly Row[]): Promise<number>;
  /** Transfers messages into the page, so that the transfer is not measured. */
  hold(rows: readonly Row[]): Promise<void>;
  /** Appends the held messages, each when the previous one is drawn. */
  append(): Promise<void>;
  /** Fails if the last of them is not shown. Not part of `append`, since it costs as much as drawing a message. */
  checkAppended(): Promise<void>;
  /** Shows the rows and an answer that has just begun, and waits until the page is idle. */
  begin(rows: readonly Row[]): Promise<void>;
  /** Streams `text` into that answer at {@link PIECES_PER_SECOND}. */
  stream(text: string): Promise<void>;
}

declare global {
  interface Window {
    /** Messages to append, transferred before the measurement. */
    held: readonly unknown[];
  }
}
