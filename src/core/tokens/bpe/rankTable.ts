/**
 * Ranks of an encoding's tokens, by their bytes. The pair with the lowest rank is merged first.
 *
 * Layout of a rank file: token count n as 32 bits little endian, n lengths of one byte, the bytes of all tokens. The
 * index of a token is its rank; a length of 0 is an unused rank.
 */

import type { StorageFailed } from "../../errors.ts";
import { err, ok, type Result } from "../../result.ts";

/** Greater than every rank: the two parts do not join. */
export const NO_RANK = 0x7fffffff;
/** Longest token looked up, in bytes; no token of the two encodings is longer. */
export const LONGEST_TOKEN = 128;

const HEADER_BYTES = 4;
const TOKENS_A_STEP = 2048;
const FNV_PRIME = 0x01000193;

/** Open-addressing hash table over the file's own bytes. Made by {@link buildRankTable}. */
export class RankTable {
  private readonly lengths: Uint8Array;
  private readonly pool: Uint8Array;
  private readonly offsets: Uint32Array;
  private readonly hashes: Int32Array;
  private readonly slots: Int32Array;
  private readonly ofPair = new Int32Array(65536).fill(NO_RANK);

  constructor(lengths: Uint8Array, pool: Uint8Array) {
    this.lengths = lengths;
    this.pool = pool;
    this.offsets = new Uint32Array(lengths.length);
    this.hashes = new Int32Array(lengths.length);
    // A power of two, at most half full. A slot holds rank + 1; 0 is empty.
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, lengths.length * 2))));
  }

  /** Inserts all tokens, in steps. */
  *fill(): Generator<void, void> {
    const mask = this.slots.length - 1;
    let offset = 0;
    for (let rank = 0; rank < this.lengths.length; rank++) {
      if (rank % TOKENS_A_STEP === 0) yield;
      const length = this.lengths[rank] ?? 0;
      if (length === 0) continue;
      const hash = hashOf(this.pool, offset, offset + length);
      let slot = hash & mask;
      while ((this.slots[slot] ?? 0) > 0) slot = (slot + 1) & mask;
      this.slots[slot] = rank + 1;
      this.offsets[rank] = offset;
      this.hashes[rank] = hash;
      if (length === 2) this.ofPair[((this.pool[offset] ?? 0) << 8) | (this.pool[offset + 1] ?? 0)] = rank;
      offset += length;
    }
  }

  /** Rank of `bytes[start, end)`, or {@link NO_RANK}. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 2) return this.rankOfPair(bytes, start);
    return length > LONGEST_TOKEN ? NO_RANK : this.rankOfHashed(bytes, start, end, hashOf(bytes, start, end));
  }

  rankOfPair(bytes: Uint8Array, index: number): number {
    return this.ofPair[((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0)] ?? NO_RANK;
  }

  /** As {@link rankOf}, for a caller that has already computed {@link hashOf}. */
  rankOfHashed(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, lengths, offsets, pool } = this;
    const mask = slots.length - 1;
    const length = end - start;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank < 0) return NO_RANK;
      if (hashes[rank] !== hash || lengths[rank] !== length) continue;
      const offset = offsets[rank] ?? 0;
      let i = 0;
      while (i < length && pool[offset + i] === bytes[start + i]) i++;
      if (i === length) return rank;
    }
  }
}

/** Hash of `bytes[start, end)` and its length. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), FNV_PRIME);
  return hash ^ (hash >>> 15);
}

/** Retains a reference to the file's bytes; every step is short. An incomplete file is `damaged`. */
export function* buildRankTable(file: Uint8Array): Generator<void, Result<RankTable, StorageFailed>> {
  if (file.length < HEADER_BYTES) return damaged(`${file.length} bytes`);
  const tokenCount = new DataView(file.buffer, file.byteOffset, file.length).getUint32(0, true);
  const poolStart = HEADER_BYTES + tokenCount;
  if (poolStart > file.length) return damaged(`${tokenCount} tokens in ${file.length} bytes`);
  const lengths = file.subarray(HEADER_BYTES, poolStart);
  let tokenBytes = 0;
  for (const length of lengths) tokenBytes += length;
  if (poolStart + tokenBytes !== file.length) return damaged(`${file.length} bytes, not ${poolStart + tokenBytes}`);
  const table = new RankTable(lengths, file.subarray(poolStart));
  yield* table.fill();
  return ok(table);
}

function damaged(found: string): Result<never, StorageFailed> {
  return err({ code: "STORAGE_FAILED", reason: "damaged", detail: `not a whole token rank file: ${found}` });
}
