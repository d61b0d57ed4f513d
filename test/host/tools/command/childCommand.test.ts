/** Commands as real child processes: they print, fail, hang and start background processes. */

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { until } from "../../../../scripts/vscode/until.ts";
import { missingPart, startChild } from "../../../../src/host/tools/command/childCommand.ts";
import { shellCall } from "../../../../src/host/tools/command/shells.ts";
import { hasTerminals } from "../../../../src/host/tools/command/terminalDevice.ts";
import { skip } from "../../../support/skipped.ts";

const live = new AbortController().signal;

for (const isTty of [false, true]) {
  describe(`a command as a child, ${isTty ? "in a terminal" : "without a terminal"}`, function () {
    this.timeout(20_000);
    let folder: string;
    before(async function () {
      if (process.platform === "win32") {
        skip(this, "the commands are those of a POSIX shell");
      }
      if (isTty && !(await hasTerminals(process.platform))) skip(this, "there is no program `script`");
      folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "forge-command-")));
    });
    after(() => {
      fs.rmSync(folder, { recursive: true, force: true });
    });

    const run = async (command: string, limitMs = 10_000, cancel: AbortSignal = live) => {
      let text = "";
      const output = (piece: string): Promise<void> => {
        text += piece;
        return Promise.resolve();
      };
      const call = { file: "/bin/sh", args: ["-c", command] };
      const request = { call, folder, environment: process.env, limitMs, isTty, output };
      const end = await startChild(request, cancel).end;
      return { end, text: text.replaceAll("\r\n", "\n") };
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
    it("§8 has a terminal for input, or none", async () => {
      const command =
        "test -t 0 && test -t 1 && test -t 2 && stty size && exit 0; read answer; echo got $answer; exit 1";
      assert.deepEqual(
        await run(command),
        isTty
          ? { end: { kind: "ended", exitCode: 0 }, text: "50 200\n" }
          : { end: { kind: "ended", exitCode: 1 }, text: "got\n" },
      );
    });
    it("has the user's variables", async () => {
      assert.equal(
        (await run('echo "$SHELL|$PATH"')).text,
        `${process.env["SHELL"] ?? ""}|${process.env["PATH"] ?? ""}\n`,
      );
    });
    it("gets every character of a command", async () => {
      const command = `printf '%s\\n' 'a "b" \\c $d !e \`f\`' "it's" '長 😀'\necho "g\n h"`;
      assert.equal((await run(command)).text, 'a "b" \\c $d !e `f`\nit\'s\n長 😀\ng\n h\n');
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
}

describe("the shells of this machine", function () {
  this.timeout(20_000);
  const SHELLS = ["/bin/bash", "/bin/dash", "/usr/bin/zsh", "/usr/bin/fish"];
  const needs = (context: Mocha.Context, shell: string): void => {
    if (!fs.existsSync(shell)) skip(context, `there is no ${shell}`);
  };
  const run = async (shell: string, command: string): Promise<string> => {
    const call = shellCall(shell, command, process.platform);
    assert.ok(call.ok);
    let text = "";
    const output = (piece: string): Promise<void> => {
      text += piece;
      return Promise.resolve();
    };
    const request = { call: call.value, folder: os.tmpdir(), environment: process.env, limitMs: 10_000, isTty: false };
    const end = await startChild({ ...request, output }, live).end;
    return `${end.kind === "ended" ? String(end.exitCode) : end.kind}: ${text}`;
  };

  const [BASH, DASH, ZSH, FISH] = SHELLS as [string, string, string, string];
  for (const [shell, command, expected] of [
    ...SHELLS.map((each) => [
      each,
      'echo "Release 2.0 is out!Really" && echo ok',
      "0: Release 2.0 is out!Really\nok\n",
    ]),
    ...SHELLS.map((each) => [each, "echo one\necho two!!\nfalse", "1: one\ntwo!!\n"]),
    [BASH, "arr=(a b)\necho ${arr[1]}", "0: b\n"],
    [ZSH, "arr=(a b)\necho ${arr[1]}", "0: a\n"],
    [FISH, "set arr a b\necho $arr[1]", "0: a\n"],
    [BASH, "cat <<EOF\na 'b\nEOF", "0: a 'b\n"],
    [ZSH, "cat <<'EOF'\n$a !b\nEOF\necho c", "0: $a !b\nc\n"],
    [DASH, "cat <<-EOF\n\ta\n\tEOF", "0: a\n"],
    [BASH, "-x 2>/dev/null; echo ran", "0: ran\n"],
    [ZSH, "+x 2>/dev/null; echo ran", "0: ran\n"],
  ] as const) {
    it(`E:shells ${shell} runs ${JSON.stringify(command)}`, async function () {
      needs(this, shell);
      assert.equal(await run(shell, command), expected);
    });
  }

  for (const [shell, command, expected] of [
    [BASH, 'echo "abc', "line 1: unexpected EOF while looking for matching `\"'"],
    [BASH, "echo first\necho 'abc", "line 2: unexpected EOF while looking for matching `''"],
    [DASH, 'echo "abc', "1: Syntax error: Unterminated quoted string"],
    [ZSH, 'echo "abc', '1: unmatched "'],
    [FISH, 'echo "abc', "Unexpected end of string, quotes are not balanced"],
    [BASH, "cat <<EOF > x.txt", "line 1: warning: here-document at line 1 delimited by end-of-file (wanted `EOF')"],
    [DASH, "cat <<EOF > x.txt", "a here-document or a parenthesis is not closed"],
    [ZSH, "cat <<EOF > x.txt\nabc", "a here-document or a parenthesis is not closed"],
    [ZSH, "cat <<EOF > x.txt\nabc\n EOF", "a here-document or a parenthesis is not closed"],
    [ZSH, "( echo a", "a here-document or a parenthesis is not closed"],
    [BASH, "echo `ls", "line 1: unexpected EOF while looking for matching ``'"],
    [DASH, "echo `ls", "1: Syntax error: EOF in backquote substitution"],
    [BASH, "if true; then echo a", "line 2: syntax error: unexpected end of file"],
    [DASH, "for n in 1; do echo", '1: Syntax error: end of file unexpected (expecting "done")'],
    [FISH, "if true; echo a", "Missing end to balance this if statement"],
    [BASH, "echo a |", "line 2: syntax error: unexpected end of file"],
    [DASH, "echo ${a", "1: Syntax error: Missing '}'"],
    [ZSH, "echo ${a", "1: closing brace expected"],
  ] as const) {
    it(`E:shells ${shell} is not given the unfinished ${JSON.stringify(command)}`, async function () {
      needs(this, shell);
      assert.equal(await missingPart(shell, command, process.env), expected);
    });
  }
  for (const command of [
    "cat <<EOF\nabc\nEOF",
    "echo a # it's a comment (",
    "echo \"a $(echo 'b')\" \\\" ')'",
    "echo a \\",
    "shopt -s extglob\nls !(a)",
    "echo a; }",
    "for n in 1 2; do echo $n; done",
    "awk '{ print $1 }' <<< 'a b'",
    "",
  ]) {
    it(`E:shells are given the finished ${JSON.stringify(command)}`, async function () {
      for (const shell of [BASH, DASH, ZSH]) {
        if (fs.existsSync(shell)) assert.equal(await missingPart(shell, command, process.env), undefined, shell);
      }
    });
  }
  it("S6 nothing runs while a command is checked", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "forge-check-"));
    const file = path.join(folder, "ran");
    const startup = path.join(folder, "startup");
    fs.writeFileSync(startup, `touch ${file}`);
    const command = `touch ${file}; a=$(touch ${file}); [[ -n $(touch ${file}) ]]; ((x=$(touch ${file})))\necho "`;
    for (const shell of SHELLS) {
      if (!fs.existsSync(shell)) continue;
      await missingPart(shell, command, { ...process.env, BASH_ENV: startup, ENV: startup });
      await missingPart(shell, `${command}"`, { ...process.env, BASH_ENV: startup, ENV: startup });
      assert.deepEqual(fs.readdirSync(folder), ["startup"], shell);
    }
    fs.rmSync(folder, { recursive: true });
  });
});
