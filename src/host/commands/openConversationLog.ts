/** Logs which conversation is open (its id) and which model answers in it. */

import type { Log } from "../editor/log.ts";
import type { Session } from "../session/session.ts";

/** Logs changes only. */
export class OpenConversationLog {
  readonly #log: Pick<Log, "info">;
  #lastId = "";
  #lastAnswers = "";

  constructor(log: Pick<Log, "info">) {
    this.#log = log;
  }

  logChanges({ connection, opened }: Session): void {
    const { id, manager } = opened;
    const { model, providerName, why } = connection;
    const answers = JSON.stringify([model, providerName, why]);
    if (id !== this.#lastId) this.#log.info(`Open: conversation ${id}, messages ${manager.history.length}`);
    if (id !== this.#lastId || answers !== this.#lastAnswers)
      this.#log.info(`Answers: ${model} (${providerName}). ${why}.`);
    [this.#lastId, this.#lastAnswers] = [id, answers];
  }
}
