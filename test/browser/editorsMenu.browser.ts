import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { answer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: context of the editor's context menu", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "What is the tide?"), answer(2, "It is low.")]));
  });

  /** The context as the editor collects it from the element and its ancestors: inner values win. */
  const contextAt = async (place: Locator): Promise<unknown> => {
    await opened.page.evaluate(() => {
      window.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        const found: object[] = [];
        for (let at = event.target instanceof Element ? event.target : null; at !== null; at = at.parentElement) {
          const data: unknown = JSON.parse(at.getAttribute("data-vscode-context") ?? "{}");
          if (typeof data === "object" && data !== null) found.unshift(data);
        }
        window.stored = Object.assign({}, ...found);
      });
    });
    await place.click({ button: "right" });
    return opened.page.evaluate(() => window.stored);
  };

  it("omits Cut and Paste on a message, and names the message", async () => {
    const context = await contextAt(opened.page.getByText("It is low."));
    assert.deepEqual(context, { preventDefaultContextMenuItems: true, forgeRow: "message", forgeMessage: 2 });
  });

  it("contains the selected text and its message", async () => {
    await opened.page.getByText("What is the tide?").selectText();
    const context = await contextAt(opened.page.getByText("What is the tide?"));
    assert.deepEqual(context, {
      preventDefaultContextMenuItems: true,
      forgeSelection: "What is the tide?",
      forgeRow: "message",
      forgeMessage: 1,
    });
  });

  it("keeps the editor's default items in the composer", async () => {
    await opened.composer.fill("words");
    await opened.composer.selectText();
    assert.deepEqual(await contextAt(opened.composer), { preventDefaultContextMenuItems: false });
  });
});
