import assert from "node:assert/strict";
import { exceededLimit, crossedWarnings, type SpendingLimits } from "../../../src/core/models/spendingLimits.ts";

describe("exceededLimit", () => {
  const limits: SpendingLimits = { limitPerDayUsd: 5, limitPerConversationUsd: 2 };
  const check = (dayUsd: number, conversationUsd: number, nextUsd: number, expected: string | undefined): void => {
    assert.equal(exceededLimit(limits, { dayUsd, conversationUsd }, nextUsd)?.scope, expected);
  };
  it("allows a request within the limits", () => check(4.5, 1, 0.5, undefined));
  it("reports the day's limit if the request would exceed it", () => check(4.5, 1, 0.6, "day"));
  it("reports the conversation's limit if the request would exceed it", () => check(1, 1.9, 0.2, "conversation"));
  it("reports a limit that is reached, even for a free request", () => check(5, 0, 0, "day"));
  it("allows everything without limits", () => {
    assert.equal(exceededLimit({}, { dayUsd: 1e9, conversationUsd: 1e9 }, 1e9), undefined);
  });
});

describe("crossedWarnings", () => {
  const limits: SpendingLimits = { warnPerDayUsd: 3, warnPerConversationUsd: 1 };
  const check = (before: [number, number], after: [number, number], expected: readonly string[]): void => {
    const of = ([dayUsd, conversationUsd]: [number, number]): { dayUsd: number; conversationUsd: number } => {
      return { dayUsd, conversationUsd };
    };
    assert.deepEqual(
      crossedWarnings(limits, of(before), of(after)).map(({ scope }) => scope),
      expected,
    );
  };
  it("reports each threshold once, when it is crossed", () => {
    check([2, 0.5], [2.9, 0.9], []);
    check([2.9, 0.9], [3, 1], ["conversation", "day"]);
    check([3, 1], [4, 2], []);
  });
});
