/**
 * Runs of pages of one file. SQLite reads and writes a page at a time, and a call to the operating system takes longer
 * than the page: while a database is copied, these calls are most of the work.
 */

import type { FileCalls } from "./fileCalls.ts";

const RUN_BYTES = 1 << 18;

/** Reads the pages after a page together with it, where pages are read in ascending order. */
export class ReadAhead {
  readonly #calls: FileCalls;
  readonly #handle: number;
  readonly #bytes = new Uint8Array(RUN_BYTES);
  #start = 0;
  #length = 0;
  /** After the last page read. */
  #next = 0;

  constructor(calls: FileCalls, handle: number) {
    this.#calls = calls;
    this.#handle = handle;
  }

  read(bytes: Uint8Array, offset: number, length: number, position: number): number {
    const isNear = position >= this.#next && position <= this.#next + RUN_BYTES;
    this.#next = position + length;
    if (!this.#holds(position, length) && isNear) {
      this.#start = position;
      this.#length = this.#calls.read(this.#handle, this.#bytes, 0, RUN_BYTES, position);
    }
    if (!this.#holds(position, length)) return this.#calls.read(this.#handle, bytes, offset, length, position);
    const at = position - this.#start;
    bytes.set(this.#bytes.subarray(at, at + length), offset);
    return length;
  }

  /** Call when the file changes. */
  forget(): void {
    this.#length = 0;
  }

  #holds(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#length;
  }
}

/** Writes adjacent pages together: only for a file that nobody reads before it is complete. */
export class WriteBehind {
  readonly #calls: FileCalls;
  readonly #handle: number;
  readonly #bytes = new Uint8Array(RUN_BYTES);
  #start = 0;
  #length = 0;

  constructor(calls: FileCalls, handle: number) {
    this.#calls = calls;
    this.#handle = handle;
  }

  write(bytes: Uint8Array, offset: number, length: number, position: number): void {
    if (position !== this.#start + this.#length || this.#length + length > RUN_BYTES) this.flush();
    if (length > RUN_BYTES) {
      this.#writeAll(bytes.subarray(offset, offset + length), position);
      return;
    }
    if (this.#length === 0) this.#start = position;
    this.#bytes.set(bytes.subarray(offset, offset + length), this.#length);
    this.#length += length;
  }

  /** Pages that cannot be written are lost: the file is of no use then. */
  flush(): void {
    const run = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    this.#writeAll(run, this.#start);
  }

  #writeAll(bytes: Uint8Array, position: number): void {
    for (let written = 0; written < bytes.length;) {
      const more = this.#calls.write(this.#handle, bytes, written, bytes.length - written, position + written);
      if (more <= 0) throw new Error("the disk took nothing of a write");
      written += more;
    }
  }
}
