/**
 * Counts the tokens of a text in one encoding, without producing token ids.
 *
 * Equal to the encoding's own tokenizer for text whose runs without a boundary are at most {@link LONGEST_RUN} long.
 * Knows no special tokens, so no text can make it throw; linear in the length of the text.
 */

import { LongMerge } from "./longMerge.ts";
import { type PreTokenizer, LONGEST_RUN } from "./preTokenizer.ts";
import { hashOf, NO_RANK, type RankTable } from "./rankTable.ts";
import { SHORT_BYTES, ShortMerge } from "./shortMerge.ts";
import { BYTES_PER_UNIT, writeUtf8 } from "./utf8.ts";

/** Slots of the direct-mapped cache of counts per piece; a collision evicts the previous entry. */
const CACHE_SLOTS = 1 << 15;
const GOLDEN_RATIO = 0x9e3779b1;

/** `end` is the position in the text where {@link BpeCounter.countFrom} stopped. */
export interface CountedRange {
  readonly tokens: number;
  readonly end: number;
}

export class BpeCounter {
  private readonly preTokenizer: PreTokenizer;
  private readonly ranks: RankTable;
  private readonly short: ShortMerge;
  private readonly long: LongMerge;
  private bytes = new Uint8Array(LONGEST_RUN * BYTES_PER_UNIT);
  private readonly cacheHash = new Int32Array(CACHE_SLOTS);
  private readonly cacheCheck = new Int32Array(CACHE_SLOTS);
  private readonly cacheCount = new Int32Array(CACHE_SLOTS);

  constructor(preTokenizer: PreTokenizer, ranks: RankTable) {
    this.preTokenizer = preTokenizer;
    this.ranks = ranks;
    this.short = new ShortMerge(ranks);
    this.long = new LongMerge(ranks);
  }

  /** Takes some 100 ms per megabyte: count longer texts in chunks by {@link countFrom}. */
  count(text: string): number {
    return this.countFrom(text, 0, text.length).tokens;
  }

  /** Counts from the start of a pre-token to the end of the one that reaches `start + units`. */
  countFrom(text: string, start: number, units: number): CountedRange {
    const stop = Math.min(text.length, start + units);
    let tokens = 0;
    let end = start;
    while (end < stop) {
      const next = this.preTokenizer.endOf(text, end);
      tokens += this.countPreToken(text, end, next);
      end = next;
    }
    return { tokens, end };
  }

  endOfPreToken(text: string, start: number): number {
    return this.preTokenizer.endOf(text, start);
  }

  countPreToken(text: string, start: number, end: number): number {
    const mostBytes = (end - start) * BYTES_PER_UNIT;
    if (mostBytes > this.bytes.length) this.bytes = new Uint8Array(mostBytes);
    const { bytes } = this;
    const size = writeUtf8(text, start, end, bytes);
    if (size === 1) return 1;
    const hash = hashOf(bytes, 0, size);
    if (size <= SHORT_BYTES && this.ranks.rankOfHashed(bytes, 0, size, hash) !== NO_RANK) return 1;
    return this.cached(size, hash);
  }

  private cached(size: number, hash: number): number {
    const check = checkOf(this.bytes, size);
    const slot = (hash ^ (hash >>> 16)) & (CACHE_SLOTS - 1);
    const known = this.cacheCount[slot] ?? 0;
    if (known > 0 && this.cacheHash[slot] === hash && this.cacheCheck[slot] === check) return known;
    const count = (size <= SHORT_BYTES ? this.short : this.long).count(this.bytes, size);
    this.cacheHash[slot] = hash;
    this.cacheCheck[slot] = check;
    this.cacheCount[slot] = count;
    return count;
  }
}

/** A second hash, independent of the first: together they identify a piece. */
function checkOf(bytes: Uint8Array, size: number): number {
  let check = size;
  for (let i = 0; i < size; i++) check = Math.imul(check + (bytes[i] ?? 0), GOLDEN_RATIO) ^ (check >>> 13);
  return check;
}
