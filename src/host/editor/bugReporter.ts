import { Emitter } from "../background/emitter.ts";
import type { Log } from "./log.ts";

/** Last resort for unexpected exceptions: logs them, and has listeners tell the user. */
export class BugReporter {
  readonly #log: Pick<Log, "error">;
  readonly #reported = new Emitter<void>();

  /** Fires after a bug was logged. */
  readonly onDidReport = this.#reported.event;

  constructor(log: Pick<Log, "error">) {
    this.#log = log;
  }

  /** Bound, for use as `.catch(bugs.report)`. */
  readonly report = (error: unknown): void => {
    this.#log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#reported.fire();
  };
}
