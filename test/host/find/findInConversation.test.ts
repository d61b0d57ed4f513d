import assert from "node:assert/strict";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { ok } from "../../../src/core/result.ts";
import { FindInConversation } from "../../../src/host/find/findInConversation.ts";
import { openSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

/** Questions and answers, which are messages 0, 1, 2, … */
async function conversation(...texts: readonly string[]) {
  const [asked, answered] = [0, 1].map((from) => texts.filter((_, index) => index % 2 === from));
  const { session } = await openSession(scriptedProvider(...(answered ?? []).map((text) => saying(text))));
  for (const [turn, text] of (asked ?? []).entries()) await session.send(String(turn), text);
  const finding = new FindInConversation(() => Promise.resolve(ok(undefined)));
  const replies = async (message: Parameters<FindInConversation["handle"]>[0]): Promise<readonly ToViewBody[]> => {
    const bodies: ToViewBody[] = [];
    assert.ok((await finding.handle(message, session, (body) => bodies.push(body))).ok);
    return bodies;
  };
  const find = async (query: string): Promise<readonly string[]> =>
    (await replies({ kind: "find", findId: "f", query })).flatMap((body) =>
      body.kind === "found"
        ? body.hits.map(({ messageId, isSimilar }) => `${messageId}${isSimilar === true ? " similar" : ""}`)
        : [],
    );
  const marksAt = async (messageId: number): Promise<readonly string[]> =>
    (await replies({ kind: "findGo", findId: "f", messageId, before: "" })).flatMap((body) =>
      body.kind === "foundAt" ? body.place.marks : [],
    );
  return { find, marksAt };
}

describe("find in the conversation", () => {
  const TEXTS = [
    "How often do uploads retry?",
    "Their retry budget is three.",
    "And the budgets of retried downloads?",
    "Downloads are not tried again.",
  ];
  const cases: readonly [what: string, query: string, expected: readonly string[]][] = [
    [
      "the words as they are typed first, oldest first, then all of them in other forms",
      "retry budget",
      ["1", "2 similar"],
    ],
    ["the beginning of a word as it is typed", "down", ["2", "3"]],
    ["a word in other forms where nobody wrote it so", "uploading", ["0 similar"]],
    [
      "some of the words where no message has them all",
      "retry the zebra budgeted",
      ["2 similar", "1 similar", "0 similar"],
    ],
    ["signs as they are", "?", ["0", "2"]],
    ["nothing for a word that nobody wrote", "zebra", []],
  ];
  for (const [what, query, expected] of cases) {
    it(`shows ${what}`, async () => {
      const { find } = await conversation(...TEXTS);
      assert.deepEqual(await find(query), expected);
    });
  }

  it("marks the words of a similar message as that one has them", async () => {
    const { find, marksAt } = await conversation(...TEXTS);
    await find("retry budget");
    assert.deepEqual(
      [await marksAt(1), await marksAt(2)],
      [
        ["retry", "budget"],
        ["budgets", "retried"],
      ],
    );
  });
});
