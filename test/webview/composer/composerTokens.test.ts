import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { droppedUris } from "../../../src/webview/composer/droppedItems.ts";
import { menuToken, writtenCommand } from "../../../src/webview/composer/composerTokens.ts";

describe("mentions and commands in the composer's text", () => {
  it("finds the mention or command at the caret", () => {
    assert.deepEqual(menuToken("see @up", 7), { kind: "mention", start: 4, query: "up" });
    assert.deepEqual(menuToken("@", 1), { kind: "mention", start: 0, query: "" });
    assert.deepEqual(menuToken("(@src/a", 7), { kind: "mention", start: 1, query: "src/a" });
    assert.equal(menuToken("me@home.org", 11), null);
    assert.equal(menuToken(`@${"x".repeat(500)}`, 501), null);
    assert.deepEqual(menuToken("/con", 4), { kind: "command", start: 0, query: "con" });
    assert.equal(menuToken("a /con", 6), null);
    assert.equal(menuToken("/etc/hosts", 10), null);
  });

  const queries: readonly (readonly [text: string, query: string | undefined])[] = [
    ["see @my c", "my c"],
    ["@My Component.tsx", "My Component.tsx"],
    ["@icon@2x", "icon@2x"],
    ["@[id] (1).tsx", "[id] (1).tsx"],
    ["@a:12 b", "a:12 b"],
    ["@학점 계", "학점 계"],
    ["@a and (@b c", "b c"],
    ["@a @b", "b"],
    ["@a me@home.org", "a me@home.org"],
    ["me@home.org and more", undefined],
    ["@ up", undefined],
    ["@my\ncomponent", undefined],
    ["@a b c d e f g h i", "a b c d e f g h i"],
    ["@a b c d e f g h i j", undefined],
  ];
  for (const [text, query] of queries)
    it(`§9 names with blanks and signs: the menu for ${JSON.stringify(text)}`, () => {
      const token = menuToken(text, text.length);
      assert.deepEqual(
        token,
        query === undefined ? null : { kind: "mention", start: text.length - query.length - 1, query },
      );
    });

  it("recognizes only known commands, with an argument on the same line", () => {
    const names = ["find", "new"];
    assert.deepEqual(writtenCommand(" /find retry budget ", names), { name: "find", argument: "retry budget" });
    assert.deepEqual(writtenCommand("/NEW", names), { name: "new", argument: "" });
    assert.equal(writtenCommand("/new\nand more", names), null);
    assert.equal(writtenCommand("/etc/hosts", names), null);
  });

  it("reads file URIs from a drop and ignores web addresses", () => {
    const getData = (type: string): string => (type === "text/uri-list" ? "# list\nfile:///a\nhttps://x.org\n" : "");
    assert.deepEqual(droppedUris({ getData }), ["file:///a"]);
  });
});
