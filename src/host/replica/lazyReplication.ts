/** Replication as the window has it: nothing of it is loaded before it is set up. */

import { existsSync } from "node:fs";
import path from "node:path";
import type * as vscode from "vscode";
import type { ConversationId } from "../../core/ids.ts";
import { Emitter } from "../background/emitter.ts";
import { lazy } from "../background/lazy.ts";
import type { Session } from "../session/session.ts";
import { OFF, type ReplicaControl, type ReplicaStatus } from "./replicaControl.ts";
import type { Replication, ReplicationServices } from "./replication.ts";

export type LazyReplicationServices = Omit<ReplicationServices, "open" | "setups">;

/** The start of a window has other things to do. */
const START_MS = 2_000;

export class LazyReplication implements ReplicaControl, vscode.Disposable {
  readonly #services: LazyReplicationServices;
  readonly #changed = new Emitter<void>();
  readonly #placed = new Emitter<readonly ConversationId[]>();
  #loaded: Replication | undefined;
  #shown: Session | undefined;
  #cancelStart: (() => void) | undefined;

  readonly onDidChange = this.#changed.event;
  /** Closed conversations that are new, changed or gone here. */
  readonly onDidPlace = this.#placed.event;

  constructor(services: LazyReplicationServices) {
    this.#services = services;
  }

  get status(): ReplicaStatus {
    return this.#loaded?.status ?? OFF;
  }

  readonly #load = lazy(async (): Promise<Replication> => {
    const { Replication } = await import("./replication.ts");
    const { ReplicaSetupFile } = await import("./replicaSetup.ts");
    const { openPlace } = await import("./openReplicaPlace.ts");
    const setups = new ReplicaSetupFile(this.#services.folders.storage);
    const replication = new Replication({ ...this.#services, setups, open: openPlace });
    replication.onDidChange(() => {
      this.#changed.fire();
    });
    replication.onDidPlace((ids) => {
      this.#placed.fire(ids);
    });
    if (this.#shown !== undefined) replication.follow(this.#shown);
    this.#loaded = replication;
    return replication;
  });

  startLater(): void {
    const { clock, folders, reportBug } = this.#services;
    this.#cancelStart = clock.after(START_MS, () => {
      if (!existsSync(path.join(folders.storage, "replica", "setup.json"))) return;
      this.start().catch(reportBug);
    });
  }

  async start(): Promise<void> {
    await (await this.#load()).start();
  }

  async stop(): Promise<void> {
    await this.#loaded?.stop();
  }

  async checkNow(): Promise<void> {
    await (await this.#load()).checkNow();
  }

  async verify(...args: Parameters<ReplicaControl["verify"]>): ReturnType<ReplicaControl["verify"]> {
    return (await this.#load()).verify(...args);
  }

  async moveKeys(...args: Parameters<ReplicaControl["moveKeys"]>): ReturnType<ReplicaControl["moveKeys"]> {
    return (await this.#load()).moveKeys(...args);
  }

  /** The window shows a conversation. */
  follow(session: Session): void {
    if (this.#shown === session) return;
    this.#shown = session;
    this.#loaded?.follow(session);
  }

  /** Sends what has settled before the window closes, for a moment. */
  async closeForExit(): Promise<void> {
    this.#cancelStart?.();
    await this.#loaded?.closeForExit();
  }

  dispose(): void {
    this.#cancelStart?.();
    this.#loaded?.dispose();
  }
}
