/** Hands values from one writer to one reader, in order. What is not yet read is kept; the writer never waits. */

/** An unbounded queue that is read with `for await` until it is ended. */
export class EventQueue<T> implements AsyncIterable<T> {
  #values: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Adds a value; after the end it is dropped. */
  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wake?.();
  }

  /** Ends the reader's loop once it has read what is there. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Whether everything that was pushed has been read. */
  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** Everything that is there, in the order of the pushes, as soon as there is something; empty only at the end. */
  async takeAll(): Promise<readonly T[]> {
    while (this.#values.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    const values = this.#values;
    this.#values = [];
    return values;
  }

  /** Reads one by one, in the order of the pushes. One reader only. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const values = await this.takeAll();
      if (values.length === 0) return;
      yield* values;
    }
  }
}
