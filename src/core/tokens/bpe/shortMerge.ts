/** BPE merge of a short piece: scanning for the lowest rank is quadratic, but fastest up to some 128 bytes. */

import { LONGEST_TOKEN, NO_RANK, type RankTable } from "./rankTable.ts";

/** Longest piece for {@link ShortMerge}. */
export const SHORT_BYTES = LONGEST_TOKEN;

/** Reuses its own buffers. */
export class ShortMerge {
  private readonly ranks: RankTable;
  /** Start offset of each part. */
  private readonly starts = new Int32Array(SHORT_BYTES + 2);
  /** Rank of each part joined with the next one. */
  private readonly joined = new Int32Array(SHORT_BYTES + 2);

  constructor(ranks: RankTable) {
    this.ranks = ranks;
  }

  /** Tokens of `bytes[0, size)`; `size` is from 1 to {@link SHORT_BYTES}. */
  count(bytes: Uint8Array, size: number): number {
    const { ranks, starts, joined } = this;
    for (let i = 0; i < size; i++) {
      starts[i] = i;
      joined[i] = i < size - 1 ? ranks.rankOfPair(bytes, i) : NO_RANK;
    }
    starts[size] = size;
    let parts = size;
    for (;;) {
      const best = this.lowest(parts);
      if (best < 0) return parts;
      starts.copyWithin(best + 1, best + 2, parts + 1);
      joined.copyWithin(best + 1, best + 2, parts);
      parts--;
      joined[best] = this.rankFrom(bytes, best, parts);
      if (best > 0) joined[best - 1] = this.rankFrom(bytes, best - 1, parts);
    }
  }

  /** Index of the part whose join has the lowest rank, the first of equals; -1 when nothing joins. */
  private lowest(parts: number): number {
    const { joined } = this;
    let lowest = NO_RANK;
    let index = -1;
    for (let i = 0; i < parts - 1; i++) {
      const rank = joined[i] ?? NO_RANK;
      if (rank < lowest) {
        lowest = rank;
        index = i;
      }
    }
    return index;
  }

  private rankFrom(bytes: Uint8Array, part: number, parts: number): number {
    if (part + 1 >= parts) return NO_RANK;
    return this.ranks.rankOf(bytes, this.starts[part] ?? 0, this.starts[part + 2] ?? 0);
  }
}
