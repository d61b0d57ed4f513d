/**
 * Random schedules of three machines that replicate one conversation: their persons' acts, times without the place, kills
 * at every write, clocks that jump by days, and faults of the place; and what the machines have once all is quiet.
 */

import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import type { ConversationKeys } from "../../../src/core/replica/sealedObject.ts";
import { textOf } from "../../../src/core/message.ts";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import { MACHINE_ACTS, sharedTrees } from "../../../test/support/replica/machineActs.ts";
import { NEVER_CANCELLED, type PutFault } from "../../../test/support/replica/replicaFaults.ts";
import { ReplicatedMachine } from "../../../test/support/replica/replicatedMachine.ts";
import { Dice } from "../../../test/support/texts/talk/names.ts";
import type { ScheduledPlace } from "./scheduledPlaces.ts";

const STEPS = 30;
const MOST_EFFECTS = 24;
/** After them nobody has anything left to do. */
const QUIET_ROUNDS = 4;
const DAY_MS = 24 * 60 * 60 * 1_000;
const MOST_DAYS = 400;

const KEY = objectCipher.newKey();
const KEYS: ConversationKeys = { newest: { id: "0123456789abcdef", key: KEY }, of: () => KEY };
const ACTS = Object.values(MACHINE_ACTS);
const FAULTS: readonly PutFault[] = ["dropped", "answerLost", "doubled", "half"];

export interface ScheduleFigures {
  readonly schedules: number;
  /** Messages that a machine lacks at the end. */
  readonly lost: number;
  /** Objects that were put, or are there, with other bytes than before. */
  readonly overwritten: number;
  /** Schedules after which the machines differ, and none says that there is anything left to do. */
  readonly divergedUnseen: number;
  readonly convergedPercent: number;
}

/** One after the other, of the seeds from 0 on. */
export async function runSchedules(
  schedules: number,
  makePlace: (seed: number) => ScheduledPlace | Promise<ScheduledPlace>,
): Promise<ScheduleFigures> {
  const found = { lost: 0, overwritten: 0, divergedUnseen: 0, converged: 0 };
  for (let seed = 0; seed < schedules; seed++) {
    const place = await makePlace(seed);
    try {
      const { lost, overwritten, hasConverged, isQuiet } = await schedule(seed, place);
      found.lost += lost;
      found.overwritten += overwritten;
      if (hasConverged) found.converged++;
      else if (isQuiet) found.divergedUnseen++;
    } finally {
      await place.remove();
    }
  }
  const { converged, ...faults } = found;
  return { schedules, ...faults, convergedPercent: (100 * converged) / schedules };
}

interface Outcome {
  readonly lost: number;
  readonly overwritten: number;
  readonly hasConverged: boolean;
  /** No machine says that there is anything left to do. */
  readonly isQuiet: boolean;
}

async function schedule(seed: number, place: ScheduledPlace): Promise<Outcome> {
  const dice = new Dice(seed);
  const puts = new NotedPuts();
  const machines = ["a", "b", "c"].map((name) => new ReplicatedMachine(name, puts.noting(place.open()), KEYS));
  await act(dice, machines, place);
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
  const overwritten = await puts.overwrittenIn(place.open());
  return { lost, overwritten, hasConverged: new Set(trees).size === 1, isQuiet };
}

/** Ends what it began of the place's faults. */
async function act(dice: Dice, machines: readonly ReplicatedMachine[], place: ScheduledPlace): Promise<void> {
  let endLag: (() => void) | undefined;
  let endFault: (() => void) | undefined;
  for (let step = 0; step < STEPS; step++) {
    const machine = dice.of(machines);
    if (dice.chance(50)) dice.of(ACTS)(machine.machine, dice.below(MOST_EFFECTS));
    else if (dice.chance(40)) await machine.replicate();
    else if (dice.chance(40)) await machine.replicate(dice.below(MOST_EFFECTS));
    else if (dice.chance(30)) place.fault(dice.of(FAULTS));
    else if (dice.chance(30)) {
      endLag?.();
      endLag = dice.chance(50) ? place.lag() : undefined;
    } else if (dice.chance(30)) {
      endFault?.();
      endFault = dice.chance(50) ? dice.of(place.lasting)() : undefined;
    } else if (dice.chance(30)) machine.machine.nowMs += DAY_MS * dice.between(-MOST_DAYS, MOST_DAYS);
    else if (dice.chance(50)) place.cutAnswer();
    else machine.forgetCache();
  }
  endFault?.();
  endLag?.();
  place.endFaults();
}

/** Notes what machines put, as they would: the bytes of a name are always those that it had first. */
class NotedPuts {
  readonly #first = new Map<string, Uint8Array>();
  readonly #overwritten = new Set<string>();

  noting(place: LogReplica): LogReplica {
    return {
      put: (name, bytes, cancel) => {
        const first = this.#first.get(name);
        if (first === undefined) this.#first.set(name, bytes);
        else if (!isBeginning(bytes, first) || bytes.length !== first.length) this.#overwritten.add(name);
        return place.put(name, bytes, cancel);
      },
      get: (name, cancel) => place.get(name, cancel),
      list: (prefix, page, cancel) => place.list(prefix, page, cancel),
      delete: (name, cancel) => place.delete(name, cancel),
    };
  }

  /** Those that were put again with other bytes, or are there with other bytes; a put may have been cut. */
  async overwrittenIn(place: LogReplica): Promise<number> {
    for (const [name, first] of this.#first) {
      const there = await place.get(name, NEVER_CANCELLED);
      if (!there.ok) throw new Error(JSON.stringify(there.error));
      if (there.value !== undefined && !isBeginning(there.value, first)) this.#overwritten.add(name);
    }
    return this.#overwritten.size;
  }
}

function isBeginning(bytes: Uint8Array, whole: Uint8Array): boolean {
  return bytes.length <= whole.length && Buffer.compare(bytes, whole.subarray(0, bytes.length)) === 0;
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
