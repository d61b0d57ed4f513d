/** Shells by their own rules, as whole calls: those of other systems cannot be run here. */

import assert from "node:assert/strict";
import { checkCalls, missingIn, shellCall, shellFor } from "../../../../src/host/tools/command/shells.ts";
import { inTerminal } from "../../../../src/host/tools/command/terminalDevice.ts";

const BOTH = "echo a\necho b";
const PWSH = "C:\\Program Files\\PowerShell\\7\\pwsh.exe";
const CMD = "C:\\WINDOWS\\System32\\cmd.exe";

describe("the shell of commands", () => {
  for (const [path, system, expected] of [
    ["/bin/bash", "linux", "/bin/bash"],
    ["/usr/bin/zsh", "darwin", "/usr/bin/zsh"],
    ["/usr/bin/fish", "linux", "/usr/bin/fish"],
    [PWSH, "win32", PWSH],
    [CMD, "win32", CMD],
    ["C:\\Program Files\\Git\\bin\\bash.exe", "win32", "C:\\Program Files\\Git\\bin\\bash.exe"],
    ["/bin/csh", "linux", "/bin/sh"],
    ["/bin/tcsh", "darwin", "/bin/sh"],
    ["/usr/bin/tmux", "linux", "/bin/sh"],
    ["", "linux", "/bin/sh"],
    ["C:\\WINDOWS\\System32\\wsl.exe", "win32", "cmd.exe"],
    ["", "win32", "cmd.exe"],
  ] as const) {
    it(`S6 E:shells is ${expected} where the user's is ${JSON.stringify(path)}`, () => {
      assert.equal(
        shellFor(path, () => true, system),
        expected,
      );
    });
  }
  it("is the one of the system where the user's is gone", () => {
    assert.equal(
      shellFor("/bin/bash", () => false, "linux"),
      "/bin/sh",
    );
  });
});

describe("the call of a shell", () => {
  for (const [shell, system, command, expected] of [
    ["/bin/bash", "linux", BOTH, { file: "/bin/bash", args: ["-c", BOTH] }],
    ["/bin/zsh", "darwin", BOTH, { file: "/bin/zsh", args: ["-c", BOTH] }],
    ["/bin/sh", "linux", BOTH, { file: "/bin/sh", args: ["-c", BOTH] }],
    ["/bin/bash", "linux", "-i", { file: "/bin/bash", args: ["-c", "--", "-i"] }],
    ["/bin/zsh", "linux", "+x", { file: "/bin/zsh", args: ["-c", "--", "+x"] }],
    ["/usr/bin/fish", "linux", BOTH, { file: "/usr/bin/fish", args: ["-c", BOTH] }],
    ["/usr/bin/nu", "linux", "ls", { file: "/usr/bin/nu", args: ["-c", "ls"] }],
    ["/usr/bin/pwsh", "linux", BOTH, { file: "/usr/bin/pwsh", args: ["-NoLogo", "-Command", BOTH] }],
    [PWSH, "win32", BOTH, { file: PWSH, args: ["-NoLogo", "-NonInteractive", "-Command", BOTH] }],
    [
      CMD,
      "win32",
      'dir "a b" & echo !x!',
      {
        file: CMD,
        args: ["/d", "/s", "/c", '"dir "a b" & echo !x!"'],
        isVerbatim: true,
      },
    ],
  ] as const) {
    it(`E:shells of ${shell} for ${JSON.stringify(command)}`, () => {
      assert.deepEqual(shellCall(shell, command, system), { ok: true, value: expected });
    });
  }
  it("E:shells cmd is not given several lines, of which it would run the first", () => {
    assert.deepEqual(shellCall(CMD, BOTH, "win32"), {
      ok: false,
      error: "The user's shell is cmd, which takes one line: join the commands with &&, or call powershell.",
    });
  });
  for (const [shell, expected] of [
    [
      "/bin/bash",
      [
        ["-n", "-c", "a"],
        ["-n", "-c", "a\n)"],
      ],
    ],
    [
      "/bin/zsh",
      [
        ["-f", "-n", "-c", "a"],
        ["-f", "-n", "-c", "a\n)"],
      ],
    ],
    ["/usr/bin/fish", [["--no-execute", "-c", "a"]]],
    ["/usr/bin/nu", []],
    [PWSH, []],
    [CMD, []],
  ] as const) {
    it(`E:shells ${shell} is asked whether a command is finished`, () => {
      assert.deepEqual(
        checkCalls(shell, "a"),
        expected.map((args) => ({ file: shell, args })),
      );
    });
  }
  it("E:shells an error that is none of an unfinished command is left to the shell", () => {
    const errors = "bash: -c: line 1: syntax error near unexpected token `)'";
    assert.equal(
      missingIn([
        { exitCode: 2, errors },
        { exitCode: 2, errors },
      ]),
      undefined,
    );
    assert.equal(missingIn([]), undefined);
  });
});

describe("the terminal of a command", () => {
  const inner = { file: "/bin/bash", args: ["-c", "echo 'a'"] };
  const BECOME =
    "stty rows 50 cols 200 echo 2>/dev/null; trap '' HUP; " +
    'if [ -n "$1" ]; then SHELL=$1; else unset SHELL; fi; shift; echo $$ >&3; exec "$@" 3>&-';
  it("§8 is one of `script` on Linux", () => {
    const become = BECOME.replaceAll("'", "'\\''");
    assert.deepEqual(inTerminal(inner, "/bin/zsh", "linux"), {
      file: "script",
      args: [
        "-qefc",
        `exec '/bin/sh' '-c' '${become}' 'sh' '/bin/zsh' '/bin/bash' '-c' 'echo '\\''a'\\'''`,
        "/dev/null",
      ],
    });
  });
  it("§8 is one of `script` behind a pipe on macOS", () => {
    assert.deepEqual(inTerminal(inner, "/bin/zsh", "darwin"), {
      file: "/bin/bash",
      args: [
        "-c",
        'exec /usr/bin/script -q /dev/null "$@" < <(exec /bin/cat)',
        "bash",
        "/bin/sh",
        "-c",
        BECOME,
        "sh",
        "/bin/zsh",
        "/bin/bash",
        "-c",
        "echo 'a'",
      ],
    });
  });
  it("§8 is none on Windows", () => {
    assert.equal(inTerminal(inner, "", "win32"), undefined);
  });
});
