/** The bytes of one segment's file. It ends with the CRC-32 of all before it. */

import { closeSync, fstatSync, fsync, open, openSync, readSync, writeFile } from "node:fs";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import type { WaitingTask } from "../../../core/cooperativeTask.ts";
import type { SegmentBytes } from "../../../core/search/segments/segment.ts";
import { settled } from "../settled.ts";

const CHECKSUM_BYTES = 4;
/** Read at once, and kept: a search reads places close to each other. */
const WINDOW = 16_384;
const MOST_WINDOWS = 8;
const CHECKED_AT_ONCE = 1 << 16;
const WRITTEN_AT_ONCE = 1 << 20;

const files = { open: promisify(open), write: promisify(writeFile), sync: promisify(fsync) };

/**
 * A disk that others use, too, may take 30 ms for a call, so no call holds the thread. Each part is synced by itself, as a
 * disk takes the longer the more it is given.
 */
export function* writeSegmentFile(path: string, bytes: Uint8Array): WaitingTask<void> {
  const opened: { file?: number } = {};
  try {
    const file = yield* settled(files.open(path, "wx", 0o600).then((number) => (opened.file = number)));
    let sum = 0;
    for (let at = 0; at < bytes.length; at += WRITTEN_AT_ONCE) {
      const part = bytes.subarray(at, at + WRITTEN_AT_ONCE);
      sum = crc32(part, sum);
      yield* settled(files.write(file, part));
      yield* settled(files.sync(file));
    }
    const checksum = new Uint8Array(CHECKSUM_BYTES);
    new DataView(checksum.buffer).setUint32(0, sum, true);
    yield* settled(files.write(file, checksum));
    yield* settled(files.sync(file));
  } finally {
    if (opened.file !== undefined) closeSync(opened.file);
  }
}

/** Its members throw Node's system errors. */
export class SegmentFile implements SegmentBytes {
  readonly length: number;
  readonly #path: string;
  #file: number | undefined;
  /** Aligned parts of the file by their number, the one read last at the end. */
  readonly #windows = new Map<number, Uint8Array>();
  #newest: { readonly number: number; readonly window: Uint8Array } | undefined;
  /** For what is not within one window. */
  #memory = new Uint8Array();

  constructor(path: string) {
    this.#path = path;
    this.length = fstatSync(this.open()).size - CHECKSUM_BYTES;
  }

  /** False for a file that is not as it was written. */
  get isWhole(): boolean {
    if (this.length < 0) return false;
    let sum = 0;
    const bytes = new Uint8Array(CHECKED_AT_ONCE);
    for (let at = 0; at < this.length; at += CHECKED_AT_ONCE) {
      const part = bytes.subarray(0, Math.min(CHECKED_AT_ONCE, this.length - at));
      sum = crc32(part.subarray(0, this.#readInto(part, at)), sum);
    }
    const stored = this.#readAt(this.length, CHECKSUM_BYTES);
    return stored.length === CHECKSUM_BYTES && new DataView(stored.buffer).getUint32(0, true) === sum;
  }

  read(at: number, length: number): Uint8Array {
    const number = Math.floor(at / WINDOW);
    const start = at - number * WINDOW;
    if (start + length > WINDOW) return this.#readAt(at, length);
    return this.#window(number).subarray(start, start + length);
  }

  /** Returns its descriptor. Until `release`, the file can be read even if it is deleted. */
  open(): number {
    return (this.#file ??= openSync(this.#path, "r"));
  }

  /** Closes the file until it is read again. */
  release(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#windows.clear();
    this.#newest = undefined;
    this.#memory = new Uint8Array();
  }

  /** One read anew takes the memory of the one that was used longest ago. */
  #window(number: number): Uint8Array {
    if (number === this.#newest?.number) return this.#newest.window;
    let window = this.#windows.get(number);
    if (window === undefined) {
      const [oldest] = this.#windows.size < MOST_WINDOWS ? [] : this.#windows;
      if (oldest !== undefined) this.#windows.delete(oldest[0]);
      const memory = new Uint8Array(oldest?.[1].buffer ?? new ArrayBuffer(WINDOW));
      window = memory.subarray(0, this.#readInto(memory, number * WINDOW));
    }
    this.#windows.delete(number);
    this.#windows.set(number, window);
    this.#newest = { number, window };
    return window;
  }

  /** Into the same memory as before, where it is enough. */
  #readAt(at: number, length: number): Uint8Array {
    if (this.#memory.length < length) this.#memory = new Uint8Array(length);
    const bytes = this.#memory.subarray(0, length);
    return bytes.subarray(0, this.#readInto(bytes, at));
  }

  /** Returns how many bytes there were. */
  #readInto(bytes: Uint8Array, at: number): number {
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(this.open(), bytes, done, bytes.length - done, at + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }
}
