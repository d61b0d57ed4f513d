/**
 * Keeps the conversations of this machine and those of the place equal, in the background, as long as the window lives.
 * Each window replicates the conversation that it has open; one window of the machine all others.
 */

import { mkdir } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { fileFailure, nodeFiles, replaceFile, undefinedIfMissing } from "../../adapters/node/files.ts";
import { acquireLease, type Lease } from "../../adapters/node/lease.ts";
import { ThreadLeases } from "../../adapters/node/threadLeases.ts";
import { objectCipher } from "../../adapters/node/objectCipher.ts";
import { Cancellation, type CancelSignal } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationId } from "../../core/ids.ts";
import { countIn, listIn, parseJson } from "../../core/json.ts";
import type { RootKey } from "../../core/replica/replicaRoot.ts";
import { hexOf } from "../../core/replica/smallTexts.ts";
import { err, type Result } from "../../core/result.ts";
import { WorkQueue } from "../../core/workQueue.ts";
import { Emitter } from "../background/emitter.ts";
import type { ForgeFolders } from "../editor/forgeFolders.ts";
import type { Log } from "../editor/log.ts";
import type { Secrets } from "../editor/secrets.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import type { Session } from "../session/session.ts";
import type { OpenPlace } from "./openReplicaPlace.ts";
import {
  OFF,
  type ReplicaControl,
  type ReplicaStatus,
  type ReplicationProblem,
  type VerifyReport,
} from "./replicaControl.ts";
import type { CheckReport, CheckScope, OrderFailed } from "./replicaProtocol.ts";
import { openSetup } from "./replicaServices.ts";
import type { ReplicaPlace, ReplicaSetupFile } from "./replicaSetup.ts";
import { ReplicaThread } from "./replicaThread.ts";
import { slowKeyIn } from "./slowKey.ts";

export interface ReplicationServices {
  readonly folders: ForgeFolders;
  readonly setups: ReplicaSetupFile;
  readonly secrets: Secrets;
  readonly open: OpenPlace;
  readonly active: ActiveSession;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "error">;
  readonly reportBug: (error: unknown) => void;
  /** Random; stays the same for this machine. */
  readonly memento: { get(key: string): unknown; update(key: string, value: string): unknown };
}

/** After a turn or a change; further ones until then go along. */
const SETTLED_MS = 1_500;
/** Between two looks while the window has the focus, and while it has not; a bucket's cost money. */
const PAUSES_MS = {
  folder: { focused: 10_000, unfocused: 60_000, longest: 60_000 },
  bucket: { focused: 20_000, unfocused: 300_000, longest: 900_000 },
} as const;
/** After a failure; twice as long after each further one, up to the longest. */
const FIRST_PAUSE_MS = 15_000;
/** Before a window closes. */
const LEAVING_MS = 2_000;

const MACHINE = "forge.replicaMachine";
const MACHINE_DIGITS = 16;
const STATUS_FILE = "status.json";

interface Running {
  readonly thread: ReplicaThread;
  readonly leases: ThreadLeases;
  readonly root: RootKey;
}

export class Replication implements ReplicaControl, vscode.Disposable {
  readonly #services: ReplicationServices;
  readonly #changed = new Emitter<void>();
  readonly #placed = new Emitter<readonly ConversationId[]>();
  readonly #work = new WorkQueue();
  readonly #focus: vscode.Disposable;
  #status = OFF;
  #running: Running | undefined;
  #lease: Lease | undefined;
  #isFirst = true;
  #hasUnsent = false;
  #failures = 0;
  #pauses: (typeof PAUSES_MS)[ReplicaPlace["kind"]] = PAUSES_MS.bucket;
  #cancelNext: (() => void) | undefined;
  #open: ConversationId | undefined;

  readonly onDidChange = this.#changed.event;
  /** Closed conversations that are new, changed or gone here. */
  readonly onDidPlace = this.#placed.event;

  constructor(services: ReplicationServices) {
    this.#services = services;
    this.#focus = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) this.#soon(0);
    });
  }

  get status(): ReplicaStatus {
    return this.#status;
  }

  async start(): Promise<void> {
    await this.#work.run(() => this.#start());
    if (this.#running !== undefined) this.#soon(0);
  }

  async stop(): Promise<void> {
    this.#cancelSoon();
    await this.#end();
    this.#show(OFF);
  }

  async checkNow(): Promise<void> {
    await this.#work.run(() => this.#check("all"));
  }

  async verify(
    progress: (done: number, all: number) => void,
    cancel: CancelSignal,
  ): Promise<Result<VerifyReport, OrderFailed>> {
    return (await this.#running?.thread.order("verify", {}, progress, cancel)) ?? NOT_RUNNING;
  }

  async moveKeys(next: RootKey, cancel: CancelSignal): Promise<Result<void, OrderFailed>> {
    return (await this.#running?.thread.order("moveKeys", { next }, undefined, cancel)) ?? NOT_RUNNING;
  }

  /** The window shows a conversation: it is replicated when something in it has settled. */
  follow(session: Session): void {
    if (this.#open !== undefined && this.#open !== session.opened.id) this.#running?.thread.noteChanged(this.#open);
    this.#open = session.opened.id;
    session.onDidSettle(() => {
      this.#hasUnsent = true;
      this.#soon(SETTLED_MS);
    });
    if (this.#running !== undefined) this.#soon(SETTLED_MS);
  }

  /** Sends what has settled before the window closes, for a moment. */
  async closeForExit(): Promise<void> {
    this.#cancelSoon();
    if (this.#running === undefined) return;
    const isOver = new Promise<void>((resolve) => this.#services.clock.after(LEAVING_MS, resolve));
    if (this.#hasUnsent) await Promise.race([this.#work.run(() => this.#check("news")), isOver]);
    await this.#end();
  }

  dispose(): void {
    this.#cancelSoon();
    this.#focus.dispose();
  }

  async #start(): Promise<void> {
    if (this.#running !== undefined) return;
    const { setups, folders, active, log, memento } = this.#services;
    const setup = await setups.read();
    if (!setup.ok) {
      this.#fail(setup.error);
      return;
    }
    if (setup.value === undefined) return;
    this.#pauses = PAUSES_MS[setup.value.place.kind];
    const opened = await openSetup(
      { ...this.#services, secretKey: slowKeyIn(folders.dist) },
      setup.value,
      new Cancellation(),
    );
    if (!opened.ok) {
      if (opened.error.code !== "CANCELLED") this.#fail(opened.error);
      return;
    }
    const { root, services } = opened.value;
    const leases = new ThreadLeases();
    const start = {
      servesReplica: true,
      storage: folders.storage,
      dist: folders.dist,
      root,
      machineId: machineIdIn(memento),
      machineName: setup.value.machine,
      isPacked: setup.value.deletesAll,
      leaseChannel: leases.channel,
    } as const;
    const thread = new ReplicaThread(start, {
      place: services.place,
      openConversation: (id) => {
        const { session } = active;
        return session?.opened.id === id ? session.replica : undefined;
      },
      ended: (detail) => {
        log.error(`Replication: ${detail}`);
        this.#running = undefined;
        leases.release().catch(this.#services.reportBug);
        this.#fail({ code: "STORAGE_FAILED", reason: "workerDied", detail });
      },
    });
    this.#running = { thread, leases, root };
    this.#isFirst = true;
    this.#show({ ...(await this.#savedStatus()), state: "working" });
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.thread.end();
    await running?.leases.release();
    await this.#lease?.release();
    this.#lease = undefined;
  }

  #soon(delayMs: number): void {
    if (this.#running === undefined && this.#status.state === "off") return;
    this.#cancelNext?.();
    this.#cancelNext = this.#services.clock.after(delayMs, () => {
      this.#work.run(() => this.#check("news")).catch(this.#services.reportBug);
    });
  }

  /** After a check; something may have settled during it, which is due earlier. */
  #later(pauseMs: number): void {
    if (this.#cancelNext === undefined) this.#soon(pauseMs);
  }

  #cancelSoon(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }

  async #check(scope: CheckScope): Promise<void> {
    this.#cancelSoon(); // that is now
    await this.#start();
    const { thread } = this.#running ?? {};
    if (thread === undefined) return;
    const sweeps = await this.#mayWorkOnAll();
    const open = this.#services.active.session?.opened.id;
    this.#hasUnsent = false;
    this.#show({ ...this.#status, state: "working" });
    const isFirst = this.#isFirst && sweeps;
    const order = { scope, sweeps, isFirst, ...(open === undefined ? {} : { open }) };
    const onProgress = (done: number, all: number): void => {
      if (sweeps) this.#show({ ...this.#status, waiting: Math.max(0, all - done) });
    };
    const checked = await thread.order("check", order, onProgress);
    if (this.#running?.thread !== thread) return;
    if (!checked.ok) {
      const { error } = checked;
      // Another machine may have replaced the object that marks the folder: the place is opened anew.
      if (error.code === "REPLICA_FAILED" && error.reason === "missing") await this.#end();
      if (error.code !== "CANCELLED") this.#fail(error);
      return;
    }
    this.#isFirst &&= !sweeps;
    this.#failures = 0;
    await this.#finish(checked.value, sweeps);
  }

  async #finish(report: CheckReport, sweeps: boolean): Promise<void> {
    const { clock, active } = this.#services;
    const { conversations, waiting, setAside, changed } = report;
    this.#later(vscode.window.state.focused ? this.#pauses.focused : this.#pauses.unfocused);
    if (sweeps) {
      this.#show({ state: "idle", conversations, waiting, setAside, checkedAtMs: clock.nowMs() });
      await this.#saveStatus();
    } else this.#show({ ...(await this.#savedStatus()), state: "idle" });
    const others = changed.filter((id) => id !== active.session?.opened.id);
    if (others.length > 0) this.#placed.fire(others);
  }

  #fail(problem: ReplicationProblem): void {
    this.#services.log.info(`Replication: ${JSON.stringify(problem)}`);
    this.#show({ ...this.#status, state: "failed", problem });
    const retryAfterMs = problem.code === "REPLICA_FAILED" ? (problem.retryAfterMs ?? 0) : 0;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, this.#pauses.longest);
    this.#later(Math.max(pauseMs, retryAfterMs));
  }

  #show(status: ReplicaStatus): void {
    this.#status = status;
    this.#changed.fire();
  }

  /** False while another window of this machine does. */
  async #mayWorkOnAll(): Promise<boolean> {
    if (this.#lease !== undefined) return true;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      this.#services.log.error(fileFailure(error).detail);
      return false;
    }
    const taken = await acquireLease(this.#folder);
    if (taken.ok) this.#lease = taken.value;
    return taken.ok;
  }

  async #savedStatus(): Promise<ReplicaStatus> {
    const text = await undefinedIfMissing(nodeFiles.readText(path.join(this.#folder, STATUS_FILE))).catch(fileFailure);
    const read = parseJson(typeof text === "string" ? text : "");
    const value = read.ok ? read.value : undefined;
    const checkedAtMs = countIn(value, "checkedAtMs");
    return {
      state: "idle",
      conversations: countIn(value, "conversations"),
      waiting: countIn(value, "waiting"),
      setAside: listIn(value, "setAside").map(String),
      ...(checkedAtMs === 0 ? {} : { checkedAtMs }),
    };
  }

  /** For other windows, and for the next one. */
  async #saveStatus(): Promise<void> {
    const { conversations, waiting, setAside, checkedAtMs } = this.#status;
    const text = JSON.stringify({ conversations, waiting, setAside, checkedAtMs });
    try {
      await replaceFile(nodeFiles, path.join(this.#folder, STATUS_FILE), text);
    } catch (error) {
      this.#services.log.error(fileFailure(error).detail);
    }
  }

  get #folder(): string {
    return path.join(this.#services.folders.storage, "replica");
  }
}

const NOT_RUNNING = err({ code: "CANCELLED" } as const);

function machineIdIn(memento: ReplicationServices["memento"]): string {
  const known = memento.get(MACHINE);
  if (typeof known === "string" && known.length === MACHINE_DIGITS) return known;
  const id = hexOf(objectCipher.newKey()).slice(0, MACHINE_DIGITS);
  memento.update(MACHINE, id);
  return id;
}
