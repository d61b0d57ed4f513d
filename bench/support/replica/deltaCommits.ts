/**
 * Time of a streamed delta's durable commit while the conversation is replicated in its thread and a turn is published
 * every few seconds, compared with no replication. In turn, in one store.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { projectDirectory } from "../../../scripts/command.ts";
import { median } from "../../../scripts/benchmark.ts";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import type { ReplicatedConversation, ReplicatedFileFailed } from "../../../src/core/replica/conversationReplica.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";
import { ReplicaThread } from "../../../src/host/replica/replicaThread.ts";
import { buildReplicaDist } from "../../../test/support/replica/replicaDist.ts";
import { openStore } from "../../../test/support/storage/sqliteStore.ts";
import { addRow, messageRecord, step, temporaryFolder } from "../../../test/support/storage/storeBuilders.ts";
import { numbered, rootIn } from "./disks.ts";

const DELTA = "delta text, about sixty bytes long, as a model streams words.";
const PER_SECOND = 50;
const SECONDS_PER_TURN = 2;
const PAGE = 256;
const ID = numbered(1);

/** Medians of four parts: off, on, off, on. */
export async function deltaCommits(secondsPerPart: number): Promise<Readonly<Record<string, number>>> {
  const folder = temporaryFolder();
  const dist = join(projectDirectory, "node_modules", ".cache", `forge-bench-${randomUUID()}`);
  for (const name of ["place", "storage", join("storage", "conversations"), join("storage", "replica")])
    mkdirSync(join(folder.path, name));
  await buildReplicaDist(dist);
  const place = new ReplicaFolder(join(folder.path, "place"));
  const root = await rootIn(place);
  const store = await openStore(folder.path);
  const conversation = new StoredConversation(ID, store);
  const start = {
    servesReplica: true,
    ...{ storage: join(folder.path, "storage"), dist, root, machineId: randomBytes(8).toString("hex") },
    ...{ machineName: "desktop", isPacked: true, leaseChannel: "nobody" },
  } as const;
  const thread = new ReplicaThread(start, {
    place,
    openConversation: (id) => (id === ID ? conversation : undefined),
    ended: (detail) => {
      throw new Error(detail);
    },
  });
  const times = { off: [] as number[], on: [] as number[] };
  let published = 0;
  try {
    for (const part of ["off", "on", "off", "on"] as const) {
      const running = { isOver: false };
      const turns = takeTurns(conversation, running, async () => {
        if (part === "off") return;
        const checked = await thread.order("check", { scope: "news", open: ID, sweeps: false, isFirst: false });
        if (!checked.ok) throw new Error(JSON.stringify(checked.error));
        published++;
      });
      times[part].push(...(await streamed(store, secondsPerPart)));
      running.isOver = true;
      await turns;
    }
  } finally {
    await thread.end();
    await store.close();
    folder.remove();
    rmSync(dist, { recursive: true });
  }
  const [offMs, onMs] = [median(times.off), median(times.on)];
  return {
    deltaCommitRatio: Math.round((100 * onMs) / offMs) / 100,
    deltaCommitMs: Math.round(100 * onMs) / 100,
    deltaTurnsPublished: published,
  };
}

/** A turn every few seconds, whether or not it is published. */
async function takeTurns(
  conversation: StoredConversation,
  running: { readonly isOver: boolean },
  publish: () => Promise<void>,
): Promise<void> {
  while (!running.isOver) {
    await conversation.say();
    await publish();
    await wait(SECONDS_PER_TURN * 1_000);
  }
}

/** Milliseconds of each commit, of deltas at an even rate. */
async function streamed(store: ConversationStore, seconds: number): Promise<readonly number[]> {
  const times: number[] = [];
  const of = step(Date.now() % 1e9);
  await store.commit([addRow(of, 0, "{}", "begin")]);
  for (let seq = 1; seq <= seconds * PER_SECOND; seq++) {
    const began = performance.now();
    const stored = await store.commit([addRow(of, seq, DELTA)]);
    if (!stored.ok) throw new Error(stored.error.detail);
    times.push(performance.now() - began);
    await wait(1_000 / PER_SECOND);
  }
  return times;
}

/** The open conversation, as a session gives it to its replica. */
class StoredConversation implements ReplicatedConversation {
  readonly id: ConversationId;
  readonly #store: ConversationStore;
  #recordCount = 0;
  #messages = 0;

  constructor(id: ConversationId, store: ConversationStore) {
    this.id = id;
    this.#store = store;
  }

  async say(): Promise<void> {
    const number = this.#messages++;
    const said = await this.commit([messageRecord(number, `${String(number)} ${DELTA.repeat(20)}`)]);
    if (!said.ok) throw new Error(JSON.stringify(said.error));
  }

  mayHaveSegments(): Promise<Result<boolean, never>> {
    return Promise.resolve(ok(true));
  }

  readIndex(from: number): ReturnType<ConversationStore["readIndex"]> {
    return this.#store.readIndex(from, PAGE);
  }

  async read(from: number): Promise<Result<readonly ConversationRecord[], ReplicatedFileFailed>> {
    const index = await this.readIndex(from);
    if (!index.ok) return index;
    const records: ConversationRecord[] = [];
    for (const record of index.value) {
      if (record.kind !== "entry") {
        records.push(record);
        continue;
      }
      const read = await this.#store.readMessages([record.entry.id]);
      if (!read.ok) return read;
      records.push(...read.value.map((stored) => ({ kind: "message", ...stored }) as const));
    }
    return ok(records);
  }

  async commit(
    records: readonly ConversationRecord[],
    at = this.#recordCount,
  ): Promise<Result<"stored" | "changed", ReplicatedFileFailed>> {
    if (at !== this.#recordCount) return ok("changed");
    this.#recordCount += records.length;
    const stored = await this.#store.commit(records.map((record) => ({ kind: "record", record })));
    return stored.ok ? ok("stored") : stored;
  }

  erase(): Promise<Result<void, ReplicatedFileFailed>> {
    return Promise.resolve(err({ code: "CONVERSATION_BUSY" }));
  }
}
