/**
 * Robustness of the store: each file call of ten scenarios fails once, permanently, and during recovery; files are
 * damaged in every way; four processes contend for one conversation and are killed.
 */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { contend } from "../test/support/storage/contention.ts";
import { damagedFiles } from "../test/support/storage/damagedFiles.ts";
import { FaultRuns } from "../test/support/storage/faultRuns.ts";
import { LocalStores } from "../test/support/storage/localStore.ts";
import { addMessage, temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { SCENARIOS } from "../test/support/storage/storeScenarios.ts";

const PROCESSES = { processes: 4, operations: 2_000, killsOfEach: 5 };
const PROCESSES_IN_FULL = { processes: 4, operations: 10_000, killsOfEach: 25 };
const INDEXED_MESSAGES = 1_200;
const SLICES = 400;
const FILES = 1_000;
const FILES_IN_FULL = 10_000;

export async function run({ full }: BenchOptions): Promise<BenchReport> {
  const faults = await FaultRuns.load();
  const found = SCENARIOS.map((scenario) => faults.of(scenario));
  faults.remove();
  const damaged = await damagedFiles(full ? FILES_IN_FULL : FILES);
  for (const words of [...found.flatMap(({ wrong }) => wrong), ...damaged.faults]) console.log(words);
  const contention = await contend(full ? PROCESSES_IN_FULL : PROCESSES);
  return {
    figures: {
      faultScenarios: found.length,
      faultRuns: 2 * found.reduce((sum, { calls }) => sum + calls, 0),
      faultsNoticed: found.reduce((sum, { noticed }) => sum + noticed, 0),
      faultsSilentOrLost: found.reduce((sum, { wrong }) => sum + wrong.length, 0),
      damagedFiles: damaged.files,
      damagedDeleted: damaged.deletions,
      damagedCrashes: damaged.crashes,
      damagedChangedWords: damaged.changedWords,
      damagedReadablePercent: Math.floor((10_000 * damaged.readable) / damaged.untouched) / 100,
      ...(await indexSlices()),
      processOperations: contention.operations,
      processKills: contention.kills,
      processLost: contention.lost,
      processDoubled: contention.doubled,
      processTwoOwners: contention.twoOwners,
      processIntegrityErrors: contention.integrityErrors,
    },
  };
}

/** Duration of one slice of filling the index, for which a concurrent commit waits. */
async function indexSlices(): Promise<{ readonly indexSliceP99Ms: number; readonly indexSliceMaxMs: number }> {
  const folder = temporaryFolder();
  const opened = (await LocalStores.load()).open(folder.path);
  if (!opened.ok) throw new Error(opened.error.detail);
  for (let id = 0; id < INDEXED_MESSAGES; id++) opened.value.commit([addMessage(id, wordsOf(id))]);
  const times: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const began = process.threadCpuUsage();
    opened.value.fillIndex(1);
    const { user, system } = process.threadCpuUsage(began);
    times.push((user + system) / 1_000);
  }
  opened.value.close();
  folder.remove();
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => Math.round(10 * (sorted[Math.floor(share * (SLICES - 1))] ?? Number.NaN)) / 10;
  return { indexSliceP99Ms: at(0.99), indexSliceMaxMs: at(1) };
}

/** Words with a natural distribution: some common, most rare. */
function wordsOf(id: number): string {
  const word = (place: number): string =>
    `w${Math.floor(60_000 * ((((id * 700 + place) * 7_919) % 10_007) / 10_007) ** 3)}`;
  return Array.from({ length: 700 }, (_, place) => word(place)).join(" ");
}
