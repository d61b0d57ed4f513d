/**
 * Room in a write-ahead log before it is needed. A sync of bytes that lie inside a file costs half of one that makes the
 * file longer, since the file system then has nothing of its own to record; so the log grows by zeros, many commits at once.
 * SQLite ignores them: what follows the last frame with the log's own salt and checksum is not part of it.
 */

import type { FileCalls } from "./fileCalls.ts";

/** Room for about sixty commits of one page: written in half a millisecond, and small beside any conversation. */
const RESERVE_BYTES = 1 << 18;

/** The length of one open log, kept ahead of its content. */
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

  /** To be called before bytes up to `endBytes` are written. Where there is no room to reserve, nothing is. */
  makeRoom(endBytes: number): void {
    if (endBytes <= this.#sizeBytes || !this.#isPossible) return;
    const size = this.#sizeBytes;
    try {
      this.#sizeBytes = this.#fill(size, endBytes + RESERVE_BYTES);
    } catch {
      // The write itself says what is wrong, if it is in its way; what little is left of the disk is left to it.
      this.#isPossible = false;
      this.#giveBack(size);
    }
  }

  /** The log was cut to `sizeBytes`, or made longer. */
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
      // Zeros that could not be taken back do no harm.
    }
  }
}
