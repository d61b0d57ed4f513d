/** The end of a command on each system, and where it is known that it waits for its terminal. */

import assert from "node:assert/strict";
import { endingOf, hasGroups, type Ending } from "../../../../src/host/tools/command/endingProcesses.ts";
import { readCallOf } from "../../../../src/host/tools/command/terminalDevice.ts";

describe("the end of a command", () => {
  const TASKKILL: Ending = { call: { file: "taskkill", args: ["/pid", "7", "/T", "/F"] }, signalled: [] };
  const groups = (...signalled: readonly number[]): Ending => ({ call: undefined, signalled });
  const cases: readonly [NodeJS.Platform, groups: readonly number[], NodeJS.Signals, Ending][] = [
    ["win32", [], "SIGTERM", TASKKILL],
    ["win32", [], "SIGKILL", TASKKILL],
    ["darwin", [], "SIGTERM", groups(-7)],
    ["darwin", [8], "SIGTERM", groups(-8)],
    ["darwin", [8], "SIGKILL", groups(-8, -7)],
    ["linux", [], "SIGTERM", groups(-7)],
    ["linux", [8], "SIGTERM", groups(-8)],
    ["linux", [8], "SIGKILL", groups(-8, -7)],
  ];
  for (const [system, known, signal, expected] of cases) {
    it(`${system}, ${signal}, ${known.length === 0 ? "without a terminal" : "in a terminal"}`, () => {
      assert.deepEqual(endingOf(7, known, signal, system), expected);
      assert.equal(hasGroups(system), expected.call === undefined);
    });
  }
});

describe("the system call in which a command waits for its terminal", () => {
  const cases: readonly [NodeJS.Platform, NodeJS.Architecture, string | undefined][] = [
    ["linux", "x64", "0"],
    ["linux", "arm64", "63"],
    ["linux", "riscv64", undefined],
    ["darwin", "arm64", undefined],
    ["win32", "x64", undefined],
  ];
  for (const [system, processor, expected] of cases) {
    it(`${system} on ${processor}`, () => {
      assert.equal(readCallOf(system, processor), expected);
    });
  }
});
