/** The page in German, whose words are longer. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import words from "../../l10n/bundle.l10n.de.json" with { type: "json" };
import { codeScenes } from "./support/codeScenes.ts";
import { composerScenes } from "./support/composerScenes.ts";
import { contextScenes } from "./support/contextScenes.ts";
import { picture } from "./support/picture.ts";
import { summaryScenes } from "./support/summaryScenes.ts";
import { scenes, showScene } from "./support/scenes.ts";
import { answer, status, user, view } from "./support/viewBuilders.ts";
import { toolScenes } from "./support/toolScenes.ts";
import { launchBrowser } from "../../scripts/vscode/launchBrowser.ts";
import { WebviewPage } from "./support/webviewPage.ts";
import { startWebviewServer, type WebviewServer } from "./support/webviewServer.ts";

describe("webview: in German", function () {
  this.timeout(60_000);
  let browser: Browser;
  let server: WebviewServer;
  before(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startWebviewServer({ language: "de" })]);
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  for (const width of [260, 400]) {
    it(`clips and breaks no words at ${String(width)} px`, async () => {
      const opened = await WebviewPage.open(browser, server, { width, height: 800 });
      for (const [name, scene] of Object.entries({
        ...scenes,
        ...toolScenes,
        ...codeScenes,
        ...composerScenes,
        ...contextScenes,
        ...summaryScenes,
      })) {
        await showScene(opened, name, scene, words);
        await picture(opened.page, `german-${name}-${String(width)}`);
        assert.deepEqual(await opened.page.evaluate(cutOff), [], name);
      }
      assert.deepEqual(opened.problems, []);
      await opened.close();
    });
  }

  for (const width of [200, 260, 300])
    it(`shows a message's menu completely at ${String(width)} px`, async () => {
      const opened = await WebviewPage.open(browser, server, { width, height: 800 });
      await opened.show(view([user(0, "Warum?"), answer(1, "Darum.")]));
      for (const row of ["message-0", "message-1"]) {
        await opened.page.hover(`[data-row-id=${row}]`);
        await opened.page.click(`[data-row-id=${row}] [aria-haspopup=menu]`);
        const box = await opened.page.getByRole("menu").boundingBox();
        assert.ok(box !== null && box.x >= 4 && box.x + box.width <= width, JSON.stringify(box));
        assert.deepEqual(await opened.page.evaluate(cutOff), []);
        await opened.page.keyboard.press("Escape");
        await opened.page.locator(".composer textarea").click();
      }
      await opened.close();
    });

  it("formats numbers the German way", async () => {
    const opened = await WebviewPage.open(browser, server);
    await opened.show(view([], { draft: "Warum?", status: status({ draftTokens: 2149 }) }));
    await opened.page.locator(".composer").getByText("2,1k").waitFor();
    assert.deepEqual(opened.problems, []);
    await opened.close();
  });

  it("translates the names that screen readers read", async () => {
    const opened = await WebviewPage.open(browser, server);
    const { page } = opened;
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("textbox", { name: "Nachricht an Forge" }).waitFor();
    await page.getByRole("button", { name: "Senden", exact: true }).waitFor();
    assert.deepEqual(opened.problems, []);
    await opened.close();
  });
});

/** Runs in the page: texts that are clipped, broken within a word, or beyond the page's edge. */
function cutOff(): readonly string[] {
  const shown = [...document.querySelectorAll<HTMLElement>("button, h2, p, .meta")].filter(
    (element) => element.checkVisibility() && getComputedStyle(element).textOverflow !== "ellipsis",
  );
  const isCut = (element: HTMLElement): boolean =>
    (getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth) ||
    element.getBoundingClientRect().right > innerWidth + 0.5;
  const isBroken = (element: HTMLElement): boolean => {
    const text = element.matches(".button, .text-button") ? element.firstChild : null;
    if (!(text instanceof Text)) return false;
    return [...text.data.matchAll(/\S+/g)].some((word) => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return range.getClientRects().length > 1;
    });
  };
  return shown
    .filter((element) => element.closest(".spoken-only") === null && (isCut(element) || isBroken(element)))
    .map(({ innerText }) => innerText);
}
