/**
 * Every single file call of ten scenarios, opening and closing included, is made to fail, once and for good; after a
 * failure for good the next opening, which recovers, fails once more. What was acknowledged must be on the disk, nothing
 * else may be, not even in part, and the store must work again once the fault is gone: the same store, when it was open.
 * One exception: a commit whose sync failed, when no other could follow it, may be found whole at the next opening. Its
 * pages were written; only nobody could promise that they would stay.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { nodeFileCalls } from "../../../src/adapters/sqlite/shim/fileCalls.ts";
import { FaultyCalls, type CallFault, type FileCall } from "../../support/faultyCalls.ts";
import { LocalStores, type LocalStore } from "../../support/localStore.ts";
import { judge } from "../../support/nativeJudge.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";
import {
  expectedVerdict,
  runCommits,
  SCENARIOS,
  type Scenario,
  type ScenarioCommit,
} from "../../support/storeScenarios.ts";

const CODES = ["EIO", "ENOSPC", "EACCES", "EMFILE"];
const LAST: ScenarioCommit = [{ kind: "draft", text: "last in the same store" }];
const AFTER: ScenarioCommit = [{ kind: "draft", text: "after the opening" }];
const OPENING_CALLS = 40; // more than an opening makes with a log to recover

type Told = readonly (readonly [ScenarioCommit, boolean])[];

describe("every file call fails once, and for good", function () {
  this.timeout(300_000);
  let stores: LocalStores;
  let root: ReturnType<typeof temporaryFolder>;
  before(async () => {
    // Nothing here cuts the power, so nothing waits for the disk.
    stores = await LocalStores.load(
      new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }),
    );
    root = temporaryFolder();
  });
  after(() => {
    root.remove();
  });

  for (const scenario of SCENARIOS) {
    it(`in ${scenario.name}`, () => {
      const prepared = prepare(scenario);
      const whole = run(scenario, prepared, () => undefined);
      assert.deepEqual(new Set(whole.told.map(([, stored]) => stored)), new Set([true]));
      let noticed = 0;
      for (let failing = 0; failing < whole.calls; failing++) {
        const code = CODES[failing % CODES.length] ?? "EIO";
        const codeOf = ({ name }: FileCall): string => (name === "read" ? "EIO" : code); // a disk's only way not to read
        const once = run(scenario, prepared, (call) => (call.index === failing ? codeOf(call) : undefined));
        check([once.told], `${code} once at call ${failing}`);
        assert.ok(!once.wasOpen || once.worked, `the same store works again after ${code} at call ${failing}`);
        const forGood = run(
          scenario,
          prepared,
          (call) => (call.index >= failing ? codeOf(call) : undefined),
          failing % OPENING_CALLS,
        );
        check([forGood.told, withFirstLost(forGood.told)], `${code} for good from call ${failing}`);
        noticed += [once, forGood].filter(({ told }) => told.some(([, stored]) => !stored)).length;
      }
      assert.ok(noticed > whole.calls / 4, `only ${noticed} of ${2 * whole.calls} runs saw their fault`);
    });
  }

  /** Runs opening, commits and closing under `fault`, then opens anew: `againAt` names a call of that which fails too. */
  function run(scenario: Scenario, prepared: string, fault: CallFault, againAt?: number) {
    const folder = join(root.path, "run");
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
    assert.ok(healed.ok, healed.ok ? "" : JSON.stringify(healed.error));
    const [after = false] = runCommits(healed.value, [AFTER]);
    assert.ok(after, "it works after the next opening");
    healed.value.close();
    assert.equal(stores.openFiles, 0, "a file was left open");
    const before = scenario.before.map((writes) => [writes, true] as const);
    const told: Told = [...before, ...zip([...scenario.commits, LAST], [...stored, worked]), [AFTER, after]];
    return { told, calls, worked, wasOpen: opened.ok };
  }

  /** Makes the folder that each run of the scenario starts from. */
  function prepare({ before: writes, killedBefore }: Scenario): string {
    const [build, prepared] = [join(root.path, "build"), join(root.path, "prepared")];
    for (const folder of [build, prepared]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(build);
    stores.faults.restart();
    if (writes.length > 0) {
      const opened = stores.open(build);
      assert.ok(opened.ok);
      assert.ok(runCommits(opened.value, writes).every(Boolean));
      if (killedBefore) cpSync(build, prepared, { recursive: true });
      opened.value.close();
    }
    if (writes.length === 0 || !killedBefore) cpSync(build, prepared, { recursive: true });
    return prepared;
  }

  function check(stories: readonly Told[], what: string): void {
    const found = judge(join(root.path, "run"));
    if (!stories.some((told) => isDeepStrictEqual(found, expectedVerdict(told)))) {
      assert.deepEqual(found, expectedVerdict(stories[0] ?? []), what);
    }
  }
});

/** One more commit, and once more when the single fault hits just that one. */
function storesLast(store: LocalStore): boolean {
  return runCommits(store, [LAST])[0] === true || runCommits(store, [LAST])[0] === true;
}

/** The same story with the first commit that was not acknowledged stored after all. */
function withFirstLost(told: Told): Told {
  const first = told.findIndex(([, stored]) => !stored);
  return told.map(([writes, stored], index) => [writes, stored || index === first] as const);
}

function zip(commits: readonly ScenarioCommit[], stored: readonly boolean[]): Told {
  return commits.map((writes, index) => [writes, stored[index] ?? false] as const);
}
