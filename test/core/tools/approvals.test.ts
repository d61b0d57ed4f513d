import assert from "node:assert/strict";
import { isAutomatic, possibleScopes, type ApprovalContext } from "../../../src/core/tools/approvals.ts";

type Row = readonly [Omit<ApprovalContext, "readsOnlyConversation">, boolean, number];
const effects = ["writes", "runs"] as const;

/** Context of a call; whether it runs without asking; number of scopes that an approval may have. */
const rows: readonly Row[] = [
  [{ effect: "reads", isTrusted: true }, true, 3],
  [{ effect: "reads", isTrusted: false }, false, 2],
  [{ effect: "reads", isTrusted: false, remembered: "conversation" }, true, 2],
  [{ effect: "reads", isTrusted: false, remembered: "always" }, false, 2],
  ...effects.flatMap((effect): readonly Row[] => [
    [{ effect, isTrusted: true }, false, 3],
    [{ effect, isTrusted: true, remembered: "conversation" }, true, 3],
    [{ effect, isTrusted: true, remembered: "always" }, true, 3],
    [{ effect, isTrusted: false }, false, 1],
    [{ effect, isTrusted: false, remembered: "conversation" }, false, 1],
    [{ effect, isTrusted: false, remembered: "always" }, false, 1],
  ]),
];

describe("approvals", () => {
  for (const [situation, automatic, scopes] of rows) {
    it(`${automatic ? "run" : "ask about"} a call with ${JSON.stringify(situation)}`, () => {
      assert.equal(isAutomatic({ ...situation, readsOnlyConversation: false }), automatic);
      assert.equal(possibleScopes({ ...situation, readsOnlyConversation: false }).length, scopes);
      assert.equal(isAutomatic({ ...situation, readsOnlyConversation: true }), true);
    });
  }
});
