/**
 * Time of the first sending of many conversations into a folder, compared with a plain loop that reads the same texts,
 * deflates, encrypts and writes them in the same number of files, each synced as the folder's are. In turn.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCipheriv, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { nodeFolderCalls } from "../../../src/adapters/node/replica/folderCalls.ts";
import { ReplicaFolder } from "../../../src/adapters/node/replica/replicaFolder.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import { DiskMachine } from "../../../test/support/replica/diskMachine.ts";
import { median } from "../../../scripts/benchmark.ts";
import { checked, copyConversation, numbered, rootIn, syncFile } from "./disks.ts";
import { generatedTalk } from "./sizes.ts";

/** As the replica's cipher does. */
const LEVEL = 6;
const MESSAGES = 1_000;
/** Two runs of the same code differ by a tenth and more. */
const PAIRS = 4;

const compress = promisify(deflateRaw);

export async function firstSync(megabytes: number): Promise<Readonly<Record<string, number>>> {
  const records = generatedTalk(MESSAGES);
  const bytes = Buffer.byteLength(linesOf(records));
  const count = Math.ceil((megabytes * 1e6) / bytes);
  const syncs: Timed[] = [];
  const loops: Timed[] = [];
  let files = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const sync = await syncing(records, count);
    files = sync.files;
    syncs.push(sync);
    loops.push(await looping(records, count, files));
  }
  const medianOf = (runs: readonly Timed[], of: keyof Timed): number => median(runs.map((each) => each[of]));
  const [syncMs, loopMs] = [medianOf(syncs, "ms"), medianOf(loops, "ms")];
  return {
    firstSyncRatio: Math.round((100 * syncMs) / loopMs) / 100,
    firstSyncCpuRatio: Math.round((100 * medianOf(syncs, "cpuMs")) / medianOf(loops, "cpuMs")) / 100,
    firstSyncMegabytes: Math.round((count * bytes) / 1e6),
    firstSyncFiles: files,
    firstSyncSeconds: Math.round(syncMs / 100) / 10,
    plainLoopSeconds: Math.round(loopMs / 100) / 10,
  };
}

interface Timed {
  readonly ms: number;
  /** Of all threads: hardly depends on what else the machine does. */
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1_000 };
}

function linesOf(records: readonly ConversationRecord[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}

async function syncing(
  records: readonly ConversationRecord[],
  count: number,
): Promise<Timed & { readonly files: number }> {
  const root = mkdtempSync(join(tmpdir(), "forge-replica-"));
  const folder = new ReplicaFolder(root);
  let files = 0;
  const place: LogReplica = {
    put: (name, bytes, cancel) => {
      files++;
      return folder.put(name, bytes, cancel);
    },
    get: (name, cancel) => folder.get(name, cancel),
    list: (prefix, page, cancel) => folder.list(prefix, page, cancel),
    delete: (name, cancel) => folder.delete(name, cancel),
  };
  const machine = await DiskMachine.create({ name: "desktop", root: await rootIn(place), place, hasMany: true });
  try {
    const [first, ...others] = Array.from({ length: count }, (_, at) => numbered(at + 1));
    if (first === undefined) throw new Error("there is one at least");
    await machine.store(first, records);
    copyConversation(machine, first, others);
    files = 0;
    const sending = await timed(() => checked(machine, "all"));
    return { ...sending, files };
  } finally {
    rmSync(root, { recursive: true });
    machine.remove();
  }
}

/** One file after the other, in a folder for each conversation. */
async function looping(records: readonly ConversationRecord[], count: number, files: number): Promise<Timed> {
  const root = mkdtempSync(join(tmpdir(), "forge-loop-"));
  try {
    const sources = Array.from({ length: count }, (_, at) => join(root, `${String(at)}.jsonl`));
    for (const source of sources) {
      writeFileSync(source, linesOf(records));
      syncFile(source);
    }
    return await timed(async () => {
      for (const [at, source] of sources.entries()) {
        const folder = join(root, String(at));
        mkdirSync(folder);
        await nodeFolderCalls.syncFolder(root);
        const key = randomBytes(32);
        const cipher = createCipheriv("aes-256-gcm", key, Buffer.alloc(12));
        const deflated = await compress(readFileSync(source), { level: LEVEL });
        const sealed = Buffer.concat([cipher.update(deflated), cipher.final(), cipher.getAuthTag()]);
        for (let file = 0; file < Math.round(files / count); file++) {
          await nodeFolderCalls.writeNew(join(folder, String(file)), file === 0 ? sealed : key, 0o600);
          await nodeFolderCalls.syncFolder(folder);
        }
      }
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}
