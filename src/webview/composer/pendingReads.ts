/** Dropped or pasted files that are not read yet; a message sent meanwhile is posted after them. */

/** Longest wait of a message for reads. */
const maxWaitMs = 5_000;

export class PendingReads {
  #reading: Promise<unknown> | null = null;

  get isBusy(): boolean {
    return this.#reading !== null;
  }

  /** Delays later sends until `reading` settles, fulfilled or rejected. */
  add(reading: Promise<void>): void {
    const all = Promise.allSettled([this.#reading, reading]);
    this.#reading = all;
    void all.then(() => {
      if (this.#reading === all) this.#reading = null;
    });
  }

  /** Calls `next` when all is read, or after the longest wait; synchronously if nothing is being read. */
  whenRead(next: () => void): void {
    if (this.#reading === null) next();
    else void Promise.race([this.#reading, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]).then(next);
  }
}
