/** Files that were dropped or pasted and are not read yet: a message that is sent meanwhile comes after them. */

/** A message waits no longer for what is read. */
const longestMs = 5_000;

/** All that is being read in this page. */
export class PendingReads {
  #reading: Promise<unknown> | null = null;

  /** Whether anything is being read now. */
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

  /** Calls `next` when all is read, or not much later; at once where nothing is being read. */
  whenRead(next: () => void): void {
    if (this.#reading === null) next();
    else void Promise.race([this.#reading, new Promise((resolve) => setTimeout(resolve, longestMs))]).then(next);
  }
}
