/** Attachments that are being added, and how long a message that is sent meanwhile waits for them. */

/** Longest wait of a message for one that is being read, as from a remote disk. */
const longestWaitMs = 10_000;

/** Asks the user; a message waits for the answer without a limit. */
export type AskUser = <T>(question: () => Promise<T>) => Promise<T>;

interface Adding {
  readonly done: Promise<unknown>;
  /** Pending answers to the questions about it. */
  readonly answers: ReadonlySet<Promise<unknown>>;
}

export class PendingAttachments {
  readonly #pending = new Set<Adding>();
  /** Called at each new question. */
  readonly #questionListeners = new Set<() => void>();

  /** Runs `add`. Messages that are sent meanwhile wait until it is done. */
  async add(add: (asks: AskUser) => Promise<void>): Promise<void> {
    const answers = new Set<Promise<unknown>>();
    const adding = { done: Promise.resolve(), answers };
    const done = add(async (question) => {
      this.#pending.add(adding); // it is waited for again, even after a timeout
      const asked = question();
      const answer = asked.catch(() => undefined);
      answers.add(answer);
      for (const tell of this.#questionListeners) tell();
      try {
        return await asked;
      } finally {
        answers.delete(answer);
      }
    });
    // Only the caller handles its failure.
    adding.done = done.catch(() => undefined);
    this.#pending.add(adding);
    try {
      await done;
    } finally {
      this.#pending.delete(adding);
    }
  }

  /**
   * Resolves when everything pending now is added, refused, or takes too long; questions to the user have no limit.
   * What took too long is not waited for again: it may hang.
   */
  async settled(waitMs = longestWaitMs): Promise<void> {
    const pending = [...this.#pending];
    const all = Promise.all(pending.map(({ done }) => done));
    for (let isOver = false; !isOver;) {
      const open = pending.flatMap(({ answers }) => [...answers]);
      if (open.length > 0) await Promise.all(open);
      else isOver = await this.#isOver(all, waitMs);
    }
    for (const adding of pending) this.#pending.delete(adding);
  }

  /** True when `all` is done or the time has passed, false when a question is asked first. */
  #isOver(all: Promise<unknown>, waitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isOver: boolean): void => {
        clearTimeout(timer);
        this.#questionListeners.delete(asked);
        resolve(isOver);
      };
      const timer = setTimeout(end, waitMs, true);
      const asked = (): void => {
        end(false);
      };
      this.#questionListeners.add(asked);
      void all.then(() => {
        end(true);
      });
    });
  }
}
