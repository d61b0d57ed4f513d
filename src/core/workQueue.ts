/** Serializes work: each task starts when the one before it has settled. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles like `work`. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // the caller gets the rejection
    return result;
  }

  /** Resolves when all tasks added so far have settled. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
