/** Events as the editor's API has them, for files that also load where there is no editor. */

/** Calls `listener` at each event until the returned object is disposed of. A `vscode.Event` is one. */
export type Event<T> = (listener: (value: T) => void) => { dispose(): void };

/** The source of an event: whoever holds it fires, others are given {@link Emitter.event}. */
export class Emitter<T> {
  readonly #listeners = new Set<{ readonly hear: (value: T) => void }>();

  readonly event: Event<T> = (listener) => {
    const entry = { hear: listener };
    this.#listeners.add(entry);
    return {
      dispose: () => {
        this.#listeners.delete(entry);
      },
    };
  };

  /** Calls the listeners at once, in the order of their subscriptions. What one throws reaches the caller. */
  fire(value: T): void {
    for (const entry of [...this.#listeners]) if (this.#listeners.has(entry)) entry.hear(value);
  }
}
