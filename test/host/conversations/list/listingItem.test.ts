import assert from "node:assert/strict";
import type { ConversationListing } from "../../../../src/adapters/node/conversationFolders.ts";
import { withQuestions } from "../../../support/editor/fakeQuestions.ts";

describe("the line of a conversation", () => {
  for (const [title, label] of [
    ["What does $(pwd) print?", "$(comment) What does $\u2060(pwd) print?"],
    ["Empty the $(trash)", "$(comment) Empty the $\u2060(trash)"],
    ["می\u200cخواهم", "$(comment) \u2068می\u200cخواهم\u2069"],
    ["क\u094d\u200dष 👨\u200d👩\u200d👧", "$(comment) क\u094d\u200dष 👨\u200d👩\u200d👧"],
    ["a\u202eb", "$(comment) a[U+202E]b"],
  ] as const)
    it(`E:titles shows ${JSON.stringify(title)} as it is`, async () => {
      const { listingItem } = await withQuestions(
        async () => import("../../../../src/host/conversations/list/listingItem.ts"),
      );
      const meta = { title, messageCount: 1, undecided: 0 };
      const listing = { id: "one", meta, lastUsedAtMs: 0, openIn: "none" } as unknown as ConversationListing;
      assert.equal(listingItem(listing).label, label);
    });

  it("says that models do not find it from others", async () => {
    const { listingItem } = await withQuestions(
      async () => import("../../../../src/host/conversations/list/listingItem.ts"),
    );
    const facts = [true, false].map((isLeftOut) => {
      const meta = { title: "Why?", messageCount: 1, undecided: 0, isLeftOut };
      const listing = { id: "one", meta, lastUsedAtMs: Date.now(), openIn: "free" } as unknown as ConversationListing;
      return listingItem(listing).description;
    });
    assert.deepEqual(facts, ["just now · 1 message · models do not find it from others", "just now · 1 message"]);
  });
});
