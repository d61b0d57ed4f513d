import assert from "node:assert/strict";
import type { SettingProblem } from "../../../src/host/editor/settings.ts";
import { settingProblemsBanner } from "../../../src/host/words/settingProblems.ts";

describe("settingProblemsBanner", () => {
  const zero = (model: string): SettingProblem => ({ kind: "modelLimit", model, field: "contextWindow", found: 0 });
  const check = (what: string, problems: readonly SettingProblem[], text: string): void => {
    it(what, () => {
      const { actions, ...banner } = settingProblemsBanner(problems);
      assert.deepEqual(banner, { tone: "warning", text });
      assert.deepEqual(
        actions.map(({ command }) => command),
        ["openSettings", "closeBanner"],
      );
    });
  };
  const zeroText = (model: string): string =>
    `A limit in the setting forge.models is not used: contextWindow of “${model}” is 0, not a whole number above 0. What Forge knows of the model counts instead.`;
  check("names a limit of a model that cannot be", [zero("my-model")], zeroText("my-model"));
  check(
    "names limits that leave no room",
    [{ kind: "noRoom", model: "my-model", contextWindow: 10, maxOutput: 10 }],
    "The limits of “my-model” in the setting forge.models are not used: its maxOutput of 10 must be smaller than its contextWindow of 10. What Forge knows of the model counts instead.",
  );
  check(
    "names a parameter that is out of its bounds, and a value of any length in short",
    [{ kind: "outOfBounds", name: "tree.levels", found: "x".repeat(90), standard: 3, least: 1, most: 10 }],
    `The setting forge.context.tree.levels is not used: "${"x".repeat(29)}… is not a whole number from 1 to 10. 3 counts instead.`,
  );
  check(
    "counts one that is more than three",
    ["a", "b", "c", "d"].map(zero),
    `${["a", "b", "c"].map(zeroText).join(" ")} So is 1 more setting.`,
  );
  check(
    "counts what is more than three",
    ["a", "b", "c", "d", "e"].map(zero),
    `${["a", "b", "c"].map(zeroText).join(" ")} So are 2 more settings.`,
  );
});
