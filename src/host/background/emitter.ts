/** Counterpart of `vscode.EventEmitter` for files that are also loaded without the editor. */

/** Same shape as a `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => { dispose(): void };

/** Source of an event: only its owner fires; others get {@link Emitter.event}. */
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

  /** Synchronous, in order of subscription. An exception of a listener reaches the caller. */
  fire(value: T): void {
    for (const entry of [...this.#listeners]) if (this.#listeners.has(entry)) entry.hear(value);
  }
}
