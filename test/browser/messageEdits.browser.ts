import assert from "node:assert/strict";
import { answer, composer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: editing sent messages", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(0, "What is it?"), answer(1, "It is **this**.")]));
  });

  const sentEdits = async () => (await opened.changes()).filter((change) => change.kind === "sendEdit");

  it("sends an edited message on Enter, but not during input method composition", async () => {
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    const field = opened.page.getByRole("textbox", { name: "Edit and send again" });
    await field.fill("What was it?");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await field.dispatchEvent("keydown", { key: "Escape", keyCode: 229 });
    assert.equal(await field.count(), 1);
    await field.press("Enter");
    const [asked] = await sentEdits();
    assert.deepEqual([asked?.messageId, asked?.text], [0, "What was it?"]);
    await opened.say(composer({ edits: [] }, "now"));
    await field.waitFor({ state: "detached" });
  });

  it("keeps the edited text when the edit is refused, scrolled out of view, or another conversation is shown", async () => {
    const rows = Array.from({ length: 100 }, (_, index) => user(index, `Question ${String(index)}`));
    await opened.show(view(rows));
    const field = opened.page.getByRole("textbox", { name: "Edit and send again" });
    await opened.page.hover('[data-row-id="message-98"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await field.fill("Is it?");
    await field.press("Enter");
    await field.press("Enter");
    assert.equal((await sentEdits()).length, 1, "it is sent once");
    await opened.refuse();
    await opened.settle();
    assert.deepEqual([await field.inputValue(), await field.isEditable()], ["Is it?", true]);
    await opened.show(view([user(98, "Something else")], { conversationId: "conversation-2" }));
    assert.equal(await field.count(), 0);
    const [last = assert.fail()] = (await opened.edits()).slice(-1);
    await opened.show(view(rows, { edits: [{ ...last, text: last.text ?? "" }] }));
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

  it("settles sent edits from the next snapshot when the host's reply was lost", async () => {
    const rows = [user(0, "What is it?"), answer(1, "It is **this**."), user(2, "And that?")];
    await opened.show(view(rows));
    const field = (id: number) => opened.page.locator(`[data-row-id="message-${String(id)}"] textarea`);
    for (const id of [0, 2]) {
      await opened.page.hover(`[data-row-id="message-${String(id)}"]`);
      await opened.page.getByRole("button", { name: "Edit and send again" }).click();
      await field(id).fill(`Was it ${String(id)}?`);
      await field(id).press("Enter");
    }
    assert.equal((await sentEdits()).length, 2);
    const refused = { messageId: 2, text: "Was it 2?", revision: Date.now() };
    await opened.show(view(rows, { edits: [refused] }));
    await field(0).waitFor({ state: "detached" });
    assert.deepEqual([await field(2).inputValue(), await field(2).isEditable()], ["Was it 2?", true]);
  });

  it("closes an edit when another conversation is opened", async () => {
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await opened.show(view([user(0, "Something else")], { conversationId: "conversation-2" }));
    assert.equal(await opened.page.getByRole("textbox", { name: "Edit and send again" }).count(), 0);
    assert.equal(await opened.page.getByText("Something else").count(), 1);
  });

  it("posts an edit at each change, but a long one after a pause or when the field loses focus", async () => {
    const field = opened.page.getByRole("textbox", { name: "Edit and send again" });
    const told = async (): Promise<readonly (string | null)[]> => (await opened.edits()).map((edit) => edit.text);
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await field.fill("What was it?");
    await field.press("!");
    assert.deepEqual(await told(), ["What is it?", "What was it?", "What was it?!"]);
    const long = "x".repeat(3_000);
    await field.fill(long);
    assert.equal((await told()).length, 3);
    await opened.page.getByRole("textbox", { name: "Message Forge" }).focus();
    assert.deepEqual((await told()).slice(3), [long]);
    await field.press("Escape");
    assert.deepEqual((await told()).slice(4), [null]);
  });

  it("shows text typed in another page, and an edit begun in another window", async () => {
    const field = opened.page.getByRole("textbox", { name: "Edit and send again" });
    const rows = [user(0, "What is it?"), answer(1, "It is **this**.")];
    const edit = { messageId: 0, text: "What was", revision: 5 };
    await opened.show(view(rows, { edits: [edit] }));
    assert.equal(await field.inputValue(), "What was");
    assert.equal(await field.evaluate((element) => element === document.activeElement), false);
    await opened.say(composer({ edits: [{ ...edit, text: "What was it", revision: 6 }] }));
    await opened.settle();
    assert.equal(await field.inputValue(), "What was it");
    await opened.say(composer({ edits: [] }));
    await field.waitFor({ state: "detached" });
    assert.deepEqual(await opened.edits(), []);
  });

  it("restores an edit after the editor destroyed the view, only in its own conversation", async () => {
    const field = () => opened.page.getByRole("textbox", { name: "Edit and send again" });
    const rows = [user(0, "What is it?"), answer(1, "It is **this**.")];
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    await field().fill("What was");
    const [first = assert.fail()] = await opened.edits(); // the host was not reached by the last one
    const edits = [{ ...first, text: first.text ?? "" }];
    const stored = await opened.page.evaluate(() => window.stored);
    await opened.close();
    opened = await webview.open({ stored });
    await opened.show(view(rows, { conversationId: "conversation-2" }));
    assert.equal(await field().count(), 0);
    await opened.show(view(rows, { edits }));
    assert.equal(await field().inputValue(), "What was");
    assert.deepEqual(
      (await opened.edits()).map(({ text }) => text),
      ["What was"],
    );
    await field().press("Escape");
    await field().waitFor({ state: "detached" });
    const left = await opened.page.evaluate(() => window.stored);
    await opened.close();
    opened = await webview.open({ stored: left });
    await opened.show(view(rows));
    assert.equal(await field().count(), 0);
  });

  it("does not restore an edit that ended in another page", async () => {
    await opened.page.hover('[data-row-id="message-0"]');
    await opened.page.getByRole("button", { name: "Edit and send again" }).click();
    const stored = await opened.page.evaluate(() => window.stored);
    await opened.close();
    opened = await webview.open({ stored });
    await opened.show(view([user(0, "What is it?"), answer(1, "It is **this**.")]));
    assert.equal(await opened.page.getByRole("textbox", { name: "Edit and send again" }).count(), 0);
  });
});
