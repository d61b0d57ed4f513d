/** Commands as real child processes: they print, fail, hang and start background processes. */

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { until } from "../../../../scripts/vscode/until.ts";
import { runAsChild } from "../../../../src/host/tools/command/childCommand.ts";
import { skip } from "../../../support/skipped.ts";

const live = new AbortController().signal;

describe("runAsChild", function () {
  this.timeout(20_000);
  let folder: string;
  before(function () {
    if (process.platform === "win32") {
      skip(this, "the commands are those of a POSIX shell");
    }
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "forge-command-")));
  });
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const run = async (command: string, limitMs = 10_000, cancel: AbortSignal = live) => {
    let text = "";
    const output = (piece: string): void => {
      text += piece;
    };
    const end = await runAsChild({ command, folder, shell: undefined, limitMs, output }, cancel);
    return { end, text };
  };
  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  /** Waits for the process to disappear: the system may list it a moment longer. */
  const isGone = async (pid: number): Promise<boolean> =>
    (await until(() => (isAlive(pid) ? undefined : true), 5_000)) === true;

  it("runs in the folder and returns stdout, stderr and the exit code", async () => {
    assert.deepEqual(await run("pwd; echo é >&2; exit 3"), {
      end: { kind: "ended", exitCode: 3 },
      text: `${folder}\né\n`,
    });
  });
  it("returns large output in full", async () => {
    const { text } = await run("seq 1 200000");
    assert.equal(text.length, 1_288_895);
    assert.ok(text.endsWith("\n200000\n"));
  });
  it("runs a command of several lines", async () => {
    assert.equal((await run("for n in 1 2\ndo echo $n\ndone")).text, "1\n2\n");
  });
  it("closes the command's standard input", async () => {
    assert.deepEqual(await run("read answer; echo got $answer"), {
      end: { kind: "ended", exitCode: 0 },
      text: "got\n",
    });
  });
  it("terminates a command and its background processes at the time limit", async () => {
    const { end, text } = await run("sleep 300 & echo $!; sleep 300", 300);
    assert.deepEqual(end, { kind: "timedOut" });
    assert.ok(await isGone(Number(text)));
  });
  it("kills a command that ignores SIGTERM", async () => {
    const { end } = await run("trap '' TERM; echo $$; sleep 300; sleep 300", 300);
    assert.deepEqual(end, { kind: "timedOut" });
  });
  it("stops when the user cancels", async () => {
    const controller = new AbortController();
    const running = run("echo $$; sleep 300", 10_000, controller.signal);
    setTimeout(() => {
      controller.abort();
    }, 200);
    const { end, text } = await running;
    assert.deepEqual(end, { kind: "cancelled" });
    assert.ok(await isGone(Number(text)));
  });
  it("neither waits for background processes of a finished command nor ends them", async () => {
    const start = performance.now();
    const { end, text } = await run("sleep 30 & echo $!");
    assert.deepEqual(end, { kind: "ended", exitCode: 0 });
    assert.ok(performance.now() - start < 5_000);
    assert.ok(isAlive(Number(text)));
    process.kill(Number(text));
  });
});
