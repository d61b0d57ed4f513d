/** What the editor is told for its own menu on a right click. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { answer, user, view } from "./support/viewBuilders.ts";
import { useWebview } from "./support/useWebview.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: the editor's menu", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview(async (page) => {
    opened = page;
    await opened.show(view([user(1, "What is the tide?"), answer(2, "It is low.")]));
  });

  /** The context as the editor gathers it: from the element up, the inner one wins. */
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

  it("has no Cut and Paste where nothing is written, and knows the message", async () => {
    const context = await contextAt(opened.page.getByText("It is low."));
    assert.deepEqual(context, { preventDefaultContextMenuItems: true, forgeRow: "message", forgeMessage: 2 });
  });

  it("knows what is selected, whichever message that is of", async () => {
    await opened.page.getByText("What is the tide?").selectText();
    const context = await contextAt(opened.page.getByText("What is the tide?"));
    assert.deepEqual(context, {
      preventDefaultContextMenuItems: true,
      forgeSelection: "What is the tide?",
      forgeRow: "message",
      forgeMessage: 1,
    });
  });

  it("is the editor's own where a message is written", async () => {
    await opened.composer.fill("words");
    await opened.composer.selectText();
    assert.deepEqual(await contextAt(opened.composer), { preventDefaultContextMenuItems: false });
  });
});
