/** What is being added to the message that is typed, and how long a message that is sent meanwhile waits for it. */

/** A message waits no longer for what is read, as from a disk far away. */
const longestWaitMs = 10_000;

/** All that is being added. */
export class BeingAdded {
  readonly #waitedFor = new Set<Promise<unknown>>();

  /** Does `add`. A message that is sent meanwhile waits until it is done, or until it `asks` the user. */
  async add(add: (asks: () => void) => Promise<void>): Promise<void> {
    let asks = (): void => undefined;
    const asked = new Promise<void>((resolve) => (asks = resolve));
    const adding = add(asks);
    // How it fails is told to whoever adds.
    const either = Promise.race([adding, asked]).catch(() => undefined);
    this.#waitedFor.add(either);
    try {
      await adding;
    } finally {
      this.#waitedFor.delete(either);
    }
  }

  /** Resolves when all that is being added by now is added, was refused, or takes too long. */
  async settled(waitMs = longestWaitMs): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([Promise.all(this.#waitedFor), tooLong]);
    clearTimeout(timer);
  }
}
