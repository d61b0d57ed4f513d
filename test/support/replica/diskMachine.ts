/** A machine with conversations on a disk, and the server that replicates them, without its thread. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NO_WATCHER } from "../../../src/adapters/node/lease.ts";
import { DATABASE_FILE } from "../../../src/adapters/sqlite/databaseFile.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, stepId, type ConversationId, type MessageId } from "../../../src/core/ids.ts";
import { textMessage, textOf, type Message, type Role } from "../../../src/core/message.ts";
import { ConversationCopy } from "../../../src/core/replica/conversationCopy.ts";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import type { PublishedRecord } from "../../../src/core/replica/wireRecord.ts";
import type { RootKey } from "../../../src/core/replica/replicaRoot.ts";
import type { Result } from "../../../src/core/result.ts";
import { ClosedConversations } from "../../../src/host/replica/thread/closedConversations.ts";
import { ReplicaServer } from "../../../src/host/replica/thread/replicaServer.ts";
import type {
  CheckFailed,
  CheckReport,
  CheckRequest,
  ReplicaStart,
} from "../../../src/host/replica/replicaProtocol.ts";
import { buildReplicaDist } from "./replicaDist.ts";
import { SQL_JS_FILE } from "../storage/sqliteStore.ts";

/** Folder in the storage. */
const DIST = "dist";
/** Channel that nobody listens to. */
const NOBODY = "nobody";
const TOKENS = { cl100k: 3, o200k: 3 };

export interface DiskMachineOptions {
  readonly name: string;
  readonly place: LogReplica;
  readonly root: RootKey;
  /** It may have so many conversations that another thread helps. */
  readonly hasMany?: boolean;
}

export class DiskMachine {
  readonly storage: string;
  readonly closed: ClosedConversations;
  readonly #options: DiskMachineOptions;
  #server: ReplicaServer | undefined;
  #isFirst = true;
  #said = 0;

  private constructor(options: DiskMachineOptions, storage: string, shim: SqlJsShim) {
    this.#options = options;
    this.storage = storage;
    this.closed = new ClosedConversations({
      storage,
      shim,
      countTokens: () => Promise.resolve(TOKENS),
      leases: NO_WATCHER,
    });
  }

  static async create(options: DiskMachineOptions): Promise<DiskMachine> {
    const storage = await mkdtemp(join(tmpdir(), "forge-machine-"));
    for (const folder of ["conversations", "replica"]) mkdirSync(join(storage, folder));
    if (options.hasMany === true) await buildReplicaDist(join(storage, DIST));
    const shim = await loadSqlJs(SQL_JS_FILE, nodeFileCalls, { reservesLogs: false });
    return new DiskMachine(options, storage, shim);
  }

  startOf(leaseChannel: string): ReplicaStart {
    const { name, root } = this.#options;
    return {
      servesReplica: true,
      storage: this.storage,
      dist: join(this.storage, DIST),
      root,
      machineId: Buffer.from(name).toString("hex").padEnd(16, "0").slice(0, 16),
      machineName: name,
      isPacked: true,
      leaseChannel,
    };
  }

  get server(): ReplicaServer {
    return (this.#server ??= new ReplicaServer(this.startOf(NOBODY), {
      place: this.#options.place,
      closed: this.closed,
      openConversation: () => assert.fail("none is open"),
      leases: NO_WATCHER,
    }));
  }

  /** As after a crash of the window. */
  restart(): void {
    this.#server = undefined;
    this.#isFirst = true;
  }

  async check(scope: CheckRequest["scope"] = "news"): Promise<Result<CheckReport, CheckFailed>> {
    const checked = await this.server.check({ scope, sweeps: true, isFirst: this.#isFirst });
    this.#isFirst = false;
    return checked;
  }

  async ask(id: ConversationId, text: string): Promise<void> {
    const { history } = await this.#copy(id);
    const question = messageId(history.length);
    await this.#commit(id, [
      this.#message("user", question, question, text),
      this.#message("assistant", messageId(question + 1), question, `Answer to ${text}`),
    ]);
  }

  /** In one transaction. */
  store(id: ConversationId, records: readonly ConversationRecord[]): Promise<void> {
    return this.#commit(id, records);
  }

  async erase(id: ConversationId, ids: readonly MessageId[]): Promise<void> {
    const file = this.closed.file(id);
    const erased = await file.erase(ids);
    await file.release();
    assert.ok(erased.ok);
    this.#server?.noteChanged(id);
  }

  remove(): void {
    rmSync(this.storage, { recursive: true });
  }

  get conversations(): readonly string[] {
    return readdirSync(join(this.storage, "conversations")).toSorted();
  }

  fileOf(id: ConversationId): string {
    return join(this.storage, "conversations", id, DATABASE_FILE);
  }

  /** Visible texts, in their order. */
  async shown(id: ConversationId): Promise<readonly string[]> {
    const { history } = await this.#copy(id);
    return (await this.records(id)).flatMap((record) =>
      record.kind === "message" && history.isVisible(history.entry(record.entry.id)) ? [textOf(record.message)] : [],
    );
  }

  async all(id: ConversationId): Promise<readonly string[]> {
    return (await this.records(id)).flatMap((record) => (record.kind === "message" ? [textOf(record.message)] : []));
  }

  async #copy(id: ConversationId): Promise<ConversationCopy> {
    const copy = new ConversationCopy();
    for (const record of await this.records(id)) copy.apply(record);
    return copy;
  }

  async records(id: ConversationId): Promise<readonly ConversationRecord[]> {
    const file = this.closed.file(id);
    const records: ConversationRecord[] = [];
    for (;;) {
      const page = await file.read(records.length);
      assert.ok(page.ok, JSON.stringify(page));
      if (page.value.length === 0) break;
      records.push(...page.value.map(parsed));
    }
    await file.release();
    return records;
  }

  async #commit(id: ConversationId, records: readonly ConversationRecord[]): Promise<void> {
    const file = this.closed.file(id);
    const stored = await file.commit(records);
    await file.release();
    assert.ok(stored.ok && stored.value === "stored");
    this.#server?.noteChanged(id);
  }

  #message(role: Role, id: MessageId, turn: MessageId, text: string): ConversationRecord {
    const said = ++this.#said;
    const step = stepId(`${this.#options.name}-${String(said).padStart(34, "0")}`);
    const entry = { id, role, turn, state: "complete", createdAtMs: said, tokens: TOKENS, step } as const;
    return { kind: "message", entry, message: textMessage(role, text) };
  }
}

function parsed(record: PublishedRecord): ConversationRecord {
  if (record.kind !== "entry") return record;
  return { kind: "message", entry: record.entry, message: JSON.parse(Buffer.from(record.json).toString()) as Message };
}
