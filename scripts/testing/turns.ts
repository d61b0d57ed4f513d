/** More only take turns on a small machine. */
const atOnce = 2;

interface Waiting {
  /** Of those there are, how many it takes. */
  readonly places: number;
  begin(): void;
}

/**
 * All work of a run: it begins in the order in which it was asked for, never more than two pieces at a time, whichever part
 * it belongs to. So no core is idle while a part ends, or while its only piece waits for an editor.
 */
export class Turns {
  #taken = 0;
  readonly #waiting: Waiting[] = [];

  /** Does `work` when its turn comes. */
  take<Outcome>(work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    return this.#occupy(1, (waiting) => this.#waiting.push(waiting), work);
  }

  /** Does `work` before all that waits, and nothing else meanwhile. */
  takeAlone<Outcome>(work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    return this.#occupy(atOnce, (waiting) => this.#waiting.unshift(waiting), work);
  }

  async #occupy<Outcome>(
    places: number,
    queue: (waiting: Waiting) => void,
    work: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    await new Promise<void>((begin) => {
      queue({ places, begin });
      this.#beginNext();
    });
    try {
      return await work();
    } finally {
      this.#taken -= places;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (this.#taken + first.places > atOnce) return;
      this.#waiting.shift();
      this.#taken += first.places;
      first.begin();
    }
  }
}
