/**
 * Simulated power cuts: whatever was not synced survives or not, per sector and per file name. A native SQLite checks
 * the file's integrity and that all acknowledged commits survived. Also covers creating, migrating and rescuing files.
 */

import fs from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { SCHEMA_VERSION } from "../src/adapters/sqlite/schema.ts";
import { ERASED_TEXT } from "../src/core/history/erasure.ts";
import { messageId } from "../src/core/ids.ts";
import { textOf } from "../src/core/message.ts";
import { erasureOf } from "../test/contracts/eraseCases.ts";
import { nodeFileCalls } from "../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs } from "../src/adapters/sqlite/engine/sqlJsShim.ts";
import { FaultyCalls } from "../test/support/storage/faultyCalls.ts";
import { LocalStores } from "../test/support/storage/localStore.ts";
import { judge, type Verdict } from "../test/support/storage/nativeJudge.ts";
import { makeVersion, migrateTo, shapeOfFile } from "../test/support/storage/schemaVersions.ts";
import { SQL_JS_FILE } from "../test/support/storage/sqliteStore.ts";
import { addMessage, addRow, step, temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { expectedVerdict, type ScenarioCommit } from "../test/support/storage/storeScenarios.ts";
import { RecordedDisk, type RandomBelow } from "./support/recordedDisk.ts";

const CUTS = 600;
const CUTS_IN_FULL = 6_000;
const DATABASE = "conversation.sqlite";
const RESCUED_MESSAGES = 60;
const ERASED = 20;
const SECRET = "OpenSesame4711quux";

const figures = { cuts: 0, corrupt: 0, ackedLost: 0 };

/** Half of the cuts hit writing; a sixth each the rescue, erasing and the migrations. */
export async function run({ full, rounds = full ? CUTS_IN_FULL : CUTS }: BenchOptions): Promise<BenchReport> {
  const root = temporaryFolder();
  const random = randomSource(20_240_607);
  const sixth = Math.ceil(rounds / 6);
  await cutWriting(join(root.path, "writing"), { cuts: 3 * sixth, random });
  await cutRescue(join(root.path, "rescue"), { cuts: sixth, random });
  await cutErasing(join(root.path, "erasing"), { cuts: sixth, random });
  for (let version = 1; version <= SCHEMA_VERSION; version++) {
    const cuts = Math.ceil(sixth / SCHEMA_VERSION);
    await cutMigration(join(root.path, `migration-${version}`), version, { cuts, random });
  }
  root.remove();
  return { figures };
}

interface Cuts {
  readonly cuts: number;
  readonly random: RandomBelow;
}

/** Two sessions: creating the file, streaming, checkpoints, closing, reopening. */
async function cutWriting(folder: string, { cuts, random }: Cuts): Promise<void> {
  fs.mkdirSync(folder);
  const disk = new RecordedDisk(folder);
  const stores = await LocalStores.load(new FaultyCalls(disk.calls));
  const commits = workload();
  let done = 0;
  for (const share of [commits.slice(0, commits.length / 2), commits.slice(commits.length / 2)]) {
    const opened = stores.open(folder);
    if (!opened.ok) throw new Error(opened.error.detail);
    for (const writes of share) {
      const stored = opened.value.commit(writes);
      if (!stored.ok) throw new Error(stored.error.detail);
      disk.acknowledge(++done);
      if (done % 20 === 0) opened.value.fillIndex(2);
    }
    opened.value.close();
  }
  const image = `${folder}-image`;
  forCuts(disk, { cuts, random }, (cut) => {
    writeImage(image, disk.imageAt(cut, random));
    const acknowledged = disk.acknowledgedAt(cut);
    const verdict = judged(image);
    if (verdict?.integrity !== "ok") figures.corrupt++;
    // One more commit than acknowledged may survive, never one less.
    else if (![0, 1].some((more) => isDeepStrictEqual(verdict, stateAfter(commits, acknowledged + more))))
      figures.ackedLost++;
  });
}

/** Rescue of a file without its first page: every message must be restored, whenever the power fails. */
async function cutRescue(folder: string, { cuts, random }: Cuts): Promise<void> {
  fs.mkdirSync(folder);
  const quiet = await LocalStores.load(
    new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }),
  );
  const opened = quiet.open(folder);
  if (!opened.ok) throw new Error(opened.error.detail);
  for (let id = 0; id < RESCUED_MESSAGES; id++)
    opened.value.commit([addMessage(id, `message ${id} `.repeat(1 + 7 * id))]);
  opened.value.close();
  const bytes = fs.readFileSync(join(folder, DATABASE)).fill(0, 0, 4096);
  fs.writeFileSync(join(folder, DATABASE), bytes);
  const disk = new RecordedDisk(folder);
  const rescued = (await LocalStores.load(new FaultyCalls(disk.calls))).rescue(folder);
  if (!rescued.ok) throw new Error(rescued.error.detail);
  const image = `${folder}-image`;
  forCuts(disk, { cuts, random }, (cut) => {
    writeImage(image, disk.imageAt(cut, random));
    const again = quiet.open(image);
    if (again.ok) again.value.close();
    else if (again.error.reason !== "damaged" || !quiet.rescue(image).ok) figures.corrupt++;
    const verdict = judged(image);
    if (verdict?.integrity !== "ok") figures.corrupt++;
    else if (verdict.messages < RESCUED_MESSAGES) figures.ackedLost++;
  });
}

/** Erasing: all messages survive; the erased one may be intact before the acknowledgement, and is gone after it. */
async function cutErasing(folder: string, { cuts, random }: Cuts): Promise<void> {
  fs.mkdirSync(folder);
  const text = (id: number): string => (id === ERASED ? SECRET : `message ${id} `.repeat(1 + 7 * id));
  const quiet = await LocalStores.load();
  const filled = quiet.open(folder);
  if (!filled.ok) throw new Error(filled.error.detail);
  for (let id = 0; id < RESCUED_MESSAGES; id++) filled.value.commit([addMessage(id, text(id))]);
  filled.value.fillIndex();
  filled.value.close();
  const disk = new RecordedDisk(folder);
  const opened = (await LocalStores.load(new FaultyCalls(disk.calls))).open(folder);
  if (!opened.ok || !opened.value.erase(erasureOf([ERASED], text)).ok) throw new Error("not erased");
  disk.acknowledge(1);
  opened.value.commit([{ kind: "draft", text: "after" }]);
  opened.value.close();
  const image = `${folder}-image`;
  forCuts(disk, { cuts, random }, (cut) => {
    writeImage(image, disk.imageAt(cut, random));
    const isAcknowledged = disk.acknowledgedAt(cut) > 0;
    const hasTrace = fs.readdirSync(image).some((name) => fs.readFileSync(join(image, name)).includes(SECRET));
    if (judged(image)?.integrity !== "ok") figures.corrupt++;
    else if (isAcknowledged && hasTrace) figures.ackedLost++;
    else if (!hasAllMessages(quiet, image, text)) figures.corrupt++;
  });
}

function hasAllMessages(stores: LocalStores, folder: string, text: (id: number) => string): boolean {
  const opened = stores.open(folder);
  if (!opened.ok) return false;
  const read = opened.value.readMessages(
    Array.from({ length: opened.value.shape.messageCount }, (_, id) => messageId(id)),
  );
  opened.value.close();
  if (!read.ok || read.value.length !== RESCUED_MESSAGES) return false;
  return read.value.every(({ entry: { id }, message }) => {
    return textOf(message) === text(id) || (id === ERASED && textOf(message) === ERASED_TEXT);
  });
}

/** Migration to the next version (of the newest: to a made-up one): the file is old or new, with every message. */
async function cutMigration(folder: string, version: number, { cuts, random }: Cuts): Promise<void> {
  fs.mkdirSync(folder);
  makeVersion(await loadSqlJs(SQL_JS_FILE, nodeFileCalls), folder, version, RESCUED_MESSAGES);
  const old = shapeOfFile(folder);
  const disk = new RecordedDisk(folder);
  migrateTo(await loadSqlJs(SQL_JS_FILE, disk.calls), folder, version + 1);
  const migrated = shapeOfFile(folder);
  const image = `${folder}-image`;
  forCuts(disk, { cuts, random }, (cut) => {
    writeImage(image, disk.imageAt(cut, random));
    const verdict = judged(image);
    const shape = verdict && shapeOfFile(image);
    const isOldOrNew = isDeepStrictEqual(shape, old) || isDeepStrictEqual(shape, migrated);
    if (verdict?.integrity !== "ok" || !isOldOrNew) figures.corrupt++;
    else if (verdict.messages < RESCUED_MESSAGES) figures.ackedLost++;
  });
}

function forCuts(disk: RecordedDisk, { cuts, random }: Cuts, check: (cut: number) => void): void {
  for (let index = 0; index < cuts; index++) {
    check(disk.begins + random(disk.length - disk.begins + 1));
    figures.cuts++;
  }
}

/** Commits of all kinds and sizes, enough for checkpoints. */
function workload(): readonly ScenarioCommit[] {
  const commits: ScenarioCommit[] = [];
  let id = 0;
  for (let turn = 0; turn < 20; turn++) {
    const answer = step(turn);
    commits.push([addMessage(id++, "question ".repeat(1 + ((turn * 7_919) % 4_000)))]);
    commits.push([addRow(answer, 0, "{}", "begin")]);
    for (let seq = 1; seq <= 12; seq++) commits.push([addRow(answer, seq, "piece ".repeat(1 + ((seq * turn) % 50)))]);
    commits.push([addMessage(id++, "answer ".repeat(20_000), answer), { kind: "journalDrop", stepId: answer }]);
    commits.push([{ kind: "draft", text: `draft ${turn}` }]);
  }
  return commits;
}

function stateAfter(commits: readonly ScenarioCommit[], count: number): Verdict {
  return expectedVerdict(commits.slice(0, count).map((writes) => [writes, true] as const));
}

function judged(folder: string): Verdict | undefined {
  try {
    return judge(folder);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return undefined;
  }
}

function writeImage(folder: string, image: ReadonlyMap<string, Buffer>): void {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  for (const [path, bytes] of image) fs.writeFileSync(join(folder, path.slice(dirname(path).length + 1)), bytes);
}

function randomSource(seed: number): RandomBelow {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
