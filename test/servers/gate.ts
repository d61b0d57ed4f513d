/** Where answers wait until a test has seen what it wants to see meanwhile. */

import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Shut at first. */
export class Gate {
  readonly #opening = new EventTarget();
  #isOpen = false;

  /** Lets through what waits, and what comes until it is shut again. */
  open(): void {
    this.#isOpen = true;
    this.#opening.dispatchEvent(new Event("open"));
  }

  shut(): void {
    this.#isOpen = false;
  }

  /** Resolves when the gate is open, or nobody waits for the answer any more. */
  async pass(response: ServerResponse): Promise<void> {
    if (this.#isOpen || response.destroyed) return;
    await Promise.race([once(this.#opening, "open"), once(response, "close")]);
  }
}
