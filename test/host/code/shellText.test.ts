import assert from "node:assert/strict";
import { languageId } from "../../../src/host/code/fenceLanguages.ts";
import { scriptArguments, shellText } from "../../../src/host/code/shellText.ts";
import { isForShell } from "../../../src/protocol/codeView.ts";
import { parseToHost } from "../../../src/protocol/parse.ts";
import { assertLinearTime } from "../../support/linearTime.ts";

describe("shellText", () => {
  const runs = (code: string, language: string, command: string): void => {
    it(`extracts the command ${JSON.stringify(command)} from ${JSON.stringify(code)}`, () => {
      assert.deepEqual(shellText(code, language), { kind: "command", command });
    });
  };
  runs("npm test\n", "sh", "npm test");
  runs("cd a\r\nnpm test", "bash", "cd a\nnpm test");
  runs("$ npm test\n42 passing\n$ git status\nclean", "console", "npm test\ngit status");
  runs("$ npm test\n42 passing", "sh", "npm test");
  runs("me@host:~/a$ ls -l", "shell", "ls -l");
  runs("PS C:\\a> Get-Item .", "powershell", "Get-Item .");
  runs("cat <<E > a\n> quoted\nE", "sh", "cat <<E > a\n> quoted\nE");
  runs("echo $HOME > a", "sh", "echo $HOME > a");
  runs("git commit -m '❤\ufe0f می\u200cخواهم 葛\u{e0100}'", "sh", "git commit -m '❤\ufe0f می\u200cخواهم 葛\u{e0100}'");

  for (const [kind, code] of [
    ["empty", " \n\n"],
    ["hidden", "ls \u202e; rm -r ."],
    ["hidden", "kill \u200f1234 > 99"],
    ["hidden", "ls \u061c-l"],
    ["hidden", "ls \u200e-l"],
    ["hidden", "cat pass\u00adword"],
    ["hidden", "ls\u0007"],
    ["hidden", "ls\u001b[8m; rm -r .\u001b[0m"],
    ["hidden", "ls\rrm -r ."],
    ["tooLong", "true\n".repeat(31)],
    ["tooLong", "a".repeat(2_001)],
  ] as const) {
    it(`rejects ${JSON.stringify(code.slice(0, 40))} as ${kind}`, () => {
      assert.deepEqual(shellText(code, "sh"), { kind });
    });
  }

  it("takes linear time for adversarial code", () => {
    for (const unit of [" ", "a@", "a@b ", "PS ", "~ ", "$ \n", "\n "]) {
      assertLinearTime((code) => shellText(code, "sh"), { unit, behind: "a", longestUnits: 100_000 });
    }
  });
});

describe("scriptArguments", () => {
  for (const [shell, expected] of [
    ["/bin/bash", ["-c", 'cd a\nls\nexec "$0"', "/bin/bash"]],
    ["/usr/bin/zsh", ["-c", 'cd a\nls\nexec "$0"', "/usr/bin/zsh"]],
    ["C:\\Program Files\\PowerShell\\7\\pwsh.exe", ["-NoExit", "-Command", "cd a\nls"]],
    ["C:\\Windows\\System32\\cmd.exe", undefined],
    ["/usr/bin/fish", ["-C", "cd a\nls"]],
    ["", undefined],
  ] as const) {
    it(`gives the arguments, if any, for running a script in ${JSON.stringify(shell)}`, () => {
      assert.deepEqual(scriptArguments(shell, "cd a\nls"), expected);
    });
  }
});

describe("fence languages", () => {
  const known = ["plaintext", "shellscript", "typescript", "python", "csharp", "Log"];
  for (const [fence, id] of [
    ["ts", "typescript"],
    ["TypeScript", "typescript"],
    ["sh", "shellscript"],
    ["c#", "csharp"],
    ["log", "Log"],
    ["", "plaintext"],
    ["__proto__", "plaintext"],
    ["toString", "plaintext"],
  ] as const) {
    it(`map ${JSON.stringify(fence)} to ${id}`, () => {
      assert.equal(languageId(fence, known), id);
    });
  }
  it("can be run only if they are shell languages", () => {
    const all = ["sh", "Bash", "zsh", "pwsh", "console", "", "js", "python", "makefile", "shells", "sh.js"];
    assert.deepEqual(all.filter(isForShell), ["sh", "Bash", "zsh", "pwsh", "console"]);
  });
});

describe("a view message about code or files", () => {
  const code = { kind: "code", act: "run", text: "ls", language: "sh", path: "" };
  for (const message of [
    { ...code, act: "runNow" },
    { ...code, text: "" },
    { ...code, text: "a".repeat(1_000_001) },
    { ...code, language: "sh; rm" },
    { ...code, path: "a".repeat(401) },
    { ...code, cwd: "/" },
    { kind: "findFiles", paths: Array.from({ length: 61 }, () => "a.ts") },
    { kind: "findFiles", paths: [1] },
    { kind: "openFile", path: "a.ts", line: -1, column: 0 },
    { kind: "openFile", path: "a.ts", line: 1.5, column: 0 },
    { kind: "openFile", path: "a.ts", line: 1 },
  ]) {
    it(`is refused: ${JSON.stringify(message).slice(0, 80)}`, () => {
      assert.ok("fault" in parseToHost(message));
    });
  }
  for (const message of [
    code,
    { kind: "findFiles", paths: ["a.ts"] },
    { kind: "openFile", path: "src/a.ts", line: 12, column: 0 },
  ]) {
    it(`is accepted: ${JSON.stringify(message)}`, () => {
      assert.deepEqual(parseToHost(message), { message });
    });
  }
});
