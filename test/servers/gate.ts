/** A gate at which answers wait until a test opens it. */

import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Initially closed. */
export class Gate {
  readonly #opening = new EventTarget();
  #isOpen = false;

  /** Releases waiting answers, and later ones until the gate is closed again. */
  open(): void {
    this.#isOpen = true;
    this.#opening.dispatchEvent(new Event("open"));
  }

  shut(): void {
    this.#isOpen = false;
  }

  /** Resolves when the gate is open or the client has disconnected. */
  async pass(response: ServerResponse): Promise<void> {
    if (this.#isOpen || response.destroyed) return;
    await Promise.race([once(this.#opening, "open"), once(response, "close")]);
  }
}
