import type { FileCalls } from "../engine/shim/fileCalls.ts";

/** Bytes that are read at once. */
const WINDOW_BYTES = 1 << 16;
const MOST_RETAINED_BYTES = 1 << 20;

/** Reads an open file in pieces. Throws the system's error. */
export class FileWindow {
  readonly #calls: FileCalls;
  readonly #handle: number;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(handle: number, calls: FileCalls) {
    this.#handle = handle;
    this.#calls = calls;
  }

  /** Bytes from `start` on: at least `least`, unless the file ends before. They stay as they are. */
  from(start: number, least = 1): Buffer {
    const offset = start - this.#start;
    if (offset >= 0 && offset + least <= this.#bytes.length) return this.#bytes.subarray(offset);
    const bytes = this.#read(start, Math.max(least, WINDOW_BYTES));
    if (bytes.length <= MOST_RETAINED_BYTES) [this.#bytes, this.#start] = [bytes, start];
    return bytes;
  }

  /** What is no UTF-8 becomes U+FFFD. */
  text(start: number, end: number): string {
    return this.from(start, end - start).toString("utf8", 0, end - start);
  }

  /** Call after the file was changed. */
  forget(): void {
    this.#bytes = Buffer.alloc(0);
  }

  #read(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    for (let got = -1; got !== 0 && done < length; done += got)
      got = this.#calls.read(this.#handle, bytes, done, length - done, start + done);
    return bytes.subarray(0, done);
  }
}
