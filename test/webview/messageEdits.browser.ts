/** Messages that are said anew: what was typed stays until the host has it. */
import assert from "node:assert/strict";
import { answer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: edits of messages", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(0, "What is it?"), answer(1, "It is **this**.")]));
  });

  it("sends a message in other words, never in the middle of a composition", async () => {
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    const field = opened.page.getByRole("textbox", { name: "Edit and send again" });
    await field.fill("What was it?");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await field.dispatchEvent("keydown", { key: "Escape", keyCode: 229 });
    assert.equal(await field.count(), 1);
    await field.press("Enter");
    const asked = await opened.expectPosted({ kind: "editMessage", messageId: 0, text: "What was it?" });
    assert.ok(asked.kind === "editMessage");
    await opened.say({ kind: "sendTaken", sendId: asked.sendId });
    await field.waitFor({ state: "detached" });
  });

  it("keeps what a message is to say anew when it is refused, scrolled away, or another conversation is shown", async () => {
    const rows = Array.from({ length: 100 }, (_, index) => user(index, `Question ${String(index)}`));
    await opened.show(view(rows));
    const field = opened.page.getByRole("textbox", { name: "Edit and send again" });
    await opened.page.hover('[data-row-id="message-98"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await field.fill("Is it?");
    await field.press("Enter");
    await field.press("Enter");
    const asked = (await opened.posted()).filter((message) => message.kind === "editMessage");
    assert.equal(asked.length, 1, "it is sent once");
    await opened.say({ kind: "sendRefused", sendId: asked[0]?.sendId ?? "" });
    await opened.settle();
    assert.deepEqual([await field.inputValue(), await field.isEditable()], ["Is it?", true]);
    await opened.show(view([user(98, "Something else")], { conversationId: "conversation-2" }));
    assert.equal(await field.count(), 0);
    await opened.show(view(rows));
    assert.equal(await field.inputValue(), "Is it?");
    const log = opened.page.getByRole("log");
    await log.focus();
    for (let press = 0; press < 40 && (await field.count()) > 0; press++) {
      await log.press("PageUp");
      await opened.settle();
    }
    assert.equal(await field.count(), 0, "its row is not mounted");
    await opened.page.getByRole("button", { name: /newest/i }).click();
    await field.waitFor();
    assert.equal(await field.inputValue(), "Is it?");
    assert.equal(await field.evaluate((element) => element === document.activeElement), false);
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
  });

  it("leaves an edit behind when another conversation is opened", async () => {
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await opened.show(view([user(0, "Something else")], { conversationId: "conversation-2" }));
    assert.equal(await opened.page.getByRole("textbox", { name: "Edit and send again" }).count(), 0);
    assert.equal(await opened.page.getByText("Something else").count(), 1);
  });

  it("come back when the editor destroyed the view, in their conversation", async () => {
    const field = () => opened.page.getByRole("textbox", { name: "Edit and send again" });
    const rows = [user(0, "What is it?"), answer(1, "It is **this**.")];
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await field().fill("What was");
    const stored = await opened.page.evaluate(() => window.stored);
    await opened.close();
    opened = await webview.open({ stored });
    await opened.show(view(rows, { conversationId: "conversation-2" }));
    assert.equal(await field().count(), 0);
    await opened.show(view(rows));
    assert.equal(await field().inputValue(), "What was");
    await field().press("Escape");
    await field().waitFor({ state: "detached" });
    const left = await opened.page.evaluate(() => window.stored);
    await opened.close();
    opened = await webview.open({ stored: left });
    await opened.show(view(rows));
    assert.equal(await field().count(), 0);
  });
});
