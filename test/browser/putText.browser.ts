/** Text that the composer inserts by itself, and keys pressed before the page is drawn again. */
import assert from "node:assert/strict";
import { status, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: text inserted into the composer", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "What is it?")]));
  });

  /** Presses a key and types a letter within one task, as a fast typist does. */
  async function pressAndType(key: string): Promise<string> {
    await opened.composer.evaluate((field: HTMLTextAreaElement, pressed) => {
      field.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true }));
      field.setRangeText("!", field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }, key);
    await opened.settle();
    return opened.composer.inputValue();
  }

  it("places a letter typed at once after a message recalled from the history", async () => {
    await opened.composer.focus();
    assert.equal(await pressAndType("ArrowUp"), "What is it?!");
  });

  it("places a letter typed at once after a chosen command", async () => {
    await opened.composer.pressSequentially("/summ");
    await opened.page.getByRole("option").first().waitFor();
    assert.equal(await pressAndType("Enter"), "/summarize !");
  });

  /** Types `name` between the texts `before` and `behind`. */
  async function typeMention(before: string, name: string, behind: string): Promise<void> {
    await opened.composer.focus();
    await opened.page.keyboard.insertText(before + behind);
    await opened.composer.evaluate((field: HTMLTextAreaElement, caret) => {
      field.setSelectionRange(caret, caret);
    }, before.length);
    await opened.page.keyboard.type(name);
    await opened.settle();
  }

  const draft = "home/me/app fails:\nline 1\n    line 2";
  const commands: readonly { readonly typed: string; readonly draft: string; readonly left: string }[] = [
    { typed: "/", draft, left: draft },
    { typed: "/exp", draft, left: draft },
    { typed: "/exp", draft: "\nbelow", left: "\nbelow" },
    { typed: "/summ", draft: " up to here", left: "/summarize up to here" },
    { typed: "/find", draft, left: `/find ${draft}` },
  ];
  for (const { typed, draft: behind, left } of commands) {
    it(`leaves ${JSON.stringify(left)} when ${typed} is chosen before ${JSON.stringify(behind)}`, async () => {
      await typeMention("", typed, behind);
      await opened.composer.press("Enter");
      await opened.settle();
      assert.equal(await opened.composer.inputValue(), left);
      const drafts = await opened.drafts();
      assert.equal(drafts.at(-1), left);
      await opened.composer.press("Control+z");
      assert.equal(await opened.composer.inputValue(), typed + behind);
    });
  }

  it("keeps the lines below a chosen mention, which Undo takes back like typed text", async () => {
    await typeMention("First: ", "@up", "  \nSecond line\n    indented");
    const requestId = (await opened.posted()).findLast((message) => message.kind === "findMentions")?.requestId ?? 0;
    const mentions = [{ mentionId: "a", kind: "file", label: "upload.ts", description: "src" }] as const;
    await opened.say({ kind: "mentions", requestId, mentions });
    await opened.settle();
    await opened.composer.press("Enter");
    assert.equal(await opened.composer.inputValue(), "First: @upload.ts \nSecond line\n    indented");
    await opened.composer.press("Control+z");
    assert.equal(await opened.composer.inputValue(), "First: @up  \nSecond line\n    indented");
  });

  it("takes back a quotation by Undo like typed text", async () => {
    await opened.composer.pressSequentially("my words");
    await opened.page.hover("[data-row-id=message-1]");
    await opened.page.getByRole("button", { name: "Quote" }).click();
    assert.equal(await opened.composer.inputValue(), "my words\n\n> What is it?\n\n");
    await opened.page.keyboard.press("Control+z");
    assert.equal(await opened.composer.inputValue(), "my words");
  });

  it("quotes each line of a message, whatever its line ending", async () => {
    await opened.show(view([user(1, "one\r\ntwo\rthree")]));
    await opened.page.hover("[data-row-id=message-1]");
    await opened.page.getByRole("button", { name: "Quote" }).click();
    assert.equal(await opened.composer.inputValue(), "> one\n> two\n> three\n\n");
  });

  it("keeps a recalled message once the caret has left its end, so that arrow keys move between its lines", async () => {
    await opened.show(view([user(1, "older"), user(2, "one\ntwo\nthree")]));
    await opened.composer.focus();
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowUp", "!"]) await opened.page.keyboard.press(key);
    assert.equal(await opened.composer.inputValue(), "one\ntwo!\nthree");
  });

  it("recalls a message of 2,000 lines within a second", async () => {
    const text = "a line\n".repeat(2_000);
    await opened.show(view([user(1, text)]));
    await opened.composer.focus();
    const tookMs = await opened.composer.evaluate((field: HTMLTextAreaElement) => {
      const startMs = performance.now();
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
      return performance.now() - startMs;
    });
    assert.deepEqual([await opened.composer.inputValue(), tookMs < 1_000], [text, true]);
  });

  it("inserts nothing in a read-only conversation, where it would end up in the next draft", async () => {
    const { page, composer } = opened;
    await opened.show(view([user(1, "What is it?")], { status: status({ activity: "readOnly" }) }));
    await composer.focus();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("button", { name: "Add files, problems" }).click();
    await page.locator("[data-row-id=message-1]").hover();
    await page.getByRole("button", { name: "Quote" }).click();
    await opened.settle();
    const drafts = await opened.drafts();
    assert.deepEqual([await composer.inputValue(), drafts], ["", []]);
  });
});
