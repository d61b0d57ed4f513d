/**
 * Random schedules of three machines that replicate one conversation, with kills at every write, times without the place
 * and faults of it; and the size of what a replica holds.
 */

import { objectCipher } from "../src/adapters/node/objectCipher.ts";
import { textOf } from "../src/core/message.ts";
import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { Dice } from "../test/support/texts/talk/names.ts";
import { MACHINE_ACTS, sharedTrees } from "../test/support/replica/machineActs.ts";
import { MemoryReplica, RecordingPlace } from "../test/support/replica/memoryReplica.ts";
import type { PutFault } from "../test/support/replica/replicaFaults.ts";
import { ReplicatedMachine } from "../test/support/replica/replicatedMachine.ts";
import { evenTalk } from "./support/evenTalk.ts";

const SCHEDULES = 2_000;
const SCHEDULES_IN_FULL = 10_000;
const STEPS = 30;
const MOST_EFFECTS = 24;
/** After them nobody has anything left to do. */
const QUIET_ROUNDS = 4;
const MESSAGES = 1_000;
/** Published one by one, as people talk. */
const TURNS_AT_ONCE = 1;

const KEY = objectCipher.newKey();
const KEYS = { newest: { id: "0123456789abcdef", key: KEY }, of: () => KEY };
const ACTS = Object.values(MACHINE_ACTS);
const FAULTS: readonly PutFault[] = ["dropped", "answerLost", "doubled", "half"];

export async function run({ full }: BenchOptions): Promise<BenchReport> {
  const schedules = full ? SCHEDULES_IN_FULL : SCHEDULES;
  const found = { lost: 0, overwritten: 0, divergedUnseen: 0, converged: 0 };
  for (let seed = 0; seed < schedules; seed++) {
    const { lost, overwritten, hasConverged, isQuiet } = await schedule(seed);
    found.lost += lost;
    found.overwritten += overwritten;
    if (hasConverged) found.converged++;
    else if (isQuiet) found.divergedUnseen++;
  }
  const { lost, overwritten, divergedUnseen, converged } = found;
  const sizes = await sizesOfTalk();
  const convergedPercent = (100 * converged) / schedules;
  return { figures: { schedules, lost, overwritten, divergedUnseen, convergedPercent, ...sizes } };
}

interface Outcome {
  /** Messages that a machine lacks at the end. */
  readonly lost: number;
  readonly overwritten: number;
  readonly hasConverged: boolean;
  /** No machine says that there is anything left to do. */
  readonly isQuiet: boolean;
}

async function schedule(seed: number): Promise<Outcome> {
  const dice = new Dice(seed);
  const place = new RecordingPlace();
  const machines = ["a", "b", "c"].map((name) => new ReplicatedMachine(name, new MemoryReplica(place), KEYS));
  for (let step = 0; step < STEPS; step++) {
    const machine = dice.of(machines);
    if (dice.chance(50)) dice.of(ACTS)(machine.machine, dice.below(MOST_EFFECTS));
    else if (dice.chance(40)) await machine.replicate();
    else if (dice.chance(40)) await machine.replicate(dice.below(MOST_EFFECTS));
    else if (dice.chance(30)) place.putFaults.push(dice.of(FAULTS));
    else if (dice.chance(50)) place.listed = dice.chance(50) ? place.list() : undefined;
    else machine.forgetCache();
  }
  place.putFaults.length = 0;
  place.listed = undefined;
  for (let round = 0; round < QUIET_ROUNDS; round++) for (const machine of machines) await machine.replicate();
  const reports = await Promise.all(machines.map((machine) => machine.replicate()));
  const isQuiet = reports.every(
    (report, at) =>
      report?.ok === true &&
      report.value.plan.missing.length + report.value.plan.fetch.length + report.value.unusable.length === 0 &&
      machines[at]?.waiting === 0,
  );
  const trees = sharedTrees(machines.map(({ machine }) => machine)).map((tree) => JSON.stringify(sorted(tree)));
  const all = new Set(machines.flatMap(({ machine }) => textsOf(machine)));
  const lost = machines.reduce((sum, { machine }) => {
    const here = new Set(textsOf(machine));
    return sum + [...all].filter((text) => !here.has(text)).length;
  }, 0);
  return { lost, overwritten: place.overwritten.size, hasConverged: new Set(trees).size === 1, isQuiet };
}

/** With the fields of each object by their names. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([name, field]) => [name, sorted(field)]),
  );
}

function textsOf({ records }: ReplicatedMachine["machine"]): readonly string[] {
  return records.flatMap((record) => (record.kind === "message" ? [textOf(record.message)] : []));
}

/** Of generated talk, published turn by turn. */
async function sizesOfTalk(): Promise<Readonly<Record<string, number>>> {
  const place = new RecordingPlace();
  const writer = new ReplicatedMachine("a", new MemoryReplica(place), KEYS);
  const talk = evenTalk({ questionTokens: 60, answerTokens: 300 }, 1);
  let textBytes = 0;
  for (let turn = 0; turn < MESSAGES / 2; turn++) {
    for (const message of talk.next().value.messages) {
      const text = textOf(message);
      textBytes += Buffer.byteLength(text);
      writer.machine.say(message.role, text);
    }
    if (turn % TURNS_AT_ONCE === 0) await writer.replicate();
  }
  await writer.replicate();
  const bytes = [...place.objects.values()].reduce((sum, each) => sum + each.length, 0);
  return {
    bytesPerTextByte: Math.round((100 * bytes) / textBytes) / 100,
    objectsPer1000Messages: (1_000 * place.objects.size) / MESSAGES,
    putBytesPerTextByte:
      Math.round((100 * [...place.ever.values()].reduce((sum, each) => sum + each.length, 0)) / textBytes) / 100,
  };
}
