/** Binary min-heap of numbers in one reusable array. */

export class MinHeap {
  private keys = new Float64Array(1024);
  private count = 0;

  get size(): number {
    return this.count;
  }

  clear(): void {
    this.count = 0;
  }

  push(key: number): void {
    if (this.count === this.keys.length) {
      const larger = new Float64Array(2 * this.count);
      larger.set(this.keys);
      this.keys = larger;
    }
    const { keys } = this;
    let hole = this.count++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = keys[parent] ?? 0;
      if (above <= key) break;
      keys[hole] = above;
      hole = parent;
    }
    keys[hole] = key;
  }

  /** Removes the smallest number; the heap must not be empty. */
  pop(): number {
    const { keys } = this;
    const top = keys[0] ?? 0;
    const last = keys[--this.count] ?? 0;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= this.count) break;
      if (child + 1 < this.count && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child++;
      const below = keys[child] ?? 0;
      if (below >= last) break;
      keys[hole] = below;
      hole = child;
    }
    keys[hole] = last;
    return top;
  }
}
