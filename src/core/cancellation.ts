/** Cancellation without platform types: the signal, a source, and waiting that an abort ends. */

/** Structural subset of `AbortSignal`. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A {@link CancelSignal} with its `abort`. Listeners added after the abort are not called. */
export class Cancellation implements CancelSignal {
  #aborted = false;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Calls every listener once. Idempotent. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/** Aborts `inner` when `outer` aborts, or at once when it has; the returned function unsubscribes. */
export function follow(outer: CancelSignal, inner: { abort(): void }): () => void {
  const abort = (): void => {
    inner.abort();
  };
  if (outer.aborted) inner.abort();
  outer.addEventListener("abort", abort);
  return () => {
    outer.removeEventListener("abort", abort);
  };
}

/** Settles like `work`, or resolves with `cancelled` as soon as `cancel` aborts; `work` is ignored after that. */
export function raceCancel<T>(work: Promise<T>, cancel: CancelSignal, cancelled: T): Promise<T> {
  if (cancel.aborted) {
    work.catch(() => undefined);
    return Promise.resolve(cancelled);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      resolve(cancelled);
    };
    cancel.addEventListener("abort", onAbort);
    work.then(resolve, reject).finally(() => {
      cancel.removeEventListener("abort", onAbort);
    });
  });
}
