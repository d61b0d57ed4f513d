/** More than there are cores would not run faster, and of more than four some would be late for their limits. */
export function tasksAtOnce(cores: number): number {
  return Math.min(4, Math.max(2, cores));
}

interface Waiting {
  /** Number of places that it occupies. */
  readonly places: number;
  begin(): void;
}

/**
 * Schedules all work of a run in order of request, some tasks at a time, across parts. So no core is idle while a part
 * ends or its only task waits for an editor.
 */
export class Turns {
  readonly #atOnce: number;
  #taken = 0;
  readonly #waiting: Waiting[] = [];

  constructor(atOnce = 2) {
    this.#atOnce = atOnce;
  }

  /** Runs `work` in turn. */
  take<Outcome>(work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    return this.#occupy(1, (waiting) => this.#waiting.push(waiting), work);
  }

  /** Runs `work` before everything that waits, and alone. */
  takeAlone<Outcome>(work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    return this.#occupy(this.#atOnce, (waiting) => this.#waiting.unshift(waiting), work);
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
      if (this.#taken + first.places > this.#atOnce) return;
      this.#waiting.shift();
      this.#taken += first.places;
      first.begin();
    }
  }
}
