/** What stands in the composer of a page that the editor has made anew. */
import assert from "node:assert/strict";
import { PlayedHost } from "../../browser/support/playedHost.ts";

describe("what stands in the composer when the chat comes back into sight", () => {
  for (const [name, before, act] of [
    ["a file that was dropped", "Why this?", (host: PlayedHost) => host.store.saveReadingFiles(["a.png"])],
    [
      "a message that was being said anew",
      "Why this?",
      (host: PlayedHost) => host.store.edit({ messageId: 1 }, "anew"),
    ],
    [
      "a file that was dropped, where all was deleted before",
      "",
      (host: PlayedHost) => host.store.saveReadingFiles([]),
    ],
  ] as const) {
    it(`is what was put there from the editor, too, after which came ${name}`, () => {
      const host = new PlayedHost();
      host.switchTo("a");
      host.arrive();
      host.store.typed("Why");
      host.store.typed(before);
      host.arrive();
      host.put("let tides = 2;");
      host.arrive();
      act(host);
      host.reload();
      host.arrive();
      const expected = before === "" ? "let tides = 2;" : `${before}\n\nlet tides = 2;`;
      assert.deepEqual([host.text, host.draftOf("a")], [expected, expected]);
    });
  }

  it("says which files were not read, also where a text stands there that the host has not heard", () => {
    const host = new PlayedHost();
    host.store.typed("What is it?");
    host.store.saveReadingFiles(["a.png"]);
    host.reload();
    host.switchTo("a");
    host.arrive();
    assert.deepEqual(
      [host.text, host.draftOf("a"), host.store.hint.peek()],
      ["What is it?", "What is it?", "a.png could not be read, so it was not added."],
    );
  });
});
