import { rm } from "node:fs/promises";
import path from "node:path";
import { fileFailure } from "../../adapters/node/files.ts";
import { isReplicaSetUp } from "../../adapters/node/replica/goneConversations.ts";
import type { StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { Secrets } from "../editor/secrets.ts";
import type { ReplicaControl } from "./replicaControl.ts";

/** Disconnects this machine when all its conversations are erased: the replica would bring them back. */
export class ErasedReplica {
  readonly #storage: string;
  readonly #secrets: Secrets;
  readonly #control: ReplicaControl;

  /** `storage`: the extension's folder. */
  constructor(storage: string, secrets: Secrets, control: ReplicaControl) {
    this.#storage = storage;
    this.#secrets = secrets;
    this.#control = control;
  }

  get isSetUp(): boolean {
    return isReplicaSetUp(this.#storage);
  }

  /** Nothing is deleted at the place. */
  async forget(): Promise<Result<void, StorageFailed>> {
    if (!this.isSetUp) return ok(undefined);
    const { ReplicaSetupFile } = await import("./replicaSetup.ts");
    await this.#control.stop();
    const deleted = await new ReplicaSetupFile(this.#storage).delete();
    await this.#secrets.forgetReplica();
    return deleted.ok ? this.#removeFolder() : deleted;
  }

  /** Objects that wait to be put are of conversations that are erased. */
  async #removeFolder(): Promise<Result<void, StorageFailed>> {
    try {
      await rm(path.join(this.#storage, "replica"), { recursive: true, force: true });
      return ok(undefined);
    } catch (error) {
      return err(fileFailure(error));
    }
  }
}
