/** What the composer puts into its field by itself, and keys that are pressed before the page is drawn again. */
import assert from "node:assert/strict";
import { status, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: what is put into the composer", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "What is it?")]));
  });

  /** Presses a key and types a letter in one go, as somebody fast does. */
  async function pressAndType(key: string): Promise<string> {
    await opened.composer.evaluate((field: HTMLTextAreaElement, pressed) => {
      field.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true }));
      field.setRangeText("!", field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }, key);
    await opened.settle();
    return opened.composer.inputValue();
  }

  it("stands before what is typed at once behind a message that was brought back", async () => {
    await opened.composer.focus();
    assert.equal(await pressAndType("ArrowUp"), "What is it?!");
  });

  it("stands before what is typed at once behind a command that was chosen", async () => {
    await opened.composer.pressSequentially("/summ");
    await opened.page.getByRole("option").first().waitFor();
    assert.equal(await pressAndType("Enter"), "/summarize !");
  });

  /** Types a name behind `before`, which `behind` follows, and lets the host find `mentions`. */
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
    it(`leaves ${JSON.stringify(left)} where ${typed} is chosen before ${JSON.stringify(behind)}`, async () => {
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

  it("keeps the lines below a name that was chosen, and is undone like what is typed", async () => {
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

  it("is undone like what is typed where it is a quotation", async () => {
    await opened.composer.pressSequentially("my words");
    await opened.page.hover("[data-row-id=message-1]");
    await opened.page.getByRole("button", { name: "Quote" }).click();
    assert.equal(await opened.composer.inputValue(), "my words\n\n> What is it?\n\n");
    await opened.page.keyboard.press("Control+z");
    assert.equal(await opened.composer.inputValue(), "my words");
  });

  it("is a quotation of as many lines as it has, whichever way they end", async () => {
    await opened.show(view([user(1, "one\r\ntwo\rthree")]));
    await opened.page.hover("[data-row-id=message-1]");
    await opened.page.getByRole("button", { name: "Quote" }).click();
    assert.equal(await opened.composer.inputValue(), "> one\n> two\n> three\n\n");
  });

  it("stays where the caret was moved from its end, so that its lines can be gone through", async () => {
    await opened.show(view([user(1, "older"), user(2, "one\ntwo\nthree")]));
    await opened.composer.focus();
    for (const key of ["ArrowUp", "ArrowLeft", "ArrowUp", "!"]) await opened.page.keyboard.press(key);
    assert.equal(await opened.composer.inputValue(), "one\ntwo!\nthree");
  });

  it("comes at once where it is of many lines", async () => {
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

  it("is nothing where the conversation can only be read: what stood there would go on into the next one", async () => {
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
