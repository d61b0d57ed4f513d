import assert from "node:assert/strict";
import { allScenes } from "./support/allScenes.ts";
import { showScene } from "./support/scenes.ts";
import { useWebview } from "./support/useWebview.ts";
import { answer, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: screen reader announcements and input methods", function () {
  this.timeout(30_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("announces repeated words in a new element, so that screen readers read them again", async () => {
    const { page } = opened;
    await opened.show(view([user(1, "a"), answer(2, "b")]));
    const live = page.locator("[data-live]");
    const said: (string | null)[] = [];
    const elements: unknown[] = [];
    for (let times = 0; times < 2; times++) {
      await page.locator("[data-row-id=message-2]").hover();
      await page.locator("[data-row-id=message-2]").getByRole("button", { name: "Copy", exact: true }).click();
      await live.getByText("Copied").waitFor();
      await opened.settle();
      said.push(await live.textContent());
      elements.push(await live.evaluateHandle((region) => region.firstElementChild));
      await live.getByText("Copied").waitFor({ state: "detached" });
    }
    const isSame = await page.evaluate(([one, other]) => one === other, elements);
    assert.deepEqual({ said, isSame }, { said: ["Copied", "Copied"], isSame: false });
  });

  it("closes the mention list once the message with its word is sent", async () => {
    const { page, composer } = opened;
    await opened.show(view([user(1, "a")]));
    await composer.focus();
    await page.keyboard.type("@no");
    const asked = (await opened.posted()).filter((message) => message.kind === "findMentions").at(-1);
    assert.ok(asked);
    await opened.say({ kind: "mentions", requestId: asked.requestId, mentions: [] });
    await page.getByText("Nothing found", { exact: true }).waitFor();
    await composer.press("Enter");
    await opened.take();
    await opened.settle();
    const left = await page.locator(".composer-menu").count();
    assert.deepEqual({ text: await composer.inputValue(), left }, { text: "", left: 0 });
  });

  const composing = { key: "Escape", isComposing: true };
  for (const [name, field] of [
    ["summaryEdited", ".summary-edit textarea"],
    ["summaryRegenerate", ".regenerate input"],
  ] as const) {
    it(`keeps typed text when Escape belongs to an input method: ${name}`, async () => {
      const scene = allScenes[name];
      assert.ok(scene);
      await showScene(opened, name, scene);
      const typed = opened.page.locator(field);
      await typed.fill("日本");
      await typed.dispatchEvent("keydown", composing);
      await opened.settle();
      assert.equal(await typed.inputValue(), "日本");
      await typed.press("Escape");
      await typed.waitFor({ state: "detached" });
    });
  }
});
