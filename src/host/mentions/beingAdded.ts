/** What is being added to the message that is typed, and how long a message that is sent meanwhile waits for it. */

/** A message waits no longer for what is read, as from a disk far away. */
const longestWaitMs = 10_000;

/** Has the user asked; a message waits for the answer, however long that takes. */
export type Asks = <T>(question: () => Promise<T>) => Promise<T>;

/** One thing that is being added. */
interface Adding {
  readonly done: Promise<unknown>;
  /** The answers to the questions about it that are open. */
  readonly answers: ReadonlySet<Promise<unknown>>;
}

/** All that is being added. */
export class BeingAdded {
  readonly #waitedFor = new Set<Adding>();
  /** Told of each question. */
  readonly #waiting = new Set<() => void>();

  /** Does `add`. A message that is sent meanwhile waits until it is done. */
  async add(add: (asks: Asks) => Promise<void>): Promise<void> {
    const answers = new Set<Promise<unknown>>();
    const adding = { done: Promise.resolve(), answers };
    const done = add(async (question) => {
      this.#waitedFor.add(adding); // it goes on, however long it took until here
      const asked = question();
      const answer = asked.catch(() => undefined);
      answers.add(answer);
      for (const tell of this.#waiting) tell();
      try {
        return await asked;
      } finally {
        answers.delete(answer);
      }
    });
    // How it fails is told to whoever adds.
    adding.done = done.catch(() => undefined);
    this.#waitedFor.add(adding);
    try {
      await done;
    } finally {
      this.#waitedFor.delete(adding);
    }
  }

  /**
   * Resolves when all that is being added by now is added, was refused, or takes too long; the user may take their time. What
   * takes too long is not waited for once more: it may hang.
   */
  async settled(waitMs = longestWaitMs): Promise<void> {
    const waitedFor = [...this.#waitedFor];
    const all = Promise.all(waitedFor.map(({ done }) => done));
    for (let isOver = false; !isOver;) {
      const open = waitedFor.flatMap(({ answers }) => [...answers]);
      if (open.length > 0) await Promise.all(open);
      else isOver = await this.#isOver(all, waitMs);
    }
    for (const adding of waitedFor) this.#waitedFor.delete(adding);
  }

  /** Whether `all` is done, or so much time has passed, before the next question is asked. */
  #isOver(all: Promise<unknown>, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isOver: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(asked);
        resolve(isOver);
      };
      const timer = setTimeout(end, waitMs, true);
      const asked = (): void => {
        end(false);
      };
      this.#waiting.add(asked);
      void all.then(() => {
        end(true);
      });
    });
  }
}
