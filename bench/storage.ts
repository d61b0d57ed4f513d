/**
 * What the store makes of everything that stands in its way: each file call of ten scenarios fails, once and for good, and
 * again while it recovers; files are damaged in every way; four processes want one conversation and are killed.
 */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { contend } from "../test/support/contention.ts";
import { damagedFiles } from "../test/support/damagedFiles.ts";
import { FaultRuns } from "../test/support/faultRuns.ts";
import { SCENARIOS } from "../test/support/storeScenarios.ts";

const PROCESSES = { processes: 4, operations: 2_000, killsOfEach: 5 };
const PROCESSES_IN_FULL = { processes: 4, operations: 10_000, killsOfEach: 25 };
const FILES = 1_000;
const FILES_IN_FULL = 10_000;

/** Runs all three, one after the other. */
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
      processOperations: contention.operations,
      processKills: contention.kills,
      processLost: contention.lost,
      processDoubled: contention.doubled,
      processTwoOwners: contention.twoOwners,
      processIntegrityErrors: contention.integrityErrors,
    },
  };
}
