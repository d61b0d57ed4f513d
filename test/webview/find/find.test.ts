/** When the page searches: on reopening the find box and on moving to the next hit before the typing pause ends. */
import type { FindToHost } from "../../../src/protocol/toHost.ts";
import assert from "node:assert/strict";
import type { FindHit } from "../../../src/protocol/findView.ts";
import { Find } from "../../../src/webview/find/find.ts";

/** A search whose host finds each word in messages 2 and 4, or nothing when no conversation is open. */
function searched(
  isOpen = true,
  found: readonly FindHit[] = (isOpen ? [2, 4] : []).map((messageId) => ({ messageId, excerpt: "" })),
): {
  readonly find: Find;
  readonly posted: readonly string[];
  readonly said: readonly string[];
  readonly answer: () => void;
} {
  const [posted, said]: [string[], string[]] = [[], []];
  let findId = "";
  const post = (message: FindToHost): void => {
    if (message.kind === "find") findId = message.findId;
    posted.push(message.kind === "find" ? `find ${message.query}` : `go to ${String(message.messageId)}`);
  };
  const find = new Find({
    post,
    say: (text) => said.push(text),
    isOpen: () => isOpen,
    oldestRowId: () => "",
    unfold: () => undefined,
  });
  const answer = (): void => {
    find.receive({ kind: "found", findId, hits: found, isMore: false });
  };
  return { find, posted, said, answer };
}

describe("find in the conversation", () => {
  it("searches again for the retained query when it is reopened, but not when it is already open", () => {
    const { find, posted, answer } = searched();
    find.open();
    find.typed("yes");
    find.go(1);
    answer();
    find.close();
    find.open();
    assert.equal(find.result.peek(), null);
    answer();
    find.open();
    assert.deepEqual(posted, ["find yes", "go to 4", "find yes", "go to 4"]);
  });

  it("searches at once for the new query when the reader moves on within the typing pause", () => {
    const { find, posted, answer } = searched();
    find.open();
    find.typed("foo");
    find.go(1);
    answer();
    find.typed("foobar");
    find.go(1);
    answer();
    find.go(1);
    find.close();
    assert.deepEqual(posted, ["find foo", "go to 4", "find foobar", "go to 4", "go to 2"]);
  });

  it("begins at the newest hit, or at the most similar message where there is none", () => {
    const similar = [7, 1].map((messageId) => ({ messageId, excerpt: "like it", isSimilar: true as const }));
    const hits = [2, 4].map((messageId) => ({ messageId, excerpt: "it" }));
    const results = [[...hits, ...similar], similar].map((found) => {
      const { find, posted, said, answer } = searched(true, found);
      find.typed("yes");
      find.go(1);
      answer();
      find.go(1);
      return { posted: posted.slice(1), said };
    });
    assert.deepEqual(results, [
      { posted: ["go to 4", "go to 7"], said: ["2 of 4. it", "3 of 4, similar. like it"] },
      { posted: ["go to 7", "go to 1"], said: ["1 of 2, similar. like it", "2 of 2, similar. like it"] },
    ]);
  });

  it("searches only for the editor's query when the editor opens it", () => {
    const { find, posted } = searched();
    find.open();
    find.typed("yes");
    find.close();
    find.receive({ kind: "openFind", query: "no", messageId: 2 });
    find.close();
    assert.deepEqual(posted, ["find no"]);
  });

  it("closes when the editor's conversation cannot be opened, but stays open for a typed query", () => {
    const { find, answer } = searched(false);
    find.receive({ kind: "openFind", query: "no", messageId: 2 });
    find.conversationChanged();
    assert.equal(find.opened.peek(), 1);
    answer();
    assert.equal(find.opened.peek(), 0);
    find.open();
    find.typed("yes");
    find.go(1);
    answer();
    assert.deepEqual([find.opened.peek(), find.result.peek()?.hits], [1, []]);
  });
});
