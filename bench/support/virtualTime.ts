/** A clock that only passes when nobody has anything to do. */

/** The time of a session, and who sleeps in it. */
export class VirtualTime {
  /** Grows as it is let pass. */
  nowMs = 0;
  #wakes: { readonly atMs: number; readonly wake: () => void }[] = [];

  /** Resolves so much later. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#wakes.push({ atMs: this.nowMs + ms, wake }));
  }

  /** Lets time pass up to `untilMs`, or to the next one who wakes up; whether somebody did. */
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

  /** Whether somebody sleeps. */
  get isAnyoneAsleep(): boolean {
    return this.#wakes.length > 0;
  }
}
