/**
 * The store's side of the worker: commits what arrives in groups, answers reads, closes.
 * It knows nothing of threads: requests are put in, `flush` answers all of them.
 */

import type { StorageFailed } from "../../core/errors.ts";
import type { MessageId } from "../../core/ids.ts";
import type { JournalRow } from "../../core/journal/journalRow.ts";
import type { StoredShape } from "../../core/ports.ts";
import { DamagedRow, type Engine, type Prepared } from "./engine.ts";
import { GroupCommit } from "./groupCommit.ts";
import type { Ownership } from "./ownership.ts";
import { journalRow, messageJson, recordJson, storedText } from "./rowCodec.ts";
import { storageFailureOf } from "./storageErrors.ts";
import { Searching } from "./search/searching.ts";
import type { CommitRequest, EraseRequest, FromWorker, ReadRequest, ToWorker } from "./workerProtocol.ts";
import { countOf } from "./writeStatements.ts";

/** What is done in one file. */
export type ServerRequest = Exclude<ToWorker, EraseRequest>;

/** Serves one open database. */
export class StorageServer {
  /** What was found at the opening. */
  readonly shape: StoredShape;
  readonly #engine: Engine;
  readonly #ownership: Ownership;
  readonly #commits: GroupCommit;
  readonly #index: Prepared;
  readonly #message: Prepared;
  readonly #searching: Searching;
  #queue: ServerRequest[] = [];

  constructor(engine: Engine, ownership: Ownership) {
    this.#engine = engine;
    this.#ownership = ownership;
    this.#commits = new GroupCommit(engine, ownership);
    this.#index = engine.prepare("SELECT number, body, checksum FROM record WHERE number >= ? ORDER BY number LIMIT ?");
    this.#message = engine.prepare("SELECT id, entry, body, checksum FROM message WHERE id = ?");
    const read = (id: MessageId): string => this.#messageJson(id);
    this.#searching = new Searching({ engine, commits: this.#commits, read });
    this.shape = {
      messageCount: countOf(engine, "message", "id"),
      recordCount: countOf(engine, "record", "number"),
      draft: readDraft(engine),
      journal: readJournal(engine),
    };
  }

  /** Takes a request; nothing happens before `flush`. */
  enqueue(request: ServerRequest): void {
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
      answers.push(...this.#answer(request));
    }
    commit();
    return answers;
  }

  /** True while a search is under way. */
  get isSearching(): boolean {
    return this.#searching.isBusy;
  }

  /** Goes on with a search, for some milliseconds; answers it when it is done. */
  goOnSearching(): readonly FromWorker[] {
    const answer = this.#searching.goOn();
    if (answer?.kind === "failed") this.#note(answer.error);
    return answer === undefined ? [] : [answer];
  }

  /** Does what can wait, for some milliseconds; answers whether there is more of it. To be called when nobody waits. */
  useIdleTime(): boolean {
    return !this.isSearching && this.#searching.fill(() => countOf(this.#engine, "message", "id"));
  }

  /** The open database, with nothing under way in it. Throws when it may not be written, or can not be at the moment. */
  settled(): Engine {
    this.#commits.settle();
    return this.#engine;
  }

  /** Closes the file; nothing more may be asked. */
  closeFile(): void {
    this.#ownership.endIfUnsure(); // closing writes the log back into the file, unless that is forbidden
    this.#engine.close();
  }

  #answer(request: Exclude<ServerRequest, CommitRequest>): readonly FromWorker[] {
    const { id } = request;
    try {
      if (request.kind === "search") {
        this.#searching.begin(request, countOf(this.#engine, "message", "id"));
        return [];
      }
      if (request.kind !== "close") return [this.#read(request)];
      const ended = this.#endSearches();
      this.closeFile();
      return [...ended, { kind: "closed", id }];
    } catch (error) {
      return [this.#failed(id, error)];
    }
  }

  #failed(id: number, error: unknown): FromWorker {
    const failure = storageFailureOf(error);
    this.#note(failure);
    return { kind: "failed", ids: [id], error: failure };
  }

  #note(failure: StorageFailed): void {
    if (failure.reason === "damaged") this.#ownership.end(failure);
  }

  #endSearches(): readonly FromWorker[] {
    const ids = this.#searching.end();
    const error = { code: "STORAGE_FAILED", reason: "workerDied", detail: "the conversation was closed" } as const;
    return ids.length === 0 ? [] : [{ kind: "failed", ids, error }];
  }

  #read(request: ReadRequest): FromWorker {
    const { id } = request;
    if (request.kind === "readIndex") return { kind: "rows", id, json: this.#readIndex(request.from, request.limit) };
    const count = countOf(this.#engine, "message", "id");
    const missing = request.ids.find((message) => message >= count);
    if (missing !== undefined) return { kind: "bug", id, words: `message ${missing} is not stored` };
    return { kind: "rows", id, json: listOf(request.ids.map((message) => this.#messageJson(message))) };
  }

  #messageJson(id: MessageId): string {
    const [row] = this.#message.all([id]);
    if (row === undefined) throw new DamagedRow(`message ${id} is missing`);
    return messageJson(row);
  }

  /** Numbers follow each other without a gap; where one is missing, a page of the tree is not what it was. */
  #readIndex(from: number, limit: number): string {
    const rows = this.#index.all([from, limit]);
    const expected = Math.min(limit, Math.max(0, countOf(this.#engine, "record", "number") - from));
    const isWhole = rows.length === expected && rows.every((row, index) => row["number"] === from + index);
    if (!isWhole) throw new DamagedRow(`records from ${from} on are missing`);
    return listOf(rows.map(recordJson));
  }
}

function listOf(items: readonly string[]): string {
  return `[${items.join(",")}]`;
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
