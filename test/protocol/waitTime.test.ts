import assert from "node:assert/strict";
import { nextChangeMs, timeLeft, timeOfDay } from "../../src/protocol/waitTime.ts";

describe("E:402 waiting times in words", () => {
  it("count down in seconds, minutes and hours", () => {
    const cases: readonly (readonly [leftMs: number, text: string])[] = [
      [-5, "now"],
      [0, "now"],
      [1, "in 1 second"],
      [17_000, "in 17 seconds"],
      [59_001, "in 1 minute"],
      [119_000, "in 1 minute"],
      [390_000, "in 6 minutes"],
      [3_599_000, "in 59 minutes"],
      [3_600_000, "in 1 h 0 min"],
      [7_643_000, "in 2 h 7 min"],
    ];
    assert.deepEqual(
      cases.map(([leftMs]) => [leftMs, timeLeft(leftMs)]),
      cases,
    );
  });

  it("name a local time of day, rounded up, with the date when it is another day", () => {
    const nowMs = new Date(2026, 10, 27, 13, 5, 40).getTime();
    assert.deepEqual(
      [17_000, 3_600_000, 26 * 3_600_000].map((waitMs) => timeOfDay(nowMs + waitMs, nowMs)),
      ["13:05:57", "14:06", "28 Nov, 15:06"],
    );
  });

  it("are all shown once by a countdown that sleeps until the next change", () => {
    const shown: string[] = [];
    for (let leftMs = 3_599_000; ;) {
      if (shown.at(-1) !== timeLeft(leftMs)) shown.push(timeLeft(leftMs));
      const nextMs = nextChangeMs(leftMs);
      if (nextMs === undefined) break;
      leftMs -= nextMs;
    }
    const counting = (unit: string): readonly string[] =>
      Array.from({ length: 59 }, (_, at) => `in ${String(59 - at)} ${unit}${at === 58 ? "" : "s"}`);
    assert.deepEqual(shown, [...counting("minute"), ...counting("second"), "now"]);
  });
});
