import assert from "node:assert/strict";
import { commandOf, commandsInProse, isQuotedCommand } from "../../../../src/core/summary/facts/commandLines.ts";
import { isDecision } from "../../../../src/core/summary/facts/decisions.ts";
import { errorOf } from "../../../../src/core/summary/facts/errorLines.ts";
import { outlierLines } from "../../../../src/core/summary/facts/outlierLines.ts";
import { isDirective } from "../../../../src/core/summary/facts/directives.ts";

describe("errorOf", () => {
  const check = (line: string, expected: string | undefined): void => {
    it(JSON.stringify(line), () => {
      assert.equal(errorOf(line), expected);
    });
  };
  check("java.io.IOException: disk gone", "java.io.IOException: disk gone");
  check("pg.UniqueViolation: key exists already", "pg.UniqueViolation: key exists already");
  check("> dyld: library not loaded, image not found", "dyld: library not loaded, image not found");
  check("The job still fails: ZZZ-0123: too many open files", "ZZZ-0123: too many open files");
  check("Its log says `tls: unknown authority` today.", "tls: unknown authority");
  check("  if (a.b === undefined) return;", undefined);
  check("The error is on my side, I believe.", undefined);
  check("Could it be that the access is denied?", undefined);
});

describe("command recognition", () => {
  const inTalk = (text: string, ...expected: readonly string[]): void => {
    it(JSON.stringify(text), () => {
      assert.deepEqual(commandsInProse(text), expected);
    });
  };
  inTalk("Did you try cargo build --release on it?", "cargo build --release");
  inTalk("First git fetch origin/main, then look.", "git fetch origin/main");
  inTalk("I think git is slow, and npm as well.");
  const quoted = (span: string, expected: boolean): void => {
    it(`\`${span}\` ${expected ? "is a command" : "is no command"}`, () => {
      assert.equal(isQuotedCommand(span), expected);
    });
  };
  quoted("frobnicate --all", true);
  quoted("just release-notes", true);
  quoted("const a = b", false);
  quoted("await load(a, b)", false);
  quoted("orders", false);
  it("finds commands on a separate line or after a colon", () => {
    const line = (text: string): string | undefined => commandOf({ text, isCode: false, language: "" });
    assert.deepEqual(["uv run app --port 80", "to start: docker compose up -d", "git is slow today"].map(line), [
      "uv run app --port 80",
      "docker compose up -d",
      undefined,
    ]);
  });
});

describe("isDecision", () => {
  const check = (sentence: string, expected: boolean): void => {
    it(sentence, () => {
      assert.equal(isDecision(sentence), expected);
    });
  };
  check("We went with a heap over a list, it is simpler.", true);
  check("Okay, then the tests move into the same folder.", true);
  check("It breaks because the clock jumps back at night.", true);
  check("Wir bleiben bei der alten Tabelle, sie genügt.", true);
  check("改用队列来处理。", true);
  check("Should we go with a heap or with a list here?", false);
  check("I read the file and the tests next to it.", false);
});

describe("isDirective", () => {
  const check = (sentence: string, expected: boolean): void => {
    it(sentence, () => {
      assert.equal(isDirective(sentence), expected);
    });
  };
  check("Leave the vendor folder alone.", true);
  check("Ask me before you delete anything.", true);
  check("keep functions under forty lines", true);
  check("When you add a field, update the schema too.", true);
  check("Every endpoint needs a rate limit.", true);
  check("spaces not tabs here", true);
  check("no default exports in this repo please", true);
  check("Keine neuen Pakete einführen.", true);
  check("Add a test for the empty list.", false);
  check("Fix the typo in the title.", false);
  check("no idea why that is", false);
  check("No further remarks.", false);
  check("Show me the file.", false);
});

describe("outlierLines", () => {
  const listing = Array.from({ length: 9 }, (_, i) => `src/a_${i}/b-${i}.ts`);
  const check = (title: string, lines: readonly string[], expected: readonly number[]): void => {
    it(title, () => {
      assert.deepEqual([...outlierLines(lines)], expected);
    });
  };
  check("finds the only line that is no row of the listing", [...listing, "3 files could not be read"], [9]);
  check("finds none if all lines are alike", listing, []);
  check(
    "finds none if every line has a different form",
    ["a", "b", "c", "d", "e", "f", "g", "h"].map((letter, i) => `${letter} ${"-".repeat(i)}`),
    [],
  );
  check("returns all lines of a short text", ["one", "two: 2"], [0, 1]);
  check("excludes code", [...listing, "export function a() {"], []);
});
