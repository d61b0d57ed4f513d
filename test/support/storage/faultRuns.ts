/**
 * Lets every file call of a scenario, including opening and closing, fail once and permanently; after a permanent
 * failure the recovering opening fails once more. Exactly the acknowledged commits must be on the disk, and the store
 * must work again once the fault is gone (the same store, if it was open). One exception: a commit whose sync failed,
 * with none after it, may be complete at the next opening, since its pages were written without a guarantee.
 */

import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { FaultyCalls, type CallFault, type FileCall } from "./faultyCalls.ts";
import { LocalStores, type LocalStore } from "./localStore.ts";
import { judge } from "./nativeJudge.ts";
import { temporaryFolder } from "./storeBuilders.ts";
import { expectedVerdict, runCommits, type Scenario, type ScenarioCommit } from "./storeScenarios.ts";

/** Results of one scenario. */
export interface FaultsFound {
  /** File calls that failed, each in two runs. */
  readonly calls: number;
  /** Number of runs in which a commit was refused. */
  readonly noticed: number;
  /** Runs after which the disk contradicted the acknowledgements: lost commits or silent faults. */
  readonly wrong: readonly string[];
}

const CODES = ["EIO", "ENOSPC", "EACCES", "EMFILE"];
const LAST: ScenarioCommit = [{ kind: "draft", text: "last in the same store" }];
const AFTER: ScenarioCommit = [{ kind: "draft", text: "after the opening" }];
const OPENING_CALLS = 40; // more than an opening with recovery makes

type Told = readonly (readonly [ScenarioCommit, boolean])[];

export class FaultRuns {
  readonly #stores: LocalStores;
  readonly #root = temporaryFolder();

  constructor(stores: LocalStores) {
    this.#stores = stores;
  }

  /** Loads the library. Syncs do nothing, since there are no power cuts. */
  static async load(): Promise<FaultRuns> {
    const calls = { ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined };
    return new FaultRuns(await LocalStores.load(new FaultyCalls(calls)));
  }

  remove(): void {
    this.#root.remove();
  }

  /** Lets each file call of `scenario` fail, or one of `every`. Throws if it fails without a fault. */
  of(scenario: Scenario, every = 1): FaultsFound {
    const prepared = this.#prepare(scenario);
    const whole = this.#run(scenario, prepared, () => undefined);
    if (!whole.told.every(([, stored]) => stored)) throw new Error(`${scenario.name} fails without a fault`);
    const wrong: string[] = [];
    const check = (stories: readonly Told[], what: string): void => {
      const found = judge(join(this.#root.path, "run"));
      if (!stories.some((told) => isDeepStrictEqual(found, expectedVerdict(told)))) {
        wrong.push(
          `${what}: found ${JSON.stringify(found)}, told ${JSON.stringify(expectedVerdict(stories[0] ?? []))}`,
        );
      }
    };
    let calls = 0;
    let noticed = 0;
    for (let failing = 0; failing < whole.calls; failing += every) {
      const code = CODES[failing % CODES.length] ?? "EIO";
      const codeOf = ({ name }: FileCall): string => (name === "read" ? "EIO" : code); // the only error of reads
      const once = this.#run(scenario, prepared, (call) => (call.index === failing ? codeOf(call) : undefined));
      check([once.told], `${code} once at call ${failing}`);
      if (once.wasOpen && !once.worked)
        wrong.push(`the same store does not work again after ${code} at call ${failing}`);
      const forGood = this.#run(
        scenario,
        prepared,
        (call) => (call.index >= failing ? codeOf(call) : undefined),
        failing % OPENING_CALLS,
      );
      check([forGood.told, withFirstLost(forGood.told)], `${code} for good from call ${failing}`);
      calls++;
      noticed += [once, forGood].filter(({ told }) => told.some(([, stored]) => !stored)).length;
    }
    return { calls, noticed, wrong };
  }

  /** Runs opening, commits and closing under `fault`, then reopens; call `againAt` of that fails, too. */
  #run(scenario: Scenario, prepared: string, fault: CallFault, againAt?: number) {
    const stores = this.#stores;
    const folder = join(this.#root.path, "run");
    rmSync(folder, { recursive: true, force: true });
    cpSync(prepared, folder, { recursive: true });
    stores.faults.restart(fault);
    const opened = stores.open(folder);
    const stored = opened.ok ? runCommits(opened.value, scenario.commits) : scenario.commits.map(() => false);
    const worked = opened.ok && storesLast(opened.value);
    if (opened.ok) opened.value.close();
    const calls = stores.faults.count;
    if (againAt !== undefined) {
      stores.faults.restart(({ index }) => (index === againAt ? "EIO" : undefined));
      const second = stores.open(folder);
      if (second.ok) second.value.close();
    }
    stores.faults.restart();
    const healed = stores.open(folder);
    if (!healed.ok) throw new Error(`it cannot be opened afterwards: ${healed.error.detail}`);
    const [after = false] = runCommits(healed.value, [AFTER]);
    if (!after) throw new Error("it does not work after the next opening");
    healed.value.close();
    if (stores.openFiles !== 0) throw new Error("a file was left open");
    const before = scenario.before.map((writes) => [writes, true] as const);
    const told: Told = [...before, ...zip([...scenario.commits, LAST], [...stored, worked]), [AFTER, after]];
    return { told, calls, worked, wasOpen: opened.ok };
  }

  /** Creates the initial folder of all runs. */
  #prepare({ before: writes, killedBefore }: Scenario): string {
    const [build, prepared] = [join(this.#root.path, "build"), join(this.#root.path, "prepared")];
    for (const folder of [build, prepared]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(build);
    this.#stores.faults.restart();
    if (writes.length > 0) {
      const opened = this.#stores.open(build);
      if (!opened.ok || !runCommits(opened.value, writes).every(Boolean)) throw new Error("nothing stands in its way");
      if (killedBefore) cpSync(build, prepared, { recursive: true });
      opened.value.close();
    }
    if (writes.length === 0 || !killedBefore) cpSync(build, prepared, { recursive: true });
    return prepared;
  }
}

/** Stores one more commit, with a second attempt in case the single fault hits it. */
function storesLast(store: LocalStore): boolean {
  return runCommits(store, [LAST])[0] === true || runCommits(store, [LAST])[0] === true;
}

/** The same commits, with the first unacknowledged one counted as stored. */
function withFirstLost(told: Told): Told {
  const first = told.findIndex(([, stored]) => !stored);
  return told.map(([writes, stored], index) => [writes, stored || index === first] as const);
}

function zip(commits: readonly ScenarioCommit[], stored: readonly boolean[]): Told {
  return commits.map((writes, index) => [writes, stored[index] ?? false] as const);
}
