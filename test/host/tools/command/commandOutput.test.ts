/** What a command printed, on its way to a model: control sequences, bounds, and secrets of the environment. */

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
  check("keeps text", "a\tb\nß 長 😀\n", "a\tb\nß 長 😀\n");
  check("takes colours out", "\u001b[1;31mred\u001b[0m and \u001b[38;5;12mblue\u001b[m", "red and blue");
  check("takes titles and shell marks out", "\u001b]0;a title\u0007x\u001b]633;C\u001b\\y\n", "xy\n");
  check("takes an address behind a link out", "\u001b]8;;https://example.org\u0007here\u001b]8;;\u0007", "here");
  check("takes other sequences out", "\u001bPdata\u001b\\a\u001b(Bb\u001b=c\u001b7d\u009b2Je", "abcde");
  check("takes line ends of terminals as line ends", "a\r\nb\r\n", "a\nb\n");
  check("keeps the last state of a progress bar", "10 %\r50 %\r100 %\ndone\n", "100 %\ndone\n");
  check("keeps a line that only a carriage return ends", "done\r", "done");
  check("takes back what is deleted", "abx\bc\u0000\u007f", "abc");
  check("ends a sequence that cannot be one", "\u001b[31\nmore", "more");
  check("ends a title that is cut by another sequence", "\u001b]0;x\u001b[0mtext", "text");

  it("says the same however the output is cut, for any output", () => {
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
  it("does not hold a line that never ends", () => {
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
  check("keeps what is short", "one\ntwo\n", "one\ntwo\n");
  check("keeps what just fits", "0123456789abcdefghijkl", "0123456789abcdefghijkl");
  check(
    "keeps whole lines around a gap",
    "one\ntwo\nthree\nfour\nfive\nsix\nseven\n",
    "one\ntwo\n… 16 characters left out …\nsix\nseven\n",
  );
  check(
    "cuts a line that is too long",
    "x".repeat(40),
    `${"x".repeat(10)}\n… 18 characters left out …\n${"x".repeat(12)}`,
  );

  it("keeps the beginning, the end and the count, for any pieces", () => {
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
  it("takes a hundred megabytes in its stride", () => {
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
  it("are taken out of the output, the longer first", () => {
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
  it("a command gets the user's environment without what the editor set for itself", () => {
    const names = Object.keys(environment).filter((name) => !["VSCODE_IPC_HOOK", "NODE_OPTIONS"].includes(name));
    assert.deepEqual(Object.keys(commandEnvironment(environment)), names);
  });
});
