/** What the composer puts into its field by itself, and keys that are pressed before the page is drawn again. */
import assert from "node:assert/strict";
import { user, view } from "./support/viewBuilders.ts";
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
});
