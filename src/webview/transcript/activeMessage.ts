/**
 * Tracks the active message, which the pointer or the keyboard focus reached last, and the one whose toolbar has the
 * focus, since a focused element must not be removed.
 */

import type { Store } from "../state/store.ts";

/** Event handlers of the log and the document, which update the store. */
export class ActiveMessage {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The pointer or the focus reached an element of the log. */
  readonly onPointerOrFocus = ({ target }: Event): void => {
    const rowId = rowIdOf(target);
    if (rowId !== null) this.#store.activeRowId.value = rowId;
    this.#store.focusedRowId.value = rowIdOf(document.activeElement?.closest(".tools-track") ?? null);
  };

  /** The pointer left the log: only the focus counts. */
  readonly onPointerLeave = ({ currentTarget: log }: { readonly currentTarget: HTMLElement }): void => {
    const focused = document.activeElement;
    this.#store.activeRowId.value = log.contains(focused) ? rowIdOf(focused) : null;
  };

  /** A click elsewhere ends, with the focus changes that it caused. By keyboard, the way back leads to the toolbar. */
  readonly onPointerUp = ({ target }: Event): void => {
    if (target instanceof Element && target.closest("[role=log]") === null)
      this.#store.activeRowId.value = this.#store.focusedRowId.value = null;
  };
}

function rowIdOf(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row-id]") : null;
  return row?.dataset["rowId"] ?? null;
}
