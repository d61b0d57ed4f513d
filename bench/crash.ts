/**
 * Kills processes while they stream answers and run tools: at random, and at file calls of every named step. The next
 * process must find everything that was shown; a native SQLite checks the file in between.
 */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { runAndKill, type ChildOutput } from "../test/support/storage/killedChild.ts";
import { keepFailedOpen } from "../test/support/storage/failedOpen.ts";
import { killedBatches } from "../test/support/storage/killedBatches.ts";
import { judge } from "../test/support/storage/nativeJudge.ts";
import { temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { bundled, type Bundled } from "./support/bundled.ts";
import { killedMigrations } from "./support/killedMigrations.ts";

/** Approximate number of file calls per step: the kill happens at one of them. */
const CALLS_OF_STEPS: Readonly<Record<string, number>> = {
  create: 40,
  recover: 12,
  begin: 12,
  append: 40,
  seal: 12,
  commit: 16,
  tools: 40,
  index: 40,
  erase: 40,
  checkpoint: 6,
  lease: 10,
};
const STEPS = Object.keys(CALLS_OF_STEPS);
const ROUNDS = 40;
const ROUNDS_IN_FULL = 300;
const NEW_FOLDER_EVERY = 20;
/** Increment of the call number from one kill of a step to the next, starting at the first call. */
const SPREAD = 7;

const figures = {
  rounds: 0,
  shown: 0,
  lost: 0,
  integrityErrors: 0,
  failedOpens: 0,
  orphanToolCalls: 0,
  callsRunTwice: 0,
  stepsNeverKilled: 0,
  recoverMsMax: 0,
};
/** Number of kills by step. */
const kills: Record<string, number> = Object.fromEntries([...STEPS, "migrate", "random"].map((step) => [step, 0]));

/** Half of the rounds are killed at random times, half at the named steps in turn. */
export async function run({ full, rounds = full ? ROUNDS_IN_FULL : ROUNDS }: BenchOptions): Promise<BenchReport> {
  const root = temporaryFolder();
  const shipped = await bundled(new URL("support/crashingChild.ts", import.meta.url));
  let folder = "";
  let before = NOTHING;
  for (let round = 0; round < rounds; round++) {
    const place = (round - 1) / 2;
    const step = round % 2 === 0 ? "worker" : (STEPS[place % STEPS.length] ?? "worker");
    const nth = (Math.floor(place / STEPS.length) * SPREAD) % (CALLS_OF_STEPS[step] ?? 1);
    if (round % NEW_FOLDER_EVERY === 0 || step === "create") {
      folder = join(root.path, String(round));
      mkdirSync(folder);
      before = NOTHING;
    }
    before = await oneRound(shipped, { folder, step, nth }, before);
  }
  // The last kill of each folder is checked, too.
  for (const name of readdirSync(root.path))
    await oneRound(shipped, { folder: join(root.path, name), step: "look", nth: 0 }, NOTHING);
  await killBatches(join(root.path, "batches"), Math.max(16, rounds / 2));
  const migrations = await killedMigrations(join(root.path, "migrations"), Math.max(10, rounds / 4));
  figures.integrityErrors += migrations.wrong;
  figures.rounds += migrations.kills;
  kills["migrate"] = migrations.kills;
  figures.stepsNeverKilled = Object.values(kills).filter((times) => times === 0).length;
  console.log(
    `killed: ${Object.entries(kills)
      .map(([step, times]) => `${step} ${times}`)
      .join(", ")}`,
  );
  root.remove();
  shipped.remove();
  return { figures };
}

async function killBatches(root: string, times: number): Promise<void> {
  const tools = await bundled(new URL("../test/support/storage/toolsChild.ts", import.meta.url));
  const found = await killedBatches(root, pathToFileURL(tools.child).href, times);
  tools.remove();
  figures.rounds += found.kills;
  figures.orphanToolCalls += found.orphanToolCalls;
  figures.callsRunTwice += found.callsRunTwice;
  figures.lost += found.lost;
  figures.integrityErrors += found.integrityErrors;
  figures.failedOpens += found.failedOpens;
}

/** Acknowledged state of earlier children: numbers up to `shown`, and ids of erased messages. */
interface Before {
  readonly shown: number;
  readonly erased: readonly string[];
}
const NOTHING: Before = { shown: 0, erased: [] };

interface Round {
  readonly folder: string;
  readonly step: string;
  /** Number of the step's file call at which it kills itself. */
  readonly nth: number;
}

async function oneRound({ child, worker }: Bundled, { folder, step, nth }: Round, before: Before): Promise<Before> {
  const args = [folder, step, String(nth), worker];
  const random = step === "worker" ? { killAfterMs: Math.random() * 250, killAfterLine: "found " } : {};
  const output = await runAndKill({ script: pathToFileURL(child).href, args, ...random });
  if (judge(folder).integrity !== "ok") figures.integrityErrors++;
  figures.rounds++;
  if (output.signal === "SIGKILL") {
    const where = step === "worker" ? "random" : step;
    kills[where] = (kills[where] ?? 0) + 1;
  }
  return tally(output, before, step, folder);
}

/** Counts the results of a child. Returns what the next one must, and must not, find. */
function tally(output: ChildOutput, before: Before, step: string, folder: string): Before {
  const { lines, signal } = output;
  const erased = [...before.erased, ...lines.filter((line) => line.startsWith("erased ")).map((line) => line.slice(7))];
  const secrets =
    lines
      .find((line) => line.startsWith("secrets "))
      ?.split(" ")
      .slice(1) ?? [];
  figures.lost += before.erased.filter((id) => secrets.includes(id)).length;
  const shown = lines.filter((line) => line.startsWith("shown ")).map((line) => Number(line.slice(6)) + 1);
  const [, found, gapless, recoverMs] = lines.find((line) => line.startsWith("found "))?.split(" ") ?? [];
  figures.orphanToolCalls += Number(lines.find((line) => line.startsWith("orphans "))?.slice(8) ?? 0);
  if (found === undefined) {
    // A child that kills itself while opening reports nothing; any other must.
    const isOwnKill = signal === "SIGKILL" && ["create", "recover", "lease"].includes(step);
    if (!isOwnKill) {
      figures.failedOpens++;
      keepFailedOpen(step, folder, output);
    }
    return { shown: before.shown, erased };
  }
  figures.lost += Math.max(0, before.shown - Number(found)) + (gapless === "gapless" ? 0 : 1);
  figures.shown += shown.length;
  figures.recoverMsMax = Math.max(figures.recoverMsMax, Number(recoverMs));
  return { shown: Math.max(Number(found), ...shown), erased };
}
