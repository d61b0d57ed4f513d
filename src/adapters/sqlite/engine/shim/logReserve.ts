/**
 * Preallocates space in a write-ahead log. A sync within the existing file size costs half as much as one that extends
 * the file, as no file system metadata changes; so the log is extended with zeros for many commits at a time.
 * SQLite ignores the zeros: everything after the last frame with a valid salt and checksum is not part of the log.
 */

import type { FileCalls } from "./fileCalls.ts";

/** About sixty one-page commits; written in half a millisecond, and small compared with any conversation. */
const RESERVE_BYTES = 1 << 18;

/** Preallocation of one open log. */
export class LogReserve {
  readonly #calls: FileCalls;
  readonly #handle: number;
  #sizeBytes: number;
  #isPossible = true;

  constructor(calls: FileCalls, handle: number) {
    this.#calls = calls;
    this.#handle = handle;
    this.#sizeBytes = Number(calls.statHandle(handle).size);
  }

  /** Call before writing bytes up to offset `endBytes`. Does nothing when the disk has no space to reserve. */
  makeRoom(endBytes: number): void {
    if (endBytes <= this.#sizeBytes || !this.#isPossible) return;
    const size = this.#sizeBytes;
    try {
      this.#sizeBytes = this.#fill(size, endBytes + RESERVE_BYTES);
    } catch {
      // The write itself will report the error, if it also fails; the remaining disk space is left to it.
      this.#isPossible = false;
      this.#giveBack(size);
    }
  }

  /** Call after the log was truncated or extended to `sizeBytes`. */
  noteSize(sizeBytes: number): void {
    this.#sizeBytes = sizeBytes;
    this.#isPossible = true;
  }

  #fill(from: number, to: number): number {
    const zeros = new Uint8Array(to - from);
    let at = from;
    while (at < to) {
      const written = this.#calls.write(this.#handle, zeros, at - from, to - at, at);
      if (written <= 0) throw new Error("the disk took nothing of a write");
      at += written;
    }
    return at;
  }

  #giveBack(sizeBytes: number): void {
    try {
      this.#calls.truncate(this.#handle, sizeBytes);
    } catch {
      // Remaining zeros are harmless.
    }
  }
}
