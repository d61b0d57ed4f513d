/** When the page searches: on reopening the find box and on moving to the next hit before the typing pause ends. */
import type { FindToHost } from "../../../src/protocol/toHost.ts";
import assert from "node:assert/strict";
import { Find } from "../../../src/webview/find/find.ts";

/** A search whose host finds each word in messages 2 and 4, or nothing when no conversation is open. */
function searched(isOpen = true): {
  readonly find: Find;
  readonly posted: readonly string[];
  readonly answer: () => void;
} {
  const posted: string[] = [];
  let findId = "";
  const post = (message: FindToHost): void => {
    if (message.kind === "find") findId = message.findId;
    posted.push(message.kind === "find" ? `find ${message.query}` : `go to ${String(message.messageId)}`);
  };
  const find = new Find({
    post,
    say: () => undefined,
    isOpen: () => isOpen,
    oldestRowId: () => "",
    unfold: () => undefined,
  });
  const hits = (isOpen ? [2, 4] : []).map((messageId) => ({ messageId, excerpt: "" }));
  const answer = (): void => {
    find.receive({ kind: "found", findId, hits, isMore: false });
  };
  return { find, posted, answer };
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
