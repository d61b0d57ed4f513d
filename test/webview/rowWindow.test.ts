import fc from "fast-check";
import assert from "node:assert/strict";
import {
  maxMounted,
  openMounted,
  type RowWindow,
  windowAfterAppend,
  windowAfterPrepend,
  windowAfterRemoval,
  windowAtTail,
  windowDown,
  windowAround,
  windowUp,
} from "../../src/webview/rowWindow.ts";

const away = (start: number, end: number): RowWindow => ({ start, end, following: false });

describe("window of rows", () => {
  const cases: readonly (readonly [name: string, window: RowWindow, expected: RowWindow])[] = [
    ["opens at the newest rows", windowAtTail(100), { start: 60, end: 100, following: true }],
    ["opens with all of a few rows", windowAtTail(3), { start: 0, end: 3, following: true }],
    ["grows with new rows", windowAfterAppend(windowAtTail(10), 11, 1), { start: 0, end: 11, following: true }],
    [
      "lets old rows go when it is full",
      windowAfterAppend({ start: 0, end: 60, following: true }, 61, 1),
      { start: 61 - openMounted, end: 61, following: true },
    ],
    ["stays where the reader is", windowAfterAppend(away(0, 60), 61, 1), away(0, 60)],
    ["stays when its end is not the end", windowAfterAppend(away(5, 40), 61, 1), away(5, 40)],
    ["moves with its rows when older ones come", windowAfterPrepend(away(0, 40), 50), away(38, 90)],
    ["goes up", windowUp(away(60, 100)), away(48, 100)],
    ["goes on following", windowUp({ start: 60, end: 100, following: true }), { start: 48, end: 100, following: true }],
    ["does not follow a row that it let go", windowUp({ start: 40, end: 100, following: true }), away(28, 88)],
    ["goes up and lets new rows go", windowUp(away(40, 100)), away(28, 88)],
    ["goes down and lets old rows go", windowDown(away(0, 60), 100), away(12, 72)],
    ["shrinks with a row above it", windowAfterRemoval(away(10, 20), 3), away(9, 19)],
    ["shrinks with a row in it", windowAfterRemoval(away(10, 20), 15), away(10, 19)],
    ["does not see a row below it go", windowAfterRemoval(away(10, 20), 25), away(10, 20)],
  ];
  for (const [name, window, expected] of cases) {
    it(name, () => {
      assert.deepEqual(window, expected);
    });
  }

  it("stays within the rows and its limit, whatever happens", () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom("append", "prepend", "up", "down", "tail", "leave", "remove", "around"), fc.nat(70)),
    );
    fc.assert(
      fc.property(steps, (list) => {
        let count = 0;
        let window = windowAtTail(0);
        for (const [step, size] of list) {
          if (step === "append") window = windowAfterAppend(window, (count += size), size);
          if (step === "prepend" && size > 0) [count, window] = [count + size, windowAfterPrepend(window, size)];
          if (step === "up") window = windowUp(window);
          if (step === "down") window = windowDown(window, count);
          if (step === "tail") window = windowAtTail(count);
          if (step === "around" && size < count) {
            window = windowAround(size, count);
            assert.ok(window.start <= size && size < window.end, "the row is mounted");
          }
          if (step === "leave") window = { ...window, following: false };
          if (step === "remove" && size < count) [count, window] = [count - 1, windowAfterRemoval(window, size)];
          assert.ok(0 <= window.start && window.start <= window.end && window.end <= count);
          assert.ok(window.end - window.start <= maxMounted);
          assert.ok(!window.following || window.end === count);
        }
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
});
