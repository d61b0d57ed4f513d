import assert from "node:assert/strict";
import type { Row } from "../../src/protocol/toView.ts";
import { composer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: draft", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "a")]));
  });

  const text = (): Promise<string> => opened.composer.inputValue();
  /** Posted drafts, oldest first. */
  const drafts = () => opened.drafts();

  it("posts the draft at each key press, since the window may be reloaded at any time", async () => {
    await opened.composer.pressSequentially("abcd");
    assert.deepEqual(await drafts(), ["a", "ab", "abc", "abcd"]);
  });

  it("posts a long draft only after a pause, and at once when the composer loses focus", async () => {
    const long = "long ".repeat(4_000);
    const { clock } = opened.page;
    await clock.install();
    await clock.pauseAt(Date.now() + 60_000); // from here on time passes only in runFor
    await opened.composer.fill(long);
    for (let count = 0; count < 4; count++) {
      await clock.runFor(290);
      await opened.composer.press("x");
    }
    assert.deepEqual(await drafts(), []);
    await clock.runFor(300);
    assert.deepEqual(await drafts(), [`${long}xxxx`]);
    await opened.composer.press("y");
    await opened.page.getByRole("log").focus();
    assert.deepEqual(await drafts(), [`${long}xxxx`, `${long}xxxxy`]);
  });

  it("restores the last typed text after the editor destroyed the view, unless the host has a newer draft", async () => {
    const reopen = async (stored: unknown, rows: readonly Row[], draft: string) => {
      await opened.close();
      opened = await webview.open({ stored });
      await opened.show(view(rows, { draft }));
    };
    const stored = () => opened.page.evaluate(() => window.stored);
    await reopen(undefined, [user(1, "a")], "older");
    await opened.composer.fill("not yet posted");
    const left = await stored();
    await reopen(left, [user(1, "a")], "older");
    assert.equal(await text(), "not yet posted");
    assert.deepEqual(await drafts(), ["not yet posted"]);
    // The host received the draft and ended before it had stored it.
    const told = await stored();
    await reopen(told, [user(1, "a")], "older");
    assert.equal(await text(), "not yet posted");
    await reopen(told, [user(1, "a")], "newest");
    assert.equal(await text(), "newest");
    // The editor saves a view's state late: the state it restores may be older than the host's draft.
    await reopen(left, [user(1, "a")], "newest");
    assert.equal(await text(), "newest");
    await reopen(left, [user(1, "a"), user(2, "not yet posted")], "older");
    assert.equal(await text(), "older");
  });

  it("keeps newer text when an older snapshot arrives, and posts it again", async () => {
    await opened.composer.fill("half");
    assert.deepEqual(await drafts(), ["half"]);
    await opened.sayAfter(0, { kind: "snapshot", view: view([user(1, "a")], { draft: "" }) });
    await opened.settle();
    assert.deepEqual([await text(), await drafts()], ["half", ["half", "half"]]);
    const operations = [{ kind: "added", text: "```\ncode\n```\n\n", revision: 0 }] as const;
    await opened.sayAfter(0, composer({ text: operations[0].text, operations }));
    await opened.settle();
    assert.equal(await text(), "half\n\n```\ncode\n```\n\n");
    await opened.composer.fill("whole");
    await opened.composer.press("Enter");
    const [first] = await opened.sent();
    await opened.sayAfter(0, { kind: "snapshot", view: view([user(1, "a")], { draft: "whole" }) }); // the message was lost
    await opened.settle();
    const again = (await opened.sent())[1];
    assert.deepEqual([again?.sendId, again?.text, await text()], [first?.sendId, "whole", "whole"]);
    await opened.take();
    await opened.settle();
    assert.equal(await text(), "");
  });
});
