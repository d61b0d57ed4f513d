/**
 * All pending requests become one transaction with one fsync. Whatever is reported as committed is on disk.
 *
 * Invariants: a failed group leaves nothing in the database or in the log; after a journal row of a step failed, later
 * rows of that step are refused until the step is dropped, so that no gap becomes durable; a request that violates a
 * table constraint fails alone.
 */

import type { StorageFailed } from "../../core/errors.ts";
import type { StoreWrite } from "../../core/store/conversationStore.ts";
import type { Engine, PreparedStatement } from "./engine/engine.ts";
import type { Ownership } from "./ownership.ts";
import { isConstraintViolation, isNoTransaction, Refused, storageFailureOf } from "./storageErrors.ts";
import type { CommitRequest, FromWorker } from "./thread/workerProtocol.ts";
import { WriteStatements } from "./writeStatements.ts";

export class GroupCommit {
  readonly #engine: Engine;
  readonly #writes: WriteStatements;
  readonly #begin: PreparedStatement;
  readonly #commit: PreparedStatement;
  readonly #ownership: Ownership;
  readonly #brokenSteps = new Map<string, StorageFailed>();
  #transactionOpen = false;
  #logMayHoldRefused = false;

  constructor(engine: Engine, ownership: Ownership) {
    this.#engine = engine;
    this.#ownership = ownership;
    this.#writes = new WriteStatements(engine);
    this.#begin = engine.prepare("BEGIN IMMEDIATE");
    this.#commit = engine.prepare("COMMIT");
  }

  store(group: readonly CommitRequest[]): readonly FromWorker[] {
    const answers: FromWorker[] = [];
    const accepted: CommitRequest[] = [];
    for (const request of group) {
      const error = this.#refusal(request);
      if (error === undefined) accepted.push(request);
      else answers.push({ kind: "failed", ids: [request.id], error });
    }
    if (accepted.length > 0) answers.push(...this.#storeTogether(accepted));
    return answers;
  }

  /**
   * Runs internal work (filling the search index) in one transaction, under the same conditions as a commit. Rethrows
   * what failed, after a rollback.
   */
  run(action: () => void): void {
    try {
      this.settle();
      this.#transaction(action);
    } catch (error) {
      this.#rollbackIfPossible();
      this.#logMayHoldRefused = true;
      throw error;
    }
  }

  #storeTogether(group: readonly CommitRequest[]): readonly FromWorker[] {
    try {
      this.settle();
      this.#write(group.flatMap(({ writes }) => writes));
    } catch (error) {
      return this.#afterFailure(group, error);
    }
    for (const step of droppedSteps(group)) this.#brokenSteps.delete(step);
    return [{ kind: "committed", ids: group.map(({ id }) => id) }];
  }

  #write(writes: readonly StoreWrite[]): void {
    const [only] = writes;
    if (writes.length === 1 && only !== undefined && isOneStatement(only)) {
      this.#writes.apply(only); // a single statement is its own transaction: the fastest path for a streamed delta
      return;
    }
    this.#transaction(() => {
      for (const write of writes) this.#writes.apply(write);
    });
  }

  /** Rolls back what an earlier failure left open. Throws when that fails or writing is no longer allowed. */
  settle(): void {
    this.#rollback();
    const ended = this.#ownership.ended();
    if (ended !== undefined) throw new Refused(ended);
    if (!this.#logMayHoldRefused) return;
    // A smaller commit would overwrite only the first frames of the failed one; the frames after them would then look
    // like lost commits (see `DatabasePages.hasHiddenCommits`).
    this.#engine.all("PRAGMA wal_checkpoint(TRUNCATE)");
    this.#logMayHoldRefused = false;
  }

  #transaction(action: () => void): void {
    this.#begin.run();
    this.#transactionOpen = true;
    action();
    this.#commit.run();
    this.#transactionOpen = false;
  }

  #afterFailure(group: readonly CommitRequest[], error: unknown): readonly FromWorker[] {
    this.#rollbackIfPossible();
    this.#writes.forgetCounts();
    this.#logMayHoldRefused = true;
    const [first] = group;
    if (isConstraintViolation(error)) {
      if (group.length > 1) return group.flatMap((request) => this.store([request]));
      return first === undefined ? [] : [{ kind: "bug", id: first.id, detail: String(error) }];
    }
    const failure = storageFailureOf(error);
    if (failure.reason === "damaged") this.#ownership.end(failure);
    for (const { writes } of group) {
      for (const write of writes) if (write.kind === "journalRow") this.#brokenSteps.set(write.row.stepId, failure);
    }
    return [{ kind: "failed", ids: group.map(({ id }) => id), error: failure }];
  }

  #refusal({ writes }: CommitRequest): StorageFailed | undefined {
    if (this.#brokenSteps.size === 0) return undefined;
    const dropped = new Set(droppedSteps([{ kind: "commit", id: 0, writes }]));
    for (const write of writes) {
      if (write.kind !== "journalRow" || dropped.has(write.row.stepId)) continue;
      const failure = this.#brokenSteps.get(write.row.stepId);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** Rolls back a transaction that an earlier failure left open; throws while the disk still refuses. */
  #rollback(): void {
    if (!this.#transactionOpen) return;
    try {
      this.#engine.exec("ROLLBACK");
    } catch (error) {
      if (!isNoTransaction(error)) throw error;
    }
    this.#transactionOpen = false;
  }

  /** Ignores a failure: the next group retries the rollback and reports its error. */
  #rollbackIfPossible(): void {
    try {
      this.#rollback();
    } catch (error) {
      storageFailureOf(error); // rethrows a bug
    }
  }
}

function isOneStatement({ kind }: StoreWrite): boolean {
  return kind !== "record";
}

function droppedSteps(group: readonly CommitRequest[]): readonly string[] {
  return group.flatMap(({ writes }) => writes.flatMap((write) => (write.kind === "journalDrop" ? [write.stepId] : [])));
}
