import assert from "node:assert/strict";
import { effectiveInputBudget, modelLimits } from "../../../src/core/models/modelLimits.ts";

describe("effectiveInputBudget", () => {
  const check = (limits: readonly [window: number, output: number, asked?: number], expected: number): void => {
    it(limits.join("/"), () => {
      const [contextWindow, maxOutput, asked] = limits;
      assert.equal(effectiveInputBudget({ contextWindow, maxOutput }, asked), expected);
    });
  };
  check([200_000, 64_000], 129_200);
  check([200_000, 16_000], 174_800);
  check([8_192, 4_096], 3_892);
  check([200_000, 64_000, 16_000], 174_800);
  check([200_000, 16_000, 64_000], 174_800);
  check([2, 1], 1);
});

describe("modelLimits", () => {
  const check = (window: number, output: number, field: string | undefined): void => {
    it(`CX-NT1 ${window}/${output}`, () => {
      const made = modelLimits(window, output);
      assert.deepEqual(
        made.ok ? made.value : [made.error.code, made.error.field],
        field === undefined ? { contextWindow: window, maxOutput: output } : ["VALIDATION_ERROR", field],
      );
    });
  };
  check(8_192, 4_096, undefined);
  check(0, 4_096, "contextWindow");
  check(-5, 1, "contextWindow");
  check(NaN, 1, "contextWindow");
  check(1.5, 1, "contextWindow");
  check(100, 0, "maxOutput");
  check(100, 100, "maxOutput");
  check(100, 101, "maxOutput");
});
