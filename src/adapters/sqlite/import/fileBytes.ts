import { constants } from "node:buffer";
import type { FileCalls } from "../engine/shim/fileCalls.ts";

/** Bytes that are read at once where less is asked for. */
const WINDOW_BYTES = 1 << 16;
const MOST_RETAINED_BYTES = 1 << 20;

/** The longest text that can be one value, with the brackets around it. */
export const LONGEST_TEXT = constants.MAX_STRING_LENGTH - 2;

export class TooLongText extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(`a text of ${bytes} bytes`);
    this.bytes = bytes;
  }
}

/** Reads an open file at any place. Throws the system's error. */
export class FileBytes {
  readonly #calls: FileCalls;
  readonly #handle: number;
  #window = Buffer.allocUnsafeSlow(2 * WINDOW_BYTES);
  #start = 0;
  #length = 0;

  constructor(handle: number, calls: FileCalls) {
    this.#handle = handle;
    this.#calls = calls;
  }

  /** Fills `bytes` from byte `start` on; returns how many there are. */
  read(bytes: Uint8Array, start: number, length = bytes.length): number {
    let done = 0;
    for (let got = -1; got !== 0 && done < length; done += got)
      got = this.#calls.read(this.#handle, bytes, done, length - done, start + done);
    return done;
  }

  /** Bytes from `start` to before `end`, or to the end of the file. Valid until the next call. */
  range(start: number, end: number): Buffer {
    const length = end - start;
    if (length > MOST_RETAINED_BYTES) {
      const bytes = Buffer.allocUnsafeSlow(length);
      return bytes.subarray(0, this.read(bytes, start));
    }
    if (length > this.#window.length) this.forget(Buffer.allocUnsafeSlow(2 * length));
    if (start < this.#start || end > this.#start + this.#length) {
      this.#length = this.read(this.#window, start, Math.max(length, WINDOW_BYTES));
      this.#start = start;
    }
    const from = start - this.#start;
    return this.#window.subarray(from, Math.min(from + length, this.#length));
  }

  /** Bytes that are no UTF-8 become U+FFFD. Throws {@link TooLongText}. */
  text(start: number, end: number): string {
    if (end - start > LONGEST_TEXT) throw new TooLongText(end - start);
    return this.range(start, end).toString("utf8");
  }

  /** Call after the file was changed. */
  forget(window = this.#window): void {
    this.#window = window;
    this.#length = 0;
  }
}
