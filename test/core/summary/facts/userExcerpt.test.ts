/** Excerpts of long messages of the user: own words around a paste, its end, and orders within it. */

import assert from "node:assert/strict";
import { userExcerpt } from "../../../../src/core/summary/facts/userExcerpt.ts";

const LOG = Array.from({ length: 100 }, (_, index) => `${String(index).padStart(2, "0")} ${"x".repeat(46)}`);
const linesOf = (from: number, to: number): readonly string[] => LOG.slice(from, to);
const ORDER = "Never touch the second table of the parser.";
const joined = (...lines: readonly (string | readonly string[])[]): string => lines.flat().join("\n");
const leftOut = (units: number): string => `… ${String(units)} characters left out …`;

const CASES: readonly {
  readonly title: string;
  readonly text: string;
  readonly units: number;
  readonly orders?: readonly string[];
  readonly isTask?: boolean;
  readonly wanted: string;
}[] = [
  { title: "is the whole where it fits", text: "Fix this.", units: 9, wanted: "Fix this." },
  {
    title: "has the words before a paste and the end of it",
    text: joined("Fix this:", LOG, "It fails since today."),
    units: 1_222,
    wanted: joined("Fix this:", linesOf(0, 7), leftOut(3_851), linesOf(84, 100), "It fails since today."),
  },
  {
    title: "has more of the beginning of the task",
    text: joined("Fix this:", LOG, "It fails since today."),
    units: 1_222,
    isTask: true,
    wanted: joined("Fix this:", linesOf(0, 12), leftOut(3_851), linesOf(89, 100), "It fails since today."),
  },
  {
    title: "has an order within a paste",
    text: joined("Fix this:", linesOf(0, 50), ORDER, linesOf(50, 100)),
    units: 1_222,
    orders: [ORDER],
    wanted: joined("Fix this:", linesOf(0, 7), leftOut(2_151), ORDER, leftOut(1_701), linesOf(84, 100)),
  },
  {
    title: "has no more orders than a part of the room holds",
    text: joined(linesOf(0, 50), ORDER, linesOf(50, 60), ORDER.replace("second", "third"), linesOf(60, 100)),
    units: 500,
    orders: [ORDER, ORDER.replace("second", "third")],
    wanted: joined(linesOf(0, 3), leftOut(2_351), ORDER, leftOut(2_244), linesOf(94, 100)),
  },
];

describe("an excerpt of a message of the user", () => {
  for (const { title, text, units, orders = [], isTask = false, wanted } of CASES) {
    it(title, () => {
      assert.equal(userExcerpt(text, units, { orders, isTask }), wanted);
    });
  }
});
