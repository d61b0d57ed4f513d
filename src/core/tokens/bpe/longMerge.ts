/** BPE merge of a long piece in O(n log n): a linked list of parts, and a heap of candidate joins. */

import { MinHeap } from "./minHeap.ts";
import { NO_RANK, type RankTable } from "./rankTable.ts";

/** A heap key is rank × POSITIONS + position, so that among equal ranks the first in the text is joined first. */
const POSITIONS = 2 ** 27;
/** Rank of a part that was joined into the one before it. */
const GONE = -1;

export class LongMerge {
  private readonly ranks: RankTable;
  private readonly heap = new MinHeap();
  private next = new Int32Array(0);
  private previous = new Int32Array(0);
  /** Rank of each part joined with the next one. */
  private joined = new Int32Array(0);

  constructor(ranks: RankTable) {
    this.ranks = ranks;
  }

  count(bytes: Uint8Array, size: number): number {
    this.reset(bytes, size);
    const { next, previous, joined, heap } = this;
    let parts = size;
    while (heap.size > 0) {
      const key = heap.pop();
      const rank = Math.floor(key / POSITIONS);
      const part = key - rank * POSITIONS;
      if (joined[part] !== rank) continue; // stale: a neighbour was joined since
      const absorbed = next[part] ?? size;
      const after = next[absorbed] ?? size;
      joined[absorbed] = GONE;
      next[part] = after;
      if (after < size) previous[after] = part;
      parts--;
      this.offer(part, after < size ? this.ranks.rankOf(bytes, part, next[after] ?? size) : NO_RANK);
      const before = previous[part] ?? GONE;
      if (before >= 0) this.offer(before, this.ranks.rankOf(bytes, before, after));
    }
    return parts;
  }

  private reset(bytes: Uint8Array, size: number): void {
    if (this.next.length < size) {
      const capacity = Math.max(size, 2 * this.next.length);
      this.next = new Int32Array(capacity);
      this.previous = new Int32Array(capacity);
      this.joined = new Int32Array(capacity);
    }
    this.heap.clear();
    for (let i = 0; i < size; i++) {
      this.next[i] = i + 1;
      this.previous[i] = i - 1;
      this.offer(i, i < size - 1 ? this.ranks.rankOfPair(bytes, i) : NO_RANK);
    }
  }

  private offer(part: number, rank: number): void {
    this.joined[part] = rank;
    if (rank !== NO_RANK) this.heap.push(rank * POSITIONS + part);
  }
}
