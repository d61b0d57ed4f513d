/** Commands are shown in terminals that only show: what runs is what was shown, whatever it prints. */

import assert from "node:assert/strict";
import os from "node:os";
import { type CommandEnd, shellFor } from "../../../../src/host/tools/command/commandRun.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";
import { skip } from "../../../support/skipped.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

interface Pty {
  readonly onDidWrite: (listener: (text: string) => void) => void;
  open(): void;
  close(): void;
  handleInput(data: string): void;
}

interface Shown {
  readonly pty: Pty;
  text: string;
  isDisposed: boolean;
}

class EventEmitter {
  readonly #listeners: ((text: string) => void)[] = [];
  readonly event = (listener: (text: string) => void): void => void this.#listeners.push(listener);
  fire(text: string): void {
    for (const listener of this.#listeners) listener(text);
  }
}

const shown: Shown[] = [];
const editor = {
  EventEmitter,
  window: {
    createTerminal: ({ pty }: { readonly pty: Pty }) => {
      const terminal: Shown = { pty, text: "", isDisposed: false };
      shown.push(terminal);
      pty.onDidWrite((text) => (terminal.text += text));
      setImmediate(() => {
        pty.open();
      });
      return { show: () => undefined, dispose: () => (terminal.isDisposed = true) };
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

interface Run {
  readonly end: CommandEnd;
  readonly output: string;
}

describe("command terminals", function () {
  this.timeout(20_000);
  let terminals: InstanceType<typeof CommandTerminals>;
  before(function () {
    if (process.platform === "win32") skip(this, "the commands are those of a POSIX shell");
  });
  beforeEach(() => {
    shown.length = 0;
    terminals = new CommandTerminals();
  });
  afterEach(() => {
    terminals.dispose();
  });
  const run = async (command: string, cancel: AbortSignal = NEVER, shell?: string): Promise<Run> => {
    let output = "";
    const add = (piece: string): void => void (output += piece);
    const end = await terminals.run({ command, folder, shell, limitMs: 10_000, output: add }, cancel);
    return { end, output };
  };
  const ended = (exitCode: number, output: string): Run => ({ end: { kind: "ended", exitCode }, output });

  const BASH = "/bin/bash";
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

  it("E:commands end at once where a quote or a document is not closed", async () => {
    assert.equal((await run('echo "abc', NEVER, BASH)).end.kind, "ended");
    assert.equal((await run("cat <<EOF > /dev/null", NEVER, BASH)).end.kind, "ended");
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
    assert.deepEqual(await interrupted, { end: { kind: "cancelled" }, output: "b\n" });
  });
  it("run nothing after the user has stopped", async () => {
    assert.deepEqual(await run("echo a", AbortSignal.abort()), { end: { kind: "cancelled" }, output: "" });
    assert.equal(shown.length, 0);
  });
});

describe("the shell of commands", () => {
  for (const [path, expected] of [
    ["/bin/bash", "/bin/bash"],
    ["/usr/bin/zsh", "/usr/bin/zsh"],
    ["/usr/bin/fish", "/usr/bin/fish"],
    ["C:\\Program Files\\PowerShell\\7\\pwsh.exe", "C:\\Program Files\\PowerShell\\7\\pwsh.exe"],
    ["/bin/csh", undefined],
    ["/bin/tcsh", undefined],
    ["/usr/bin/tmux", undefined],
    ["", undefined],
  ] as const) {
    it(`S6 is ${expected ?? "the one of the system"} where the user's is ${JSON.stringify(path)}`, () => {
      assert.equal(
        shellFor(path, () => true),
        expected,
      );
    });
  }
  it("is the one of the system where the user's is gone", () => {
    assert.equal(
      shellFor("/bin/bash", () => false),
      undefined,
    );
  });
});
