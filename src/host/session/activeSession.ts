/** The conversation that is open in this window. Written by the code that opens and closes it, read by all others. */

import { Emitter } from "../background/emitter.ts";
import type { Session } from "./session.ts";

export class ActiveSession {
  #session: Session | undefined;
  readonly #changed = new Emitter<void>();

  /** Fires when the open conversation changes (activity, title, messages), not when another one is opened. */
  readonly onDidChange = this.#changed.event;

  get session(): Session | undefined {
    return this.#session;
  }

  /** For the code that opens and closes conversations only. */
  set(session: Session | undefined): void {
    this.#session = session;
  }

  noteChange(): void {
    this.#changed.fire();
  }
}
