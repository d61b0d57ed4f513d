/**
 * The store's side of the worker: commits what arrives in groups, answers reads, closes.
 * It knows nothing of threads: requests are put in, `flush` answers all of them.
 */

import type { JournalRow } from "../../core/journal/journalRow.ts";
import type { StoredShape } from "../../core/ports.ts";
import type { Engine, Prepared } from "./engine.ts";
import { GroupCommit } from "./groupCommit.ts";
import { journalRow, messageJson, recordJson, storedText } from "./rowCodec.ts";
import { storageFailureOf } from "./storageErrors.ts";
import type { CommitRequest, FromWorker, ReadRequest, ToWorker } from "./workerProtocol.ts";
import { countOf } from "./writeStatements.ts";

/** Serves one open database. */
export class StorageServer {
  /** What was found at the opening. */
  readonly shape: StoredShape;
  readonly #engine: Engine;
  readonly #commits: GroupCommit;
  readonly #index: Prepared;
  readonly #message: Prepared;
  #queue: ToWorker[] = [];

  /** `stillInPlace` says whether the open file is still the one that its path names. */
  constructor(engine: Engine, stillInPlace: () => boolean) {
    this.#engine = engine;
    this.#commits = new GroupCommit(engine, stillInPlace);
    this.#index = engine.prepare("SELECT number, body, checksum FROM record WHERE number >= ? ORDER BY number LIMIT ?");
    this.#message = engine.prepare("SELECT id, entry, body, checksum FROM message WHERE id = ?");
    this.shape = {
      messageCount: countOf(engine, "message", "id"),
      recordCount: countOf(engine, "record", "number"),
      draft: readDraft(engine),
      journal: readJournal(engine),
    };
  }

  /** Takes a request; nothing happens before `flush`. */
  enqueue(request: ToWorker): void {
    this.#queue.push(request);
  }

  /** Does all that is queued: commits between two reads are one group. Answers in the order of the requests. */
  flush(): readonly FromWorker[] {
    const requests = this.#queue;
    this.#queue = [];
    const answers: FromWorker[] = [];
    let group: CommitRequest[] = [];
    const commit = (): void => {
      if (group.length > 0) answers.push(...this.#commits.store(group));
      group = [];
    };
    for (const request of requests) {
      if (request.kind === "commit") {
        group.push(request);
        continue;
      }
      commit();
      answers.push(this.#answer(request));
    }
    commit();
    return answers;
  }

  #answer(request: Exclude<ToWorker, CommitRequest>): FromWorker {
    const { id } = request;
    try {
      if (request.kind !== "close") return this.#read(request);
      this.#engine.close();
      return { kind: "closed", id };
    } catch (error) {
      return { kind: "failed", ids: [id], error: storageFailureOf(error) };
    }
  }

  #read(request: ReadRequest): FromWorker {
    const { id } = request;
    if (request.kind === "readIndex") {
      const rows = this.#index.all([request.from, request.limit]);
      return { kind: "rows", id, json: `[${rows.map(recordJson).join(",")}]` };
    }
    const messages: string[] = [];
    for (const message of request.ids) {
      const [row] = this.#message.all([message]);
      if (row === undefined) return { kind: "bug", id, words: `message ${message} is not stored` };
      messages.push(messageJson(row));
    }
    return { kind: "rows", id, json: `[${messages.join(",")}]` };
  }
}

function readDraft(engine: Engine): string {
  const [row] = engine.all("SELECT content FROM draft");
  return row === undefined ? "" : storedText(row, "content");
}

/** Steps in the order in which they began. */
function readJournal(engine: Engine): readonly JournalRow[] {
  const rows = engine.all(
    `SELECT j.* FROM journal j
     JOIN (SELECT step_id, min(created_at) AS began FROM journal GROUP BY step_id) s USING(step_id)
     ORDER BY s.began, j.step_id, j.seq`,
  );
  return rows.map(journalRow);
}
