/**
 * Every single file call of ten scenarios is made to fail, once and for good. What was acknowledged must be on the disk
 * afterwards, what was not must not be half there, and the store must work again once the fault is gone.
 *
 * A commit that was not acknowledged may be stored all the same: when only the sync or the look after it failed. Then all
 * of it is there, and nothing else that was not acknowledged, because the store starts anew from what is on the disk.
 */

import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CallFault } from "../../support/faultyCalls.ts";
import { LocalStores } from "../../support/localStore.ts";
import { judge } from "../../support/nativeJudge.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";
import { expectedVerdict, runCommits, SCENARIOS, type Scenario, type ScenarioCommit } from "../../support/storeScenarios.ts";

const CODES = ["EIO", "ENOSPC", "EACCES", "EMFILE"];
const END: ScenarioCommit = [{ kind: "draft", text: "the end" }];

type Told = readonly (readonly [ScenarioCommit, boolean])[];

describe("every file call fails once, and for good", function () {
  this.timeout(300_000);
  let stores: LocalStores;
  let root: ReturnType<typeof temporaryFolder>;
  before(async () => {
    stores = await LocalStores.load();
    root = temporaryFolder();
  });
  after(() => {
    root.remove();
  });

  for (const scenario of SCENARIOS) {
    it(`in ${scenario.name}`, () => {
      const [prepared, folder] = [join(root.path, "prepared"), join(root.path, "run")];
      prepare(scenario, prepared);
      const fresh = (): void => {
        rmSync(folder, { recursive: true, force: true });
        cpSync(prepared, folder, { recursive: true });
      };
      fresh();
      const whole = run(scenario, folder, () => undefined);
      assert.deepEqual(whole.told.map(([, stored]) => stored), Array(whole.told.length).fill(true));
      let noticed = 0;
      for (let failing = 0; failing < whole.calls; failing++) {
        for (const forGood of [false, true]) {
          fresh();
          const code = CODES[failing % CODES.length];
          const fault: CallFault = ({ index }) => (index === failing || (forGood && index > failing) ? code : undefined);
          const { told } = run(scenario, folder, fault);
          if (told.some(([, stored]) => !stored)) noticed++;
          checkFolder(scenario, folder, told, `${code ?? ""} ${forGood ? "for good from" : "once at"} call ${failing}`);
        }
      }
      assert.ok(noticed > whole.calls / 4, `only ${noticed} of ${2 * whole.calls} runs saw their fault`);
    });
  }

  /** Runs the scenario with `fault`, then tries once more without it, in the same store when it is open. */
  function run(scenario: Scenario, folder: string, fault: CallFault): { readonly told: Told; readonly calls: number } {
    stores.faults.restart(fault);
    let opened = stores.open(folder);
    const stored = opened.ok ? runCommits(opened.value, scenario.commits) : scenario.commits.map(() => false);
    const calls = stores.faults.count;
    stores.faults.restart();
    if (!opened.ok) opened = stores.open(folder);
    assert.ok(opened.ok, opened.ok ? "" : JSON.stringify(opened.error));
    const [ended = false] = runCommits(opened.value, [END]);
    opened.value.close();
    assert.equal(stores.openFiles, 0, "a file was left open");
    const told = [...scenario.before.map((writes) => [writes, true] as const), ...zip(scenario.commits, stored), [END, ended] as const];
    assert.ok(ended, "it works again once the fault is gone");
    return { told, calls };
  }

  function prepare({ before: writes, killedBefore }: Scenario, prepared: string): void {
    const build = join(root.path, "build");
    for (const folder of [build, prepared]) rmSync(folder, { recursive: true, force: true });
    cpSync(temporary(), build, { recursive: true });
    if (writes.length > 0) {
      const opened = stores.open(build);
      assert.ok(opened.ok);
      assert.ok(runCommits(opened.value, writes).every(Boolean));
      if (killedBefore) cpSync(build, prepared, { recursive: true });
      opened.value.close();
    }
    if (!killedBefore) cpSync(build, prepared, { recursive: true });
  }

  function temporary(): string {
    const empty = temporaryFolder();
    const target = join(root.path, "empty");
    rmSync(target, { recursive: true, force: true });
    cpSync(empty.path, target, { recursive: true });
    empty.remove();
    return target;
  }
});

function checkFolder(scenario: Scenario, folder: string, told: Told, what: string): void {
  const verdict = judge(folder);
  const expected = expectedVerdict(told);
  const where = `${scenario.name}, ${what}`;
  assert.deepEqual(verdict, expected, where);
}

function zip(commits: readonly ScenarioCommit[], stored: readonly boolean[]): Told {
  return commits.map((writes, index) => [writes, stored[index] ?? false] as const);
}
