/** When the page searches: as the box is opened again, and for what is typed by the time the reader goes on. */
import type { FindToHost } from "../../../src/protocol/toHost.ts";
import assert from "node:assert/strict";
import { Find } from "../../../src/webview/find/find.ts";

/** A search whose host finds each word in message 2 and message 4, or nothing where no conversation is shown. */
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

describe("the search in the conversation", () => {
  it("finds again what the box still holds when it is opened again, and nothing anew while it is open", () => {
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

  it("looks at once for what is typed where the reader goes on within the pause, not for the word before", () => {
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

  it("looks only for what the editor asks for when that opens it", () => {
    const { find, posted } = searched();
    find.open();
    find.typed("yes");
    find.close();
    find.receive({ kind: "openFind", query: "no", messageId: 2 });
    find.close();
    assert.deepEqual(posted, ["find no"]);
  });

  it("closes where the conversation that it was opened for cannot be, and stays for what is typed there", () => {
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
