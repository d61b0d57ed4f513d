import fc from "fast-check";
import assert from "node:assert/strict";
import type { Row } from "../../../src/protocol/toView.ts";
import {
  maxMountedRows,
  type RowWindow,
  windowAfterAppend,
  windowAfterPrepend,
  windowAfterRemoval,
  windowAround,
  windowAtTail,
  windowDown,
  windowFrom,
  windowUp,
} from "../../../src/webview/transcript/rowWindow.ts";
import { answer } from "../../browser/support/viewBuilders.ts";

const away = (start: number, end: number): RowWindow => ({ start, end, following: false });
const following = (start: number, end: number): RowWindow => ({ start, end, following: true });
const short = (count: number): readonly Row[] => Array.from({ length: count }, (_, id) => answer(id, "a"));
const long = (count: number): readonly Row[] => Array.from({ length: count }, (_, id) => answer(id, "a".repeat(9_000)));
const giant = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, id) => answer(id, "a".repeat(200_000)));

describe("row window", () => {
  const cases: readonly (readonly [name: string, window: RowWindow, expected: RowWindow])[] = [
    ["opens at the newest rows", windowAtTail(short(100)), following(60, 100)],
    ["opens with all rows when there are few", windowAtTail(short(3)), following(0, 3)],
    ["grows when rows are appended", windowAfterAppend(following(0, 10), short(11), 1), following(0, 11)],
    ["unmounts the oldest rows when it is full", windowAfterAppend(following(0, 60), short(61), 1), following(21, 61)],
    [
      "does not move on append when the reader has scrolled away",
      windowAfterAppend(away(0, 60), short(61), 1),
      away(0, 60),
    ],
    [
      "does not move on append when it ends above the newest row",
      windowAfterAppend(away(5, 40), short(61), 1),
      away(5, 40),
    ],
    ["keeps its rows when older rows are prepended", windowAfterPrepend(away(0, 40), short(90), 50), away(38, 90)],
    ["moves up", windowUp(away(60, 100), short(100)), away(48, 100)],
    [
      "still follows after moving up when the newest row stays mounted",
      windowUp(following(60, 100), short(100)),
      following(48, 100),
    ],
    ["stops following when moving up unmounts the newest row", windowUp(following(40, 100), short(100)), away(28, 88)],
    ["unmounts the newest rows when it moves up", windowUp(away(40, 100), short(100)), away(28, 88)],
    ["unmounts the oldest rows when it moves down", windowDown(away(0, 60), short(100)), away(12, 72)],
    ["starts above the row that the reader jumps to", windowAround(50, short(100)), away(38, 90)],
    ["is full when the reader jumps to a row near the end", windowAround(99, short(100)), away(60, 100)],
    ["starts at a given row", windowFrom(5, short(100)), away(5, 65)],
    ["shifts up when a row above it is removed", windowAfterRemoval(away(10, 20), 3), away(9, 19)],
    ["shrinks when a row inside it is removed", windowAfterRemoval(away(10, 20), 15), away(10, 19)],
    ["does not change when a row below it is removed", windowAfterRemoval(away(10, 20), 25), away(10, 20)],
    ["opens with fewer rows when they are long", windowAtTail(long(100)), following(94, 100)],
    ["unmounts long rows after fewer appends", windowAfterAppend(following(0, 13), long(14), 1), following(8, 14)],
    [
      "begins with an answer, not with its rest",
      windowAtTail(short(100).map((row, id) => (id === 60 ? answer(id, "a", { continues: "message-59" }) : row))),
      following(59, 100),
    ],
    ["moves up by fewer rows when they are long", windowUp(away(90, 100), long(100)), away(88, 100)],
    ["moves down by fewer rows when they are long", windowDown(away(10, 24), long(100)), away(11, 26)],
    ["opens with one giant row", windowAtTail(giant(5)), following(4, 5)],
    ["moves up to a giant row and keeps the reader's row mounted", windowUp(away(3, 5), giant(5)), away(2, 4)],
    ["moves down to a giant row and keeps the reader's row mounted", windowDown(away(0, 2), giant(5)), away(1, 3)],
  ];
  for (const [name, window, expected] of cases) {
    it(name, () => {
      assert.deepEqual(window, expected);
    });
  }

  it("stays within the rows and its size limit for any sequence of changes", () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom("append", "prepend", "up", "down", "tail", "leave", "remove", "around"), fc.nat(70)),
    );
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 500, 9_000, 50_000), (list, length) => {
        let rows: readonly Row[] = [];
        let id = 0;
        const more = (size: number) =>
          Array.from({ length: size }, () => answer(id++, "a".repeat(id % 3 === 0 ? length : 1)));
        let window = windowAtTail(rows);
        for (const [step, size] of list) {
          if (step === "append") window = windowAfterAppend(window, (rows = [...rows, ...more(size)]), size);
          if (step === "prepend" && size > 0)
            window = windowAfterPrepend(window, (rows = [...more(size), ...rows]), size);
          if (step === "up") window = windowUp(window, rows);
          if (step === "down") window = windowDown(window, rows);
          if (step === "tail") window = windowAtTail(rows);
          if (step === "around" && size < rows.length) {
            window = windowAround(size, rows);
            assert.ok(window.start <= size && size < window.end, "the row is mounted");
          }
          if (step === "leave") window = { ...window, following: false };
          if (step === "remove" && size < rows.length) {
            rows = rows.toSpliced(size, 1);
            window = windowAfterRemoval(window, size);
          }
          assert.ok(0 <= window.start && window.start <= window.end && window.end <= rows.length);
          assert.ok(window.end - window.start <= maxMountedRows);
          assert.ok(!window.following || window.end === rows.length);
        }
      }),
      { seed: 11, numRuns: 1000 },
    );
  });
});
