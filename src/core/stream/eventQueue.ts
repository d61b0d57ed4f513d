/** An unbounded queue from one writer to one reader, in order; read with `for await` until it is ended. */
export class EventQueue<T> implements AsyncIterable<T> {
  #values: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** Ignored after the end. */
  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wake?.();
  }

  /** Ends the reader's loop once the queue is empty. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** Waits for values and takes all of them; empty only at the end. */
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

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const values = await this.takeAll();
      if (values.length === 0) return;
      yield* values;
    }
  }
}
