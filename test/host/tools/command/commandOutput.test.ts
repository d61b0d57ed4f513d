/** A command's output before a model gets it: its size and secrets of the environment. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { BoundedOutput } from "../../../../src/host/tools/command/boundedOutput.ts";
import { commandEnvironment, redactEnvironmentSecrets } from "../../../../src/host/tools/command/environmentSecrets.ts";

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
  const WITHOUT_PAGER = {
    PAGER: "cat",
    AWS_PAGER: "",
    BAT_PAGING: "never",
    DELTA_PAGER: "cat",
    GH_PAGER: "cat",
    GIT_PAGER: "cat",
    LESS: "-FRX",
    MANPAGER: "cat",
    PERLDOC_PAGER: "cat",
    PSQL_PAGER: "cat",
    SYSTEMD_PAGER: "cat",
  };
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
  it("§8 are passed to a command with the user's environment, without variables of the editor and without pagers", () => {
    const { VSCODE_IPC_HOOK, NODE_OPTIONS, ...users } = environment;
    assert.ok(VSCODE_IPC_HOOK !== "" && NODE_OPTIONS !== "");
    assert.deepEqual(commandEnvironment({ ...environment, PAGER: "less", COLUMNS: "80" }, false), {
      ...users,
      ...WITHOUT_PAGER,
    });
    assert.deepEqual(commandEnvironment({ TERM: "dumb" }, true), { TERM: "xterm-256color", ...WITHOUT_PAGER });
  });
});
