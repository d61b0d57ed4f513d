/** Notes in the log which conversation is open, by its id, and who answers in it. */

import type { Log } from "../editor/log.ts";
import type { Session } from "../session/session.ts";

/** To be called when something of the open conversation may have changed; notes what did, and tells `next`. */
export function openedNotes(log: Pick<Log, "info">, next: (session: Session) => void): (session: Session) => void {
  let lastId = "";
  let lastAnswers = "";
  return (session) => {
    const { connection, opened } = session;
    const { id, manager } = opened;
    const { model, providerName, why } = connection;
    const answers = JSON.stringify([model, providerName, why]);
    if (id !== lastId) log.info(`Open: conversation ${id}, messages ${manager.history.length}`);
    if (id !== lastId || answers !== lastAnswers) log.info(`Answers: ${model} (${providerName}). ${why}.`);
    [lastId, lastAnswers] = [id, answers];
    next(session);
  };
}
