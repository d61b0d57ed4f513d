import { deepEqual, ok } from "node:assert/strict";
import { CompiledPatterns, patternsFor } from "../../../../src/core/summary/facts/instructionPatterns/languages.ts";
import { patternsIn } from "../../../../src/core/summary/facts/instructionPatterns/instructionPatterns.ts";

describe("compiled patterns of directives", () => {
  const cases = [
    { text: "src/a.ts", most: 16 },
    { text: "Никогда не меняй этот файл.", most: 17 },
    { text: "Use “tabs” – şimdi", most: 17 },
    { text: "请不要修改这个文件。", most: 17 },
  ];
  for (const { text, most } of cases) {
    it(`uses every pattern that "${text}" may need, each twice, and eight between two pauses`, () => {
      const uses = usesBetweenPauses(new CompiledPatterns(), text);
      deepEqual(Math.max(...uses.map((step) => step.length)), most); // the letters of the text are tested, too
      const used = uses.flat();
      const needed = patternsFor(text).flatMap(patternsIn);
      ok(needed.length > 0);
      deepEqual(
        needed.filter((pattern) => used.filter((each) => each === pattern).length < 2),
        [],
      );
    });
  }

  it("compiles once for one reading", () => {
    const compiled = new CompiledPatterns();
    usesBetweenPauses(compiled, "Use “tabs”");
    const again = ["plain", "Use “tabs”", "Никогда"].map((text) => usesBetweenPauses(compiled, text).flat().length);
    deepEqual(again, [0, 0, 0]);
  });
});

/** Patterns that were tested in each step. */
function usesBetweenPauses(compiled: CompiledPatterns, text: string): readonly (readonly RegExp[])[] {
  const steps: RegExp[][] = [];
  const original = Object.getOwnPropertyDescriptor(RegExp.prototype, "test") ?? {};
  let step: RegExp[] = [];
  const test = function (this: RegExp, subject: string): boolean {
    step.push(this);
    return this.exec(subject) !== null;
  };
  Object.defineProperty(RegExp.prototype, "test", { ...original, value: test });
  try {
    const task = compiled.compileFor(text);
    for (let done: boolean | undefined = false; done !== true;) {
      step = [];
      steps.push(step);
      ({ done } = task.next());
    }
  } finally {
    Object.defineProperty(RegExp.prototype, "test", original);
  }
  return steps;
}
