/** A cancel signal for what runs inside: it can be aborted from here, and follows an outer one. */

import type { CancelSignal } from "../ports.ts";

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
