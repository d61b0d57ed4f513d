import assert from "node:assert/strict";
import fc from "fast-check";
import { type Loop, LoopDetector, type LoopLimits } from "../../../src/core/repetition/loopDetector.ts";
import { assertLinearTime } from "../../support/linearTime.ts";
import {
  loopOf,
  ordinary,
  ORDINARY,
  proseOf,
  repeated,
  SCRIPT_NAMES,
  sentence,
  UNITS,
} from "../../support/texts/plantedLoops.ts";
import { seededRandom } from "../../support/texts/plantedSecrets.ts";

const BEFORE = "This is what I think about it, and then there is more to say.\n\n";

function loopsIn(text: string, limits: LoopLimits = {}): readonly Loop[] {
  const detector = new LoopDetector(limits);
  detector.push(text);
  return detector.loops;
}

/** Findings with the unit in place of its offsets. */
function found(text: string, limits?: LoopLimits) {
  return loopsIn(text, limits).map(({ start, unitLength, times, isRunning, where }) => ({
    unit: text.slice(start, start + unitLength),
    times,
    isRunning,
    where,
  }));
}

describe("L2 a model that repeats itself", () => {
  const check = (
    name: string,
    loop: string,
    expected: { readonly unit: string; readonly times: number; readonly isRunning?: boolean },
  ): void => {
    it(`is seen at ${name}`, () => {
      const { times, isRunning = false } = expected;
      assert.deepEqual(found(loop), [{ ...expected, isRunning, where: "prose" }]);
      assert.deepEqual(
        loopsIn(BEFORE + loop).map((one) => [one.times, one.isRunning, one.where]),
        [[times, isRunning, "prose"]],
      );
    });
  };
  check("numbered nothing", "1. ".repeat(700), { unit: "1. ", times: 700 });
  check("one letter", "a".repeat(1_500), { unit: "a", times: 1_500 });
  check("blank lines", `x${"\n".repeat(1_500)}`, { unit: "\n", times: 1_500 });
  check("an emoji", "😀".repeat(1_000), { unit: "😀", times: 1_000 });
  check("a token for the end", "</s>".repeat(500), { unit: "</s>", times: 500 });
  check("a token in the beginning of lines", "<unk>\n".repeat(500), { unit: "<unk>\n", times: 500 });
  check("a sentence that goes on", "wait, let me think. ".repeat(100), { unit: "wait, let me think. ", times: 100 });
  check("counting", Array.from({ length: 600 }, (_, at) => `${String(at + 1)}, `).join(""), {
    unit: "1, ",
    times: 600,
    isRunning: true,
  });
  check(
    "decimals that run on",
    Array.from({ length: 300 }, (_, at) => `In ${((at + 3) / 10).toFixed(1)}: yes. `).join(""),
    {
      unit: "In 0.3: yes. ",
      times: 300,
      isRunning: true,
    },
  );
  check(
    "a number in Arabic",
    Array.from({ length: 200 }, (_, at) => `خطوة ${(at + 9).toLocaleString("ar-EG")} ثم. `).join(""),
    {
      unit: "خطوة ٩ ثم. ",
      times: 200,
      isRunning: true,
    },
  );
  const chinese = (value: number): string => {
    const digit = (at: number): string => "〇一二三四五六七八九".charAt(at);
    const [tens, ones] = [Math.floor(value / 10), value % 10];
    return `${tens > 1 ? digit(tens) : ""}${tens > 0 ? "十" : ""}${ones > 0 ? digit(ones) : ""}`;
  };
  check(
    "a number in Chinese",
    Array.from({ length: 98 }, (_, at) => `第${chinese(at + 1)}步:继续做同样的事情,然后再看一遍。`).join(""),
    {
      unit: "第一步:继续做同样的事情,然后再看一遍。",
      times: 98,
      isRunning: true,
    },
  );
  check("the mark of a call's end", "0.0.1 <|tool_call_end|> ".repeat(60), {
    unit: "0.0.1 <|tool_call_end|> ",
    times: 60,
  });
  check("blocks that come again as a whole", "Run this.\n\n```sh\nnpm test\n```\n\n".repeat(60), {
    unit: "Run this.\n\n```sh\nnpm test\n```\n\n",
    times: 60,
  });
  check("blocks with nothing between them", "```\nls -l /tmp\n```\n".repeat(90), {
    unit: "```\nls -l /tmp\n```\n",
    times: 90,
  });

  it("is seen within 1,500 characters or five repetitions, in any script, also with a running number", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SCRIPT_NAMES),
        fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 2_000 })),
        fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
        fc.integer(),
        (script, length, firstNumber, seed) => {
          const random = seededRandom(seed);
          // One character of text beside the number, at least.
          const unitLength = firstNumber === undefined ? length : Math.max(length, String(firstNumber).length + 1);
          const shape = { script, unitLength, times: Math.ceil(Math.max(5, 2_000 / unitLength)) };
          const loop = loopOf(firstNumber === undefined ? shape : { ...shape, firstNumber }, random);
          const before = proseOf(script, 700, random);
          const due = before.length + Math.max(1_500, 5 * (unitLength + 1));
          const [first] = loopsIn(before + loop);
          assert.ok(first?.where === "prose" && first.seenAt <= due, JSON.stringify({ first, due }));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is seen as early for units as models write them, with code and tables in them", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(UNITS)),
        fc.integer({ min: 0, max: 150 }),
        fc.integer(),
        (kind, firstNumber, seed) => {
          const random = seededRandom(seed);
          const unit = UNITS[kind]?.(random) ?? "";
          const due = BEFORE.length + Math.max(1_500, 5 * (unit.length + 4));
          const [first] = loopsIn(BEFORE + repeated(unit, due + 2_000, firstNumber));
          assert.ok(first?.where === "prose" && first.seenAt <= due, JSON.stringify({ unit, first, due }));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("is the same, however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(ORDINARY)),
        fc.constantFrom(...SCRIPT_NAMES),
        fc.integer({ min: 1, max: 600 }),
        fc.integer(),
        fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1 }),
        fc.boolean(),
        (kind, script, unitLength, seed, cuts, everywhere) => {
          const random = seededRandom(seed);
          const loop = loopOf({ script, unitLength, times: Math.ceil(3_000 / unitLength), firstNumber: 7 }, random);
          const text = `${ordinary(kind, 2_000, seed)}${loop}\n\n${ordinary(kind, 2_000, seed + 1)}`;
          const detector = new LoopDetector({ everywhere });
          for (let [from, turn] = [0, 0]; from < text.length; turn++) {
            const cut = cuts[turn % cuts.length] ?? 1;
            detector.push(text.slice(from, from + cut));
            from += cut;
          }
          assert.deepEqual(detector.loops, loopsIn(text, { everywhere }));
        },
      ),
      { numRuns: 60 },
    );
  });

  for (const [name, open, unit] of [
    ["a fence", "```\n", "foo();\n"],
    ["a fence with comments that have fences", "```js\n/**\n * ```\n", " * call();\n"],
    ["a quoted fence", "> ```\n", "> foo();\n"],
    ["a fence of tildes in a list", "- ~~~~ts\n", "  foo();\n"],
    ["a table", "| a | b |\n|---|---|\n", "| 1 | 2 |\n"],
    ["a table without outer pipes", "a | b\n--- | ---\n", "1 | 2\n"],
    ["HTML", "\n", '<a href="/x"><img src="/y.svg"></a>\n'],
    ["addresses of links", "\n", "[1.0]: https://example.org/1.0\n"],
  ] as const)
    it(`is seen after 8,000 characters in ${name}, and at once in notes`, () => {
      const at = (BEFORE + open).length;
      const text = BEFORE + open + unit.repeat(Math.ceil(10_000 / unit.length));
      assert.deepEqual(loopsIn(text.slice(0, at + 8_000)), []);
      assert.deepEqual(
        loopsIn(text).map(({ where, seenAt }) => ({ where, isInTime: seenAt - at <= 9_000 })),
        [{ where: "data", isInTime: true }],
      );
      assert.deepEqual(
        loopsIn(text, { everywhere: true }).map(({ where, seenAt }) => ({ where, isInTime: seenAt - at <= 1_500 })),
        [{ where: "prose", isInTime: true }],
      );
    });

  it("is seen in prose after a fence or a table that was closed", () => {
    for (const closed of [
      "```\nfoo();\n```\n",
      "````\n```\nfoo();\n````\n",
      `| a |\n|---|\n| 1 |\n\n`,
      "```inline``` code\n",
    ])
      assert.deepEqual(
        found(`${BEFORE}${closed}${"Done. ".repeat(300)}`).map(({ where }) => where),
        ["prose"],
        closed,
      );
  });

  it("is a list of data where the numbers do not run on", () => {
    const random = seededRandom(5);
    const list = (times: number): string =>
      Array.from({ length: times }, () => `- score: ${random().toFixed(3)}\n`).join("");
    assert.deepEqual(loopsIn(BEFORE + list(500)), []);
    assert.deepEqual(
      loopsIn(BEFORE + list(700)).map(({ where }) => where),
      ["data"],
    );
    assert.deepEqual(loopsIn(`${BEFORE}\`\`\`csv\n${list(5_000)}`), []);
  });

  it("ends where something else comes, and is seen anew", () => {
    const text = `${BEFORE}${"one two. ".repeat(200)}But no:\n${"three four. ".repeat(200)}Now I stop.`;
    assert.deepEqual(
      loopsIn(text).map(({ start, end, times }) => ({ text: text.slice(start, start + 9), end, times })),
      [
        { text: "one two. ", end: BEFORE.length + 9 * 200, times: 200 },
        { text: "three fou", end: text.length - "Now I stop.".length, times: 200 },
      ],
    );
  });

  it("does not take data after a loop for a part of it", () => {
    const random = seededRandom(6);
    const row = (at: number, value: string): string => `Row ${String(at)}: ${value}. `;
    const loop = Array.from({ length: 200 }, (_, at) => row(at, "0")).join("");
    const data = Array.from({ length: 60 }, (_, at) => row(200 + at, String(Math.floor(random() * 1_000)))).join("");
    const [first] = loopsIn(BEFORE + loop + data);
    assert.ok(
      first !== undefined && first.end < (BEFORE + loop + data).length - data.length * 0.8,
      JSON.stringify(first),
    );
  });

  it("is seen after a stutter that grows", () => {
    const stutter = Array.from({ length: 12 }, (_, at) => `${"the ".repeat(at + 2)}writer went. `).join("");
    const [first] = loopsIn(`${BEFORE}${stutter}${"not called. ".repeat(150)}`);
    assert.ok(first?.where === "prose" && first.times >= 149, JSON.stringify(first));
    assert.ok(first.seenAt <= BEFORE.length + stutter.length + 1_500);
  });

  it("is no list whose lines only begin alike, and no rule under a heading", () => {
    const random = seededRandom(9);
    const names = Array.from(
      { length: 200 },
      () =>
        `- projects/harbour-4711/locations/europe-west3/services/${proseOf("latin", 12, random).replaceAll(/\W/g, "-")}\n`,
    ).join("");
    const rules = Array.from({ length: 40 }, () => `${sentence(random)}\n${"-".repeat(90)}\n`).join("");
    assert.deepEqual(loopsIn(BEFORE + names + rules), []);
  });

  it("is never seen in ordinary texts", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(ORDINARY)), fc.integer(), (kind, seed) => {
        assert.deepEqual(loopsIn(`${BEFORE}${ordinary(kind, 30_000, seed)}`), []);
      }),
      { numRuns: 100 },
    );
  });

  it("takes linear time to see, or not to see", () => {
    for (const unit of ["1. ", "1, 2; ", `${proseOf("latin", 1_900, seededRandom(7))}\n`, "```\n", "| 0 | 17 |\n"])
      assertLinearTime((text) => loopsIn(text), { unit, longestUnits: 400_000 });
    const random = seededRandom(8);
    const numbers = Array.from({ length: 1_000 }, () => Math.floor(random() * 1_000)).join(", ");
    assertLinearTime((text) => loopsIn(`\`\`\`csv\n${text}`), { unit: numbers, longestUnits: 400_000 });
  });
});
