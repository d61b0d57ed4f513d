/** A virtual clock that advances only when everyone sleeps. */
export class VirtualTime {
  nowMs = 0;
  #wakes: { readonly atMs: number; readonly wake: () => void }[] = [];

  /** Resolves after `ms` of virtual time. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#wakes.push({ atMs: this.nowMs + ms, wake }));
  }

  /** Advances to `untilMs` or to the next wake-up. Returns whether somebody woke up. */
  advance(untilMs: number): boolean {
    const next = this.#wakes.toSorted((one, other) => one.atMs - other.atMs)[0];
    if (next === undefined || next.atMs > untilMs) {
      this.nowMs = untilMs === Infinity ? this.nowMs : untilMs;
      return false;
    }
    this.#wakes = this.#wakes.filter((one) => one !== next);
    this.nowMs = next.atMs;
    next.wake();
    return true;
  }

  get isAnyoneAsleep(): boolean {
    return this.#wakes.length > 0;
  }
}
