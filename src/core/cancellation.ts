/** Cancelling: the signal, one that is made here and may follow another, and a wait that an abort ends. */

/** Says that the user, or an end, wants it to stop. An `AbortSignal` is one. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A {@link CancelSignal} that its maker aborts, once; listeners that come later are not called. */
export class Cancellation implements CancelSignal {
  #aborted = false;
  readonly #listeners = new Set<() => void>();

  /** Whether `abort` was called. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Aborts; calls every listener once. Calling it again does nothing. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Calls `listener` when it aborts. */
  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Takes a listener back. */
  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }
}

/** Aborts `inner` when `outer` aborts, or at once when it has; the returned function ends that. */
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

/** What `work` comes to, or `cancelled` as soon as `cancel` aborts. What the work comes to after that is dropped. */
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
