/** Work that must not overlap: each piece begins when the one asked for before it has ended, well or badly. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does `work` in its turn; answers what it answers, and throws what it throws. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // whoever asked for it is told
    return result;
  }

  /** Resolves when everything asked for so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
