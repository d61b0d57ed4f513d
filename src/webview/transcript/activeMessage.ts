/**
 * Which message is in question: the one that the pointer went to or the keyboard focus, whichever was later; and the one in
 * whose bar the focus is, for what has the focus is not taken away.
 */

import type { Store } from "../state/store.ts";

/** Listens to what goes on in the log and around it, and says it to the store. */
export class MessageInQuestion {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The pointer or the focus came to something in the log. */
  readonly touched = ({ target }: Event): void => {
    const rowId = rowIdOf(target);
    if (rowId !== null) this.#store.activeRow.value = rowId;
    this.#store.heldRow.value = rowIdOf(document.activeElement?.closest(".tools-track") ?? null);
  };

  /** The pointer left the log: what has the focus counts alone. */
  readonly pointerLeft = ({ currentTarget: log }: { readonly currentTarget: HTMLElement }): void => {
    const focused = document.activeElement;
    this.#store.activeRow.value = log.contains(focused) ? rowIdOf(focused) : null;
  };

  /**
   * A click elsewhere is over, and with it what the focus went through. With the keyboard, the way back from elsewhere leads
   * to the bar.
   */
  readonly released = ({ target }: Event): void => {
    if (target instanceof Element && target.closest("[role=log]") === null)
      this.#store.activeRow.value = this.#store.heldRow.value = null;
  };
}

function rowIdOf(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row-id]") : null;
  return row?.dataset["rowId"] ?? null;
}
