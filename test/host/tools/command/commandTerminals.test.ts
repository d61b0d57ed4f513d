/** Commands in terminals: what runs is what was shown, whatever it prints, and only the user types into it. */

import assert from "node:assert/strict";
import os from "node:os";
import type { CommandResult } from "../../../../src/host/tools/command/commandRun.ts";
import { hasTerminals } from "../../../../src/host/tools/command/terminalDevice.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";
import { skip } from "../../../support/skipped.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

interface Pty {
  readonly onDidWrite: (listener: (text: string) => void) => void;
  open(size: undefined): void;
  close(): void;
  handleInput(data: string): void;
}

interface Shown {
  readonly pty: Pty;
  text: string;
  isDisposed: boolean;
  hasFocus: boolean;
}

class EventEmitter {
  readonly #listeners: ((text: string) => void)[] = [];
  readonly event = (listener: (text: string) => void): void => void this.#listeners.push(listener);
  fire(text: string): void {
    for (const listener of this.#listeners) listener(text);
  }
}

const shown: Shown[] = [];
const notices: string[] = [];
/** Whether the user takes the button of notices. */
let answer = "";
const editor = {
  EventEmitter,
  window: {
    showInformationMessage: (text: string, button: string): Promise<string | undefined> => {
      notices.push(text);
      return Promise.resolve(answer === "" ? undefined : button);
    },
    createTerminal: ({ pty }: { readonly pty: Pty }) => {
      const terminal: Shown = { pty, text: "", isDisposed: false, hasFocus: false };
      shown.push(terminal);
      pty.onDidWrite((text) => (terminal.text += text));
      setImmediate(() => {
        pty.open(undefined);
      });
      return {
        show: (keepsFocus: boolean) => (terminal.hasFocus ||= !keepsFocus),
        dispose: () => (terminal.isDisposed = true),
      };
    },
  },
};
const { CommandTerminals } = await withEditorModule(
  "commandTerminals",
  editor,
  () => import("../../../../src/host/tools/command/commandTerminals.ts"),
);

const NEVER = new AbortController().signal;
const folder = os.tmpdir();

describe("command terminals", function () {
  this.timeout(20_000);
  let terminals: InstanceType<typeof CommandTerminals>;
  before(function () {
    if (process.platform === "win32") skip(this, "the commands are those of a POSIX shell");
  });
  beforeEach(() => {
    shown.length = 0;
    notices.length = 0;
    answer = "";
    terminals = new CommandTerminals();
  });
  afterEach(() => {
    terminals.dispose();
  });
  const BASH = "/bin/bash";
  const run = (command: string, cancel: AbortSignal = NEVER, shell = BASH, limitMs = 10_000): Promise<CommandResult> =>
    terminals.run({ command, folder, shell, limitMs }, cancel);
  const ended = (exitCode: number, output: string): CommandResult => ({ end: { kind: "ended", exitCode }, output });

  for (const [command, expected] of [
    ['echo "wow!echo"', ended(0, "wow!echo\n")],
    ["echo !! !$ !-1 !?a? '!x'", ended(0, "!! !$ !-1 !?a? !x\n")],
    ['echo "Release 2.0 is out!Really" && echo ok', ended(0, "Release 2.0 is out!Really\nok\n")],
    ["^old^new^ 2>/dev/null || echo none", ended(0, "none\n")],
    ["echo a\techo b", ended(0, "a echo b\n")],
  ] as const) {
    it(`S6 runs exactly ${JSON.stringify(command)}`, async () => {
      assert.deepEqual(await run(command, NEVER, BASH), expected);
    });
  }

  for (const [name, mark] of [
    ["the editor's end", "\\033]633;D;0\\007"],
    ["the general end", "\\033]133;D;0\\033\\\\"],
    ["a prompt", "\\033]633;A\\007"],
    ["an end in C1", "\\302\\235633;D;0\\302\\234"],
    ["a command line", "\\033]633;E;rm;x\\007"],
  ] as const) {
    it(`S11 tells code and output after the mark of ${name}`, async () => {
      const command = `printf 'a\\n${mark}b\\n'; sleep 0.1; echo c; exit 7`;
      assert.deepEqual(await run(command), ended(7, "a\nb\nc\n"));
      assert.deepEqual(await run("echo next"), ended(0, "next\n"));
    });
  }
  it("S11 shows a program's output without its control sequences", async () => {
    await run("printf '\\033[8mhidden\\033]52;c;eA==\\007\\n'");
    const [terminal] = shown;
    await whenTrue(() => terminal?.text.includes("exit code") === true);
    assert.equal(
      terminal?.text,
      [
        `\u001b[2m${folder}\u001b[0m`,
        "\u001b[1m$ printf '\\033[8mhidden\\033]52;c;eA==\\007\\n'\u001b[0m",
        "hidden",
        "\u001b[2mEnded with exit code 0\u001b[0m",
        "",
        "",
      ].join("\r\n"),
    );
  });

  for (const [command, missing] of [
    ['echo first\necho "abc', "line 2: unexpected EOF while looking for matching `\"'"],
    [
      "touch ran; cat <<EOF > x.txt",
      "line 1: warning: here-document at line 1 delimited by end-of-file (wanted `EOF')",
    ],
  ] as const) {
    it(`E:shells runs nothing of the unfinished ${JSON.stringify(command)}, and says why`, async () => {
      assert.deepEqual(await run(command), {
        end: { kind: "refused", reason: `The command is not finished: ${missing}.` },
        output: "",
      });
      assert.equal(shown.length, 0);
    });
  }
  it("E:shells runs several lines as one", async () => {
    assert.deepEqual(await run("arr=(a b)\necho ${arr[1]}"), ended(0, "b\n"));
  });

  describe("with a terminal of the system", () => {
    const COMMIT = "commit refs/heads/x\\ncommitter A <a@b> %d +0000\\ndata <<X\\nno %d\\nX\\n";
    const HISTORY = [
      'cd "$(mktemp -d)" && git init -q . && git config core.pager less',
      `seq 200 | awk '{ printf "${COMMIT}", $1, $1 }' | git fast-import --quiet && git log --format=%s x; rm -rf "$PWD"`,
    ].join("\n");
    before(async function () {
      if (!(await hasTerminals(process.platform))) skip(this, "there is no program `script`");
    });
    for (const [title, command, output] of [
      ["the last state of two lines", "printf 'a 10%%\\nb 10%%\\n\\033[2A\\033[2Ka 50%%\\n\\033[B'", "a 50%\nb 10%\n"],
      [
        "two bars below each other",
        "printf 'all 0%%\\n\\r one 50%%\\033[A\\rall 50%%\\n\\r one 99%%\\n'",
        "all 50%\n one 99%\n",
      ],
      ["a here-document at the end", "cat <<'EOF'\n# it's $a\nEOF", "# it's $a\n"],
      ["a comment at the end", 'echo a # "(', "a\n"],
      ["blanks of a table", "printf 'Name\\033[10CSize\\n'", "Name          Size\n"],
      ["a long history", HISTORY, Array.from({ length: 200 }, (_, index) => `no ${200 - index}\n`).join("")],
      ["a pager that is called", "seq 3 | less; seq 300 | ${PAGER:-less} | tail -n 1", "1\n2\n3\n300\n"],
      ["a question and its answer", "read -p 'Go on? [y/N] ' a <<< y; echo $a", "y\n"],
      ["an order of output and errors", "echo a; echo b >&2; echo c", "a\nb\nc\n"],
      ["output of a program that asks for a terminal", "test -t 1 && tput cols", "200\n"],
    ] as const) {
      it(`§8 gives ${title}`, async () => {
        assert.deepEqual(await run(command), ended(0, output));
      });
    }
    it("§8 lets the user answer, says so once, and does not show a password", async () => {
      answer = "taken";
      const running = run("read -s -p 'Password: ' a; echo; read -p 'Name: ' b; echo \"${#a} $b\"");
      await whenTrue(() => notices.length === 1);
      assert.deepEqual(notices, [
        "A command of the chat seems to wait for your answer. It ends when its time is over.",
      ]);
      const terminal = shown[0] ?? assert.fail("no terminal was opened");
      await whenTrue(() => terminal.hasFocus);
      terminal.pty.handleInput("se");
      terminal.pty.handleInput("cret\r");
      await whenTrue(() => terminal.text.includes("\r\nName: "));
      terminal.pty.handleInput("Ann\r");
      assert.deepEqual(await running, ended(0, "Password: \nName: Ann\n6 Ann\n"));
      assert.ok(!shown.some(({ text }) => text.includes("secret")));
      assert.equal(notices.length, 1);
    });
    it("§8 keeps the focus where it is until the user goes to the terminal", async () => {
      const running = run("read -p 'Go on? ' a; echo got $a");
      await whenTrue(() => notices.length === 1);
      assert.equal(shown[0]?.hasFocus, false);
      shown[0].pty.handleInput("y\r");
      assert.deepEqual(await running, ended(0, "Go on? y\ngot y\n"));
    });
    const WAITING = [
      ["read -s -p 'Password: ' a", "Password:", "Password: "],
      ["printf 'a\\n--More--(10%%)'; read a", "--More--(10%)", "a\n--More--(10%)"],
      ["printf 'one\\n(END)'; sleep 60", "(END)", "one\n(END)"],
      ["trap 'echo; echo bye; exit' TERM; printf 'Go on? '; read a", "Go on?", "Go on? \nbye\n"],
      ["printf 'root@vm:/tmp# '; sleep 60", "root@vm:/tmp#", "root@vm:/tmp# "],
      ["printf 'a.txt       1,1  Top?'; sleep 60", "a.txt  1,1  Top?", "a.txt       1,1  Top?"],
      ["printf '###'; sleep 60", undefined, "###"],
      ["echo begun; sleep 60", undefined, "begun\n"],
      ["printf 'Compiling 45%%'; sleep 60", undefined, "Compiling 45%"],
      [
        "printf '\\033[?1049h\\033[H~\\n-- INSERT --'; sleep 60",
        "-- INSERT --",
        "[Last screen of a full-screen program:]\n~\n-- INSERT --\n",
      ],
      ["printf 'Compiling? '; sleep 0.2; echo done; sleep 60", undefined, "Compiling? done\n"],
    ] as const;
    describe("at the limit", () => {
      /** All at once, since each needs its whole time. */
      let results: readonly CommandResult[];
      before(async () => {
        const all = new CommandTerminals();
        const limitMs = 4_500;
        results = await Promise.all(
          WAITING.map(([command]) => all.run({ command, folder, shell: BASH, limitMs }, NEVER)),
        );
        all.dispose();
      });
      for (const [index, [command, waitsAt, output]] of WAITING.entries()) {
        it(`§8 says what it waited for: ${JSON.stringify(command)}`, () => {
          const end = waitsAt === undefined ? { kind: "timedOut" } : { kind: "timedOut", waitsAt };
          assert.deepEqual(results[index], { end, output });
        });
      }
    });
    it("§8 says at a short limit, too, at which question it ended", async () => {
      const end = { kind: "timedOut" as const, waitsAt: "Password:" };
      assert.deepEqual(await run("printf 'Password: '; sleep 60", NEVER, BASH, 1_000), { end, output: "Password: " });
    });
    it("§8 says at the limit that a silent program reads", async function () {
      if (process.platform !== "linux") skip(this, "only Linux tells what a process waits for");
      assert.deepEqual(await run("cat", NEVER, BASH, 4_500), { end: { kind: "timedOut", waitsAt: "" }, output: "" });
    });
    it("S6 types nothing that the program asks the terminal for", async () => {
      const ask = "printf '\\033[6n\\033[c\\033[21t\\033]52;c;?\\007'; read -t 1 -n 1 a; echo \"got $?:$a\"";
      assert.deepEqual(await run(ask), ended(0, "got 142:\n"));
    });
    it("§8 gives the beginning and the end of 20 MB of output", async () => {
      const { output, end } = await run("seq -f '%080.0f of a build that goes on' 1 200000", NEVER, BASH, 120_000);
      assert.deepEqual(end, { kind: "ended", exitCode: 0 });
      assert.ok(output.startsWith(`${"1".padStart(80, "0")} of a build`) && output.length < 140_000);
      assert.ok(output.endsWith(`${"200000".padStart(80, "0")} of a build that goes on\n`));
    }).timeout(150_000);
  });

  it("show one command at a time, and are used again", async () => {
    await run("true");
    await Promise.all(["true", "true"].map((command) => run(command)));
    assert.deepEqual(
      shown.map(({ isDisposed }) => isDisposed),
      [false, false],
    );
  });
  it("end their command when the user closes them or types Ctrl+C", async () => {
    const closing = run("echo a; sleep 300");
    await whenTrue(() => shown[0]?.text.includes("a\r\n") === true);
    shown[0]?.pty.close();
    assert.deepEqual(await closing, { end: { kind: "closed" }, output: "a\n" });
    const interrupted = run("echo b; sleep 300");
    await whenTrue(() => shown[1]?.text.includes("b\r\n") === true);
    shown[1]?.pty.handleInput("x");
    shown[1]?.pty.handleInput("\u0003");
    assert.deepEqual((await interrupted).end, { kind: "cancelled" });
  });
  it("run nothing after the user has stopped", async () => {
    assert.deepEqual(await run("echo a", AbortSignal.abort()), { end: { kind: "cancelled" }, output: "" });
    assert.equal(shown.length, 0);
  });
});
