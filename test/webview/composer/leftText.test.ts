import assert from "node:assert/strict";
import { PlayedHost } from "../../browser/support/playedHost.ts";

describe("composer of a recreated page", () => {
  for (const [name, before, act] of [
    ["a dropped file", "Why this?", (host: PlayedHost) => host.store.saveReadingFiles(["a.png"])],
    ["an edit of a message", "Why this?", (host: PlayedHost) => host.store.edit({ messageId: 1 }, "anew")],
    ["a cleared draft and a finished read of dropped files", "", (host: PlayedHost) => host.store.saveReadingFiles([])],
  ] as const) {
    it(`keeps text added from the editor before ${name}`, () => {
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

  it("reports files that were not read and keeps text that the host has not received", () => {
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
