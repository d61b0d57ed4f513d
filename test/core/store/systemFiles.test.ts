/** Files on each system, and renaming where a virus scanner or another window has the file open. */

import assert from "node:assert/strict";
import { hasUnixFiles, renameWhenFree, renameWhenFreeSync } from "../../../src/core/store/systemFiles.ts";

describe("files of", () => {
  for (const [system, expected] of [
    ["win32", false],
    ["darwin", true],
    ["linux", true],
  ] as const) {
    it(`${system} ${expected ? "can" : "cannot"} do what those of Unix can`, () => {
      assert.equal(hasUnixFiles(system), expected);
    });
  }
});

describe("renaming", () => {
  /** A rename that fails with each of `failures`, then succeeds. */
  class Scripted {
    calls = 0;
    pausedMs = 0;
    readonly #failures: readonly Error[];

    constructor(failures: readonly Error[]) {
      this.#failures = failures;
    }

    readonly rename = (): void => {
      const failure = this.#failures[this.calls++];
      if (failure !== undefined) throw failure;
    };

    readonly pause = (ms: number): void => {
      this.pausedMs += ms;
    };
  }

  const failed = (...codes: readonly string[]): readonly Error[] =>
    codes.map((code) => Object.assign(new Error(code), { code }));
  const check = (
    title: string,
    failures: readonly Error[],
    expected: { readonly calls: number; readonly pausedMs: number; readonly thrown?: Error },
  ): void => {
    it(title, async () => {
      const [waiting, holding] = [new Scripted(failures), new Scripted(failures)];
      const asynchronous = renameWhenFree(
        () => Promise.resolve().then(waiting.rename),
        (ms) => Promise.resolve(ms).then(waiting.pause),
      );
      const synchronous = (): void => {
        renameWhenFreeSync(holding.rename, holding.pause);
      };
      const { thrown, ...seen } = expected;
      if (thrown === undefined) {
        await asynchronous;
        synchronous();
      } else {
        await assert.rejects(asynchronous, thrown);
        assert.throws(synchronous, thrown);
      }
      for (const { calls, pausedMs } of [waiting, holding]) assert.deepEqual({ calls, pausedMs }, seen);
    });
  };
  const [full = new Error()] = failed("ENOSPC");
  const [busy = new Error()] = failed("EPERM");
  const mistake = new TypeError("no path");
  check("is done once where nothing holds the file", [], { calls: 1, pausedMs: 0 });
  check("waits for a file in use, as Windows says it", failed("EPERM", "EACCES"), { calls: 3, pausedMs: 40 });
  check("waits for a file in use, as its network disks say it", failed("EBUSY"), { calls: 2, pausedMs: 20 });
  check("gives up after a fifth of a second", Array<Error>(20).fill(busy), { calls: 10, pausedMs: 180, thrown: busy });
  check("fails at once where waiting is of no use", [full], { calls: 1, pausedMs: 0, thrown: full });
  check("fails at once with a mistake of ours", [mistake], { calls: 1, pausedMs: 0, thrown: mistake });
});
