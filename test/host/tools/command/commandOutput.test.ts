/** A command's output before a model gets it: control sequences, size and secrets of the environment. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { BoundedOutput } from "../../../../src/host/tools/command/boundedOutput.ts";
import { commandEnvironment, redactEnvironmentSecrets } from "../../../../src/host/tools/command/environmentSecrets.ts";
import { TerminalText } from "../../../../src/host/tools/command/terminalText.ts";

function plain(pieces: readonly string[]): string {
  const text = new TerminalText();
  return pieces.map((piece) => text.add(piece)).join("") + text.end();
}

describe("TerminalText", () => {
  const check = (title: string, raw: string, expected: string): void => {
    it(title, () => {
      assert.equal(plain([raw]), expected);
      assert.equal(plain(Array.from(raw)), expected, "the same, character by character");
    });
  };
  check("preserves plain text", "a\tb\nß 長 😀\n", "a\tb\nß 長 😀\n");
  check("removes colours", "\u001b[1;31mred\u001b[0m and \u001b[38;5;12mblue\u001b[m", "red and blue");
  check("removes titles and shell marks", "\u001b]0;a title\u0007x\u001b]633;C\u001b\\y\n", "xy\n");
  check("removes a link's address", "\u001b]8;;https://example.org\u0007here\u001b]8;;\u0007", "here");
  check("removes other control sequences", "\u001bPdata\u001b\\a\u001b(Bb\u001b=c\u001b7d\u009b2Je", "abcde");
  check("turns CRLF into LF", "a\r\nb\r\n", "a\nb\n");
  check("shows the last state of a progress bar", "10 %\r50 %\r100 %\ndone\n", "100 %\ndone\n");
  check("preserves a last line that ends with a carriage return", "done\r", "done");
  check("applies backspaces and removes other control characters", "abx\bc\u0000\u007f", "abc");
  check("ends an invalid control sequence", "\u001b[31\nmore", "more");
  check("ends a title that another sequence interrupts", "\u001b]0;x\u001b[0mtext", "text");

  it("returns the same text for any output, however it is split", () => {
    const piece = fc.constantFrom(
      "a",
      "\n",
      "\r",
      "\u001b",
      "[",
      "]",
      "31m",
      "\u0007",
      "\\",
      "\b",
      "é",
      "\u001b[0m",
      "P",
      "(B",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        assert.equal(plain(pieces), plain([pieces.join("")]));
        assert.ok(!plain(pieces).includes("\u001b"));
      }),
      { seed: 5, numRuns: 5_000 },
    );
  });
  it("does not buffer a line that never ends", () => {
    const text = new TerminalText();
    const given = Array.from({ length: 100 }, () => text.add("x".repeat(10_000))).join("").length;
    assert.ok(given > 900_000);
  });
});

describe("BoundedOutput", () => {
  const check = (title: string, text: string, expected: string): void => {
    it(title, () => {
      const output = new BoundedOutput({ head: 10, tail: 12 });
      output.add(text);
      assert.equal(output.text(), expected);
    });
  };
  check("preserves short output", "one\ntwo\n", "one\ntwo\n");
  check("preserves output of exactly the maximum length", "0123456789abcdefghijkl", "0123456789abcdefghijkl");
  check(
    "preserves whole lines around a gap",
    "one\ntwo\nthree\nfour\nfive\nsix\nseven\n",
    "one\ntwo\n… 16 characters left out …\nsix\nseven\n",
  );
  check(
    "truncates the middle of a line that is too long",
    "x".repeat(40),
    `${"x".repeat(10)}\n… 18 characters left out …\n${"x".repeat(12)}`,
  );

  it("preserves the head, the tail and the count of omitted characters, for any pieces", () => {
    const piece = fc.string({ maxLength: 15 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const output = new BoundedOutput({ head: 20, tail: 30 });
        for (const part of pieces) output.add(part);
        const whole = pieces.join("");
        const text = output.text();
        if (whole.length <= 50) assert.equal(text, whole);
        else {
          const [head = "", tail = ""] = text.split(/… \d+ characters? left out …\n/);
          const left = Number(/… (\d+)/.exec(text)?.[1]);
          assert.ok(whole.startsWith(head.replace(/\n$/, "")) && whole.endsWith(tail));
          const added = whole.startsWith(head) ? 0 : 1;
          assert.equal(head.length - added + left + tail.length, whole.length);
        }
      }),
      { seed: 5, numRuns: 3_000 },
    );
  });
  it("bounds its text for 92 MB of output", () => {
    const output = new BoundedOutput();
    const piece = "some output of a build\n".repeat(400);
    for (let round = 0; round < 10_000; round++) output.add(piece);
    assert.ok(output.text().length < 140_000);
  });
});

describe("secrets of the environment", () => {
  const environment = {
    OPENAI_API_KEY: "house-key-1f8a77c2d05b4e",
    DB_PASSWORD: "correct horse",
    GITHUB_TOKEN: "house-key-1f8a77c2d05b4e-longer",
    MYSQL_PWD: "hunter2hunter2",
    PATH: "/usr/bin:/bin",
    PWD: "/home/u/project",
    SSH_AUTH_SOCK: "/run/agent.sock",
    KEYBOARD: "us-intl-altgr",
    AUTH_TOKEN: "short",
    EMPTY_SECRET: "",
    VSCODE_IPC_HOOK: "/tmp/x.sock",
    NODE_OPTIONS: "--require /tmp/hook.js",
  };
  it("are redacted in output, longer ones first", () => {
    const printed = Object.entries(environment)
      .map(([name, value]) => `${name}=${value}`)
      .join("\n");
    const { text, count } = redactEnvironmentSecrets(printed, environment);
    const expected = printed
      .replace("house-key-1f8a77c2d05b4e-longer", "[redacted: GITHUB_TOKEN]")
      .replace("house-key-1f8a77c2d05b4e", "[redacted: OPENAI_API_KEY]")
      .replace("correct horse", "[redacted: DB_PASSWORD]")
      .replace("hunter2hunter2", "[redacted: MYSQL_PWD]");
    assert.deepEqual({ text, count }, { text: expected, count: 4 });
  });
  it("are passed to a command with the user's environment, without variables of the editor", () => {
    const names = Object.keys(environment).filter((name) => !["VSCODE_IPC_HOOK", "NODE_OPTIONS"].includes(name));
    assert.deepEqual(Object.keys(commandEnvironment(environment)), names);
  });
});
