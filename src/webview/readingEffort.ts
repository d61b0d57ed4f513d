/**
 * How long the reading of an answer, or of a block of code in it, may hold the page up at a time. What is usual takes half a
 * millisecond for a thousand characters; what is written to be read slowly takes a time that grows with the square of its
 * length.
 */

/** Leaves time to draw what was read before a reader notices: 100 milliseconds. */
const mostMs = 60;
/** A step takes no longer by itself: the rest was a pause of the machine, for which no text is to blame. */
const mostMsAStep = 5;

/** Adds up what the steps of reading one text take. */
export class ReadingEffort {
  #leftMs = 0;
  #lastMs = 0;
  #isTooGreat = false;

  /** Whether something took too long: then nothing more of the text is read. */
  get isTooGreat(): boolean {
    return this.#isTooGreat;
  }

  /** From now on it is counted anew. */
  begin(): this {
    this.#leftMs = mostMs;
    return this;
  }

  /** What `read` does; null when it takes too long, or something did before. */
  spend<T>(read: () => T): T | null {
    if (this.#isTooGreat) return null;
    this.#lastMs = performance.now();
    try {
      return read();
    } catch (error) {
      if (error instanceof TooGreatEffort) return null;
      throw error;
    }
  }

  /** Called at each step; ends the reading when all of them together took too long. */
  step(): void {
    const nowMs = performance.now();
    this.#leftMs -= Math.min(nowMs - this.#lastMs, mostMsAStep);
    this.#lastMs = nowMs;
    if (this.#leftMs >= 0) return;
    this.#isTooGreat = true;
    throw new TooGreatEffort();
  }
}

class TooGreatEffort extends Error {}
