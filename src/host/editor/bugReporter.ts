/** Where everything ends that was thrown and never should have been: in the log, and before the user. */

import { Emitter } from "../background/emitter.ts";
import type { Log } from "./log.ts";

/** Reports bugs. */
export class BugReporter {
  readonly #log: Pick<Log, "error">;
  readonly #reported = new Emitter<void>();

  /** Fires after a bug was logged. */
  readonly onDidReport = this.#reported.event;

  constructor(log: Pick<Log, "error">) {
    this.#log = log;
  }

  /** Takes what was caught; bound, so that it can stand in `.catch(bugs.report)`. */
  readonly report = (error: unknown): void => {
    this.#log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#reported.fire();
  };
}
