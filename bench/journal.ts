/**
 * Cost of making every delta durable before it is shown, compared with the minimum: appending the same bytes to a file
 * and syncing it. All on the same disk, alternating.
 */

import fs from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { type BenchReport, median } from "../scripts/benchmark.ts";
import type { ConversationStore } from "../src/core/store/conversationStore.ts";
import { openStore } from "../test/support/storage/sqliteStore.ts";
import { addRow, step, temporaryFolder } from "../test/support/storage/storeBuilders.ts";

const DELTA = "delta text, about sixty bytes long, as a model streams words.";
const BLOCKS = 20;
const PER_BLOCK = 50;
const RATE_PER_SECOND = 200;
const SECONDS = 5;

/** Runs all measurements (about 20 s). */
export async function run(): Promise<BenchReport> {
  const ratios = await besideTheLeast();
  const quick = await atRate({});
  const slow = await atRate({
    workerFile: fileURLToPath(new URL("../test/support/storage/slowWorker.ts", import.meta.url)),
  });
  return {
    figures: {
      ratioVsRawFsyncP50: round(ratios.store),
      deltasPerSecondAt10msFsync: round(slow.durablePerSecond),
      lagP99MsAt200PerSecond: round(quick.lagP99Ms),
      hostLoopP99Ms: round(quick.loopP99Ms),
      hostLoopMaxMs: round(quick.loopMaxMs),
      lagP50MsAt10msFsync: round(slow.lagP50Ms),
    },
    peers: { nodeSqliteRatioVsRawFsyncP50: round(ratios.native), rawAppendFsyncMs: round(ratios.rawMs) },
  };
}

/** One delta at a time through the store, through Node's native SQLite, and as bare bytes, in turn. */
async function besideTheLeast() {
  const folder = temporaryFolder();
  const store = await openStore(folder.path);
  await store.commit([addRow(step(1), 0, "{}", "begin")]);
  const native = openNative(join(folder.path, "native.sqlite"));
  const raw = fs.openSync(join(folder.path, "raw"), "a", 0o600);
  const times = { store: [] as number[], native: [] as number[], raw: [] as number[] };
  let seq = 0;
  for (let block = 0; block < BLOCKS; block++) {
    for (let index = 0; index < PER_BLOCK; index++) {
      seq++;
      times.store.push(await timed(() => store.commit([addRow(step(1), seq, DELTA)])));
    }
    for (let index = 0; index < PER_BLOCK; index++) times.native.push(await timed(() => native.add(DELTA)));
    for (let index = 0; index < PER_BLOCK; index++) {
      times.raw.push(
        await timed(() => {
          fs.writeSync(raw, DELTA);
          fs.fdatasyncSync(raw);
        }),
      );
    }
  }
  fs.closeSync(raw);
  native.close();
  await store.close();
  folder.remove();
  const rawMs = median(times.raw);
  return { store: median(times.store) / rawMs, native: median(times.native) / rawMs, rawMs };
}

/** The same table in native SQLite with the same durability. */
function openNative(file: string) {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
  database.exec(`CREATE TABLE journal(step_id TEXT, seq INTEGER, event_type TEXT, content TEXT, created_at INTEGER,
    sealed INTEGER, PRIMARY KEY(step_id, seq)) WITHOUT ROWID`);
  const insert = database.prepare("INSERT INTO journal VALUES(?, ?, 'text', ?, ?, 0)");
  let seq = 0;
  return {
    add: (text: string): void => {
      insert.run(step(1), seq++, JSON.stringify(text), Date.now());
    },
    close: (): void => {
      database.close();
    },
  };
}

/** Submits deltas at a fixed rate, whether or not earlier ones are durable. */
async function atRate(changes: Parameters<typeof openStore>[1]) {
  const folder = temporaryFolder();
  const store = await openStore(folder.path, changes);
  await store.commit([addRow(step(1), 0, "{}", "begin")]);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const lags: number[] = [];
  const began = performance.now();
  loop.enable();
  await offer(store, lags, began);
  const durablePerSecond = Math.min(
    RATE_PER_SECOND,
    lags.length / Math.max(SECONDS, (performance.now() - began) / 1_000),
  );
  loop.disable();
  await store.close();
  folder.remove();
  const sorted = lags.toSorted((a, b) => a - b);
  return {
    durablePerSecond,
    lagP50Ms: percentile(sorted, 0.5),
    lagP99Ms: percentile(sorted, 0.99),
    loopP99Ms: loop.percentile(99) / 1e6,
    loopMaxMs: loop.max / 1e6,
  };
}

async function offer(store: ConversationStore, lags: number[], began: number): Promise<void> {
  const total = RATE_PER_SECOND * SECONDS;
  const pending: Promise<void>[] = [];
  for (let made = 0; made < total;) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1_000) * RATE_PER_SECOND));
    for (; made < due; made++) {
      const called = performance.now();
      const stored = store.commit([addRow(step(1), made + 1, DELTA)]).then((result) => {
        if (!result.ok) throw new Error(result.error.detail);
        lags.push(performance.now() - called);
      });
      pending.push(stored);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
}

async function timed(action: () => unknown): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
