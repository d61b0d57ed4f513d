import type { CancelSignal } from "../../../src/core/cancellation.ts";
import type { Cancelled, StorageFailed } from "../../../src/core/errors.ts";
import type { ReplicaFailed } from "../../../src/core/replica/logReplica.ts";
import type { RootKey } from "../../../src/core/replica/replicaRoot.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import { Emitter } from "../../../src/host/background/emitter.ts";
import type { ReplicaControl, ReplicaStatus, VerifyReport } from "../../../src/host/replica/replicaControl.ts";

type Done<T> = Result<T, ReplicaFailed | StorageFailed | Cancelled>;

/** Does nothing, and notes what it was asked for. */
export class FakeControl implements ReplicaControl {
  status: ReplicaStatus = { state: "idle", conversations: 0, waiting: 0, setAside: [] };
  readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  readonly calls: string[] = [];
  report: Done<VerifyReport> = ok({
    objects: 0,
    bytes: 0,
    conversations: 0,
    damaged: [],
    missing: [],
    writers: [],
  });
  /** Results of the moves to come; then they succeed. */
  readonly moves: Done<void>[] = [];
  movedTo: RootKey | undefined;

  start(): Promise<void> {
    return this.#note("start");
  }

  stop(): Promise<void> {
    return this.#note("stop");
  }

  checkNow(): Promise<void> {
    return this.#note("check");
  }

  async verify(progress: (done: number, all: number) => void, cancel: CancelSignal): Promise<Done<VerifyReport>> {
    await this.#note(cancel.aborted ? "verify cancelled" : "verify");
    progress(1, 2);
    return this.report;
  }

  async moveKeys(next: RootKey): Promise<Done<void>> {
    await this.#note("move keys");
    this.movedTo = next;
    return this.moves.shift() ?? ok(undefined);
  }

  leave(): Promise<void> {
    return this.#note("leave");
  }

  #note(call: string): Promise<void> {
    this.calls.push(call);
    return Promise.resolve();
  }
}
