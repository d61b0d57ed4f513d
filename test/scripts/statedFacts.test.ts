import assert from "node:assert/strict";
import {
  endsInLoop,
  plainText,
  type StatedFact,
  statedFacts,
  states,
  unmarkedInventions,
} from "../../scripts/real/statedFacts.ts";

describe("facts that a text states", () => {
  const check = (text: string, expected: readonly string[]): void => {
    it(JSON.stringify(text), () => {
      assert.deepEqual(
        statedFacts(text).map((fact) => `${fact.kind} ${fact.text}`),
        expected,
      );
    });
  };
  check("Nothing of note and/or nothing at all.", []);
  check("See https://example.org/a?b=1, please.", ["url https://example.org/a?b=1"]);
  check("I changed src/app/main.ts and README.md.", ["path src/app/main.ts", "path README.md"]);
  check("`readFile` calls read_file, then Core::open", ["name readFile", "name read_file", "name Core::open"]);
  check("It took 412 ms of 3.5s, 7 times, in v1.2.3 (97%)", [
    "number 412",
    "number 3.5s",
    "number v1.2.3",
    "number 97%",
  ]);
  check("Run `npm test` first.\n$ git push origin\n```sh\ncargo build --release\n```", [
    "command npm test",
    "command git push origin",
    "command cargo build --release",
  ]);
  check('He said "keep the old table" to me.', ["quotation keep the old table"]);

  const stated = (text: string, fact: StatedFact["text"], expected: boolean): void => {
    it(`${JSON.stringify(fact)} is ${expected ? "" : "not "}stated by ${JSON.stringify(text)}`, () => {
      assert.equal(states(plainText(text), { kind: "name", text: fact }), expected);
    });
  };
  stated("the **readFile** function", "readFile", true);
  stated("readFileSync", "readFile", false);
  stated("port 84710", "8471", false);
  stated("git  push\norigin", "git push origin", true);

  it("finds inventions, unless a mark follows each of them", () => {
    const source = plainText("We changed src/a.ts in 412 ms.");
    const note = "Changed src/a.ts and `src/b/c.ts` [unverified], in 412 ms.\n```\nnpm new thing\n```";
    assert.deepEqual(unmarkedInventions(note, source, " [unverified]"), [{ kind: "command", text: "npm new thing" }]);
  });

  const loop = (title: string, text: string, expected: boolean): void => {
    it(`${title} ${expected ? "ends" : "does not end"} in a loop`, () => {
      assert.equal(endsInLoop(text), expected);
    });
  };
  loop("one sign again and again", "1. ".repeat(100), true);
  loop("a sentence again and again", `Well. ${"I will now list the steps that I have taken so far. ".repeat(6)}`, true);
  loop(
    "a list",
    Array.from({ length: 60 }, (_, index) => `- step ${String(index)}: ${String(index * 37)}`).join("\n"),
    false,
  );
  loop("a short text", "no no no no", false);
});
