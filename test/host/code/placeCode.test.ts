import assert from "node:assert/strict";
import { runSync } from "../../../src/core/cooperativeTask.ts";
import { placeCode } from "../../../src/host/code/placeCode.ts";
import { pathInDiff } from "../../../src/host/code/unifiedDiff.ts";
import { assertLinearTime } from "../../support/linearTime.ts";
import { inMeasuredSlices } from "../../support/measuredSlices.ts";

const file = `import { wait } from "./wait.ts";

export class Upload {
  constructor(private readonly policy: Policy) {}

  async send(file: File): Promise<void> {
    await this.attempt(file);
  }

  async attempt(file: File): Promise<void> {
    for (let i = 0; i < this.policy.attempts; i++) {
      await wait(this.policy.delayMs);
    }
    log("done");
  }

  close(): void {
    this.socket.end();
  }
}
`;

function check(name: string, code: string, expected: string | undefined, before = file): void {
  it(name, () => {
    assert.equal(runSync(placeCode(before, code)), expected);
  });
}

describe("placeCode", () => {
  check("puts code into an empty file", "let a = 1;", "let a = 1;\n", "\n");
  check(
    "replaces the function it is a new version of, keeping the file's indentation",
    `async attempt(file: File): Promise<void> {
  for (let i = 0; i < this.policy.retries; i++) {
    await wait(this.policy.delayMs * 2 ** i);
  }
  log("done");
}`,
    file
      .replace("this.policy.attempts", "this.policy.retries")
      .replace("this.policy.delayMs", "this.policy.delayMs * 2 ** i"),
  );
  check(
    "finds a function by its name when everything else is new",
    `  close(): boolean {
    if (this.open) this.socket.destroy();
    return this.open;
  }`,
    file.replace(
      "  close(): void {\n    this.socket.end();\n  }",
      "  close(): boolean {\n    if (this.open) this.socket.destroy();\n    return this.open;\n  }",
    ),
  );
  check(
    "keeps the code that an elision comment stands for",
    `import { wait } from "./wait.ts";
import { log } from "../../../../src/host/editor/log.ts";

// ... existing code ...

  close(): void {
    this.socket.end();
    log("closed");
  }`,
    file
      .replace('"./wait.ts";\n', '"./wait.ts";\nimport { log } from "../../../../src/host/editor/log.ts";\n')
      .replace("this.socket.end();\n", 'this.socket.end();\n    log("closed");\n'),
  );
  check(
    "replaces the whole file with a new version of it",
    file.replaceAll("policy", "rules"),
    undefined,
    "x\n".repeat(3),
  );
  check(
    "treats a new version of most of the file as the whole file",
    file.replace("this.socket.end();", "this.socket.destroy();").trimEnd(),
    file.replace("this.socket.end();", "this.socket.destroy();"),
  );
  check("does not guess when nothing is similar", "SELECT name FROM uploads;\nSELECT 1;", undefined);
  check("does not count brackets as similarity", "foo(\n}\n)\n{", undefined);
  check(
    "applies a diff whose line numbers are wrong",
    `--- a/src/upload.ts
+++ b/src/upload.ts
@@ -90,3 +90,4 @@
   close(): void {
     this.socket.end();
+    log("closed");
   }`,
    file.replace("this.socket.end();\n", 'this.socket.end();\n    log("closed");\n'),
  );
  check("does not apply a diff of another file", "@@ -1,2 +1,2 @@\n-let a = 1;\n+let a = 2;", undefined);
  check(
    "does not compare code that is too long",
    "let a = 1;\n".repeat(2_000),
    undefined,
    "let b = 2;\n".repeat(2_000),
  );

  it("replaces the selection in whole lines", () => {
    const start = file.indexOf("    log(");
    const end = file.indexOf("  close()");
    const after = runSync(placeCode(file, 'log("over");\nreturn;\n', { start: start + 4, end }));
    assert.equal(after, `${file.slice(0, start)}    log("over");\n    return;\n${file.slice(end)}`);
  });

  it("takes linear time for adversarial lines", () => {
    for (const unit of [" ", "\n", "\t", "// ", "... ", "// rest "]) {
      const marked = (text: string): string => `// ...\n${text}\n// ...`;
      assertLinearTime((text) => runSync(placeCode("let a;\n", marked(text))), {
        unit,
        behind: "!",
        longestUnits: 50_000,
      });
    }
  });

  describe("in a file of a megabyte", () => {
    const long = Array.from(
      { length: 30_000 },
      (_, index) => `  const value${String(index)} = read(${String(index)});`,
    );
    const before = long.join("\n");
    const after = before.replace("read(5050)", "read(0)");
    const hunks = (list: readonly number[]): string =>
      list.map((at) => `@@ -1 +1 @@\n-${long[at] ?? ""}\n+  read(${String(at)});`).join("\n");
    const everyTenth = Array.from({ length: 100 }, (_, index) => index * 100 + 5);
    for (const [name, code, expected] of [
      ["one block", long.slice(5_000, 5_140).join("\n").replace("read(5050)", "read(0)"), after],
      [
        "pieces with elision comments between them",
        [100, 2_000, 9_000].map((at) => long.slice(at, at + 20).join("\n")).join("\n// ...\n"),
        before,
      ],
      [
        "a diff of many hunks",
        hunks(everyTenth),
        long.map((line, at) => (everyTenth.includes(at) ? `  read(${String(at)});` : line)).join("\n"),
      ],
    ] as const) {
      it(`places ${name} in slices shorter than a frame`, async () => {
        const { value, slicesMs } = await inMeasuredSlices(placeCode(before, code));
        assert.equal(value, expected);
        assert.ok(slicesMs.length >= 10, `${String(slicesMs.length)} slices`);
        const longest = Math.max(...slicesMs);
        assert.ok(longest < 16, `${longest.toFixed(1)} ms`);
      });
    }
  });
});

describe("pathInDiff", () => {
  for (const [diff, path] of [
    ["--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@", "src/a.ts"],
    ["--- src/a b.ts\t2026\n+++ src/a b.ts\t2026\n", "src/a b.ts"],
    ["--- a/src/a.ts\n+++ /dev/null\n", ""],
    ["let a = 1;", ""],
  ] as const) {
    it(`finds ${path === "" ? "none" : path} in ${JSON.stringify(diff)}`, () => {
      assert.equal(pathInDiff(diff), path);
    });
  }
});
