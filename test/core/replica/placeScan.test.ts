import assert from "node:assert/strict";
import type { ConversationId } from "../../../src/core/ids.ts";
import { nameOf, type NewsName } from "../../../src/core/replica/objectNames.ts";
import { freshNews, outdatedNews } from "../../../src/core/replica/placeScan.ts";

const conversation = "00000000-0000-4000-8000-000000000001" as ConversationId;
const [OWN, LAPTOP, PHONE] = ["a", "b", "c"].map((digit) => digit.repeat(16)) as [string, string, string];

function news(machine: string, number: number, digit = "1"): NewsName {
  const named = { machine, number, conversation, object: digit.repeat(32), length: 1, hash: "d".repeat(32) };
  return { kind: "news", name: nameOf({ kind: "news", ...named }), ...named };
}

function fresh(listed: readonly NewsName[], seen: readonly NewsName[]): readonly [readonly string[], boolean] {
  const { objects, hasGap } = freshNews(listed, new Set(seen.map(({ name }) => name)), OWN);
  return [[...(objects.get(conversation) ?? [])].map((object) => object.slice(0, 1)), hasGap];
}

const [first, second, third] = [news(LAPTOP, 0), news(LAPTOP, 1, "2"), news(LAPTOP, 2, "3")];

describe("News of a replica", () => {
  const cases: readonly (readonly [string, readonly NewsName[], readonly NewsName[], ReturnType<typeof fresh>])[] = [
    ["are all fresh at first", [first, second], [], [["1", "2"], false]],
    ["are fresh once", [first, second], [first], [["2"], false]],
    ["are none where nothing was put", [first], [first], [[], false]],
    ["of this machine are known", [news(OWN, 7)], [], [[], false]],
    ["have a gap where some were deleted unseen", [third], [first], [["3"], true]],
    ["have none where those were seen", [third], [second], [["3"], false]],
    ["have a gap where a machine's first are gone", [news(PHONE, 3, "4")], [first], [["4"], true]],
    [
      "are fresh under a number that another window gave, too",
      [second, news(LAPTOP, 1, "5")],
      [first, second],
      [["5"], false],
    ],
  ];
  for (const [what, listed, seen, expected] of cases)
    it(what, () => {
      assert.deepEqual(fresh(listed, seen), expected);
    });

  it("of which a hundred stay: the newest of their own machine", () => {
    const all = [...Array.from({ length: 103 }, (_, number) => news(OWN, number)), first];
    assert.deepEqual(
      outdatedNews(all, OWN).map(({ number }) => number),
      [2, 1, 0],
    );
  });
});
