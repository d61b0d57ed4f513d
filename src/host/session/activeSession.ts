/** Which conversation is open in this window: written by who opens and closes it, read by everybody else. */

import { Emitter } from "../background/emitter.ts";
import type { Session } from "./session.ts";

/** Holds at most one session. */
export class ActiveSession {
  #session: Session | undefined;
  readonly #changed = new Emitter<void>();

  /** Fires when something of the open conversation changed; not when another one is opened. */
  readonly onDidChange = this.#changed.event;

  /** What is open; `undefined` while nothing is. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** To be called by who opens and closes conversations, and by nobody else. */
  set(session: Session | undefined): void {
    this.#session = session;
  }

  /** Something of what is open changed, such as its activity, its title or its messages. */
  noteChange(): void {
    this.#changed.fire();
  }
}
