import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { EditView } from "../../src/protocol/composerDocument.ts";
import { composer, summary, summaryDetail, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: editing summaries", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  const webview = useWebview(async (page) => {
    opened = page;
    await opened.show(view(rows));
    await opened.page.getByRole("button", { name: /summarized/ }).click();
    await opened.say({
      kind: "summaryDetail",
      summaryId: 4,
      detail: summaryDetail("The notes.", { content: "Notes." }),
    });
    await opened.page.getByRole("button", { name: "Edit", exact: true }).click();
  });

  const rows = [summary(4, { rowId: "summary-2" }), user(189, "Why?")];
  const field = (): Locator => opened.page.getByRole("textbox", { name: "Text of the summary" });
  const hasKeyboard = (): Promise<boolean> =>
    field().evaluate((element) => element.ownerDocument.activeElement === element);
  const told = () => opened.edits();
  const texts = async (): Promise<readonly (string | null)[]> => (await told()).map((edit) => edit.text);
  const another = (): Promise<void> => opened.show(view([user(0, "Hi")], { conversationId: "conversation-2" }));
  const comesBack = async (text: string, inHost: readonly EditView[] = []): Promise<void> => {
    await another();
    assert.equal(await field().count(), 0);
    await opened.show(view(rows, { edits: inHost }));
    assert.deepEqual([await field().inputValue(), await hasKeyboard()], [text, false]);
  };

  it("starts with the summary's text, and posts each change and the cancellation", async () => {
    assert.deepEqual([await field().inputValue(), await hasKeyboard()], ["Notes.", true]);
    await field().fill("Notes of mine");
    await field().press("!");
    assert.deepEqual(await texts(), ["Notes.", "Notes of mine", "Notes of mine!"]);
    assert.ok((await told()).every((edit) => "summaryId" in edit && edit.summaryId === 4));
    const long = "x".repeat(3_000);
    await field().fill(long);
    assert.equal((await texts()).length, 3, "a long one after a pause");
    await opened.composer.focus();
    assert.deepEqual((await texts()).slice(3), [long]);
    await field().press("Escape");
    await field().waitFor({ state: "detached" });
    assert.deepEqual((await texts()).slice(4), [null]);
  });

  it("restores the edit after another conversation was shown", async () => {
    await field().fill("Notes of mine");
    const [last = assert.fail()] = (await told()).slice(-1);
    await comesBack("Notes of mine", [{ ...last, text: last.text ?? "" }]);
  });

  it("restores the edit after the editor destroyed the view, including text the host never received", async () => {
    await field().fill("Notes of mine");
    const edits = (await told()).slice(0, 1).map((edit) => ({ ...edit, text: edit.text ?? "" }));
    const stored = await opened.page.evaluate(() => window.stored);
    await opened.close();
    opened = await webview.open({ stored });
    await comesBack("Notes of mine", edits);
    assert.deepEqual(await texts(), ["Notes of mine"]);
  });

  it("restores the host's copy of an edit of 200,000 characters", async () => {
    const text = "x".repeat(200_000);
    await opened.close();
    opened = await webview.open();
    await comesBack(text, [{ summaryId: 4, text, revision: 5 }]);
  });

  it("closes the edit only after the host has saved it", async () => {
    await field().fill("Notes of mine");
    await opened.page.getByRole("button", { name: "Save" }).click();
    await opened.expectPosted({ kind: "summary", summaryId: 4 });
    assert.equal(await field().inputValue(), "Notes of mine");
    const row = summary(5, { rowId: "summary-2" });
    await opened.say(composer({ edits: [] }), { kind: "rowChanged", rowId: "summary-2", row });
    await field().waitFor({ state: "detached" });
  });
});
