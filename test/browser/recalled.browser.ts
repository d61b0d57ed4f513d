import assert from "node:assert/strict";
import { contextScenes } from "./support/contextScenes.ts";
import { recalledQuestion, scenes, showScene, type Scene } from "./support/scenes.ts";
import { useWebview } from "./support/useWebview.ts";
import { answer, user, view } from "./support/viewBuilders.ts";
import type { WebviewPage } from "./support/webviewPage.ts";

describe("webview: what was recalled for a question", function () {
  this.timeout(60_000);
  let opened: WebviewPage;
  useWebview((page) => (opened = page));

  it("is a line beneath the message, and nothing where nothing was recalled", async () => {
    const one = user(191, "And the pier?", { recalled: [{ messageId: 3, text: "The north pier." }] });
    await opened.show(view([user(187, "Go on."), answer(188, "Done."), recalledQuestion, answer(190, "So."), one]));
    assert.deepEqual(await opened.page.locator(".recalled").allTextContents(), [
      "2 earlier messages recalled",
      "1 earlier message recalled",
    ]);
    assert.equal(await opened.page.locator("[data-row-id=message-187] .recalled").count(), 0);
    const [words, line] = await Promise.all(
      [".typed", ".recalled"].map((name) => opened.page.locator(`[data-row-id=message-189] ${name}`).boundingBox()),
    );
    assert.ok(words && line && words.y + words.height <= line.y, "beneath the words");
  });

  it("opens by keyboard to the passages under links to their messages, and stays open when drawn again", async () => {
    await showScene(opened, "recalled", withOlder(scenes["recalled"]));
    const line = opened.page.getByRole("button", { name: "2 earlier messages recalled" });
    assert.equal(await line.getAttribute("aria-expanded"), "false");
    await line.focus();
    await opened.page.keyboard.press("Enter");
    assert.equal(await line.getAttribute("aria-expanded"), "true");
    const passages = opened.page.locator(".recalled-passages > li");
    assert.deepEqual(await passages.evaluateAll((all) => all.map((each) => (each as HTMLElement).innerText)), [
      "Message 4\nThe tide gauge at the north pier is SK-41.",
      "Message 18\n… Ilse Brandt, the harbour master, said so:\n  gauge: SK-41\n  pier: north …",
    ]);
    await opened.say({ kind: "rowChanged", rowId: "message-189", row: { ...recalledQuestion, pinned: true } });
    await opened.page.getByText("Pinned").waitFor();
    assert.equal(await passages.count(), 2);
    await passages.nth(1).getByRole("button", { name: "Message 18" }).click();
    await opened.expectPosted({ kind: "revealMessage", messageId: 17, before: "message-189" });
  });

  it("is a part of the context view with its tokens, its passages and links to their messages", async () => {
    await showScene(opened, "context", withOlder(contextScenes["contextRecalled"]));
    const part = opened.page.locator("[data-part=recalled]");
    assert.match((await part.locator(".part-line").textContent()) ?? "", /2 passages recalled for this question.*190/);
    const colour = await part.locator(".dot").evaluate((dot) => getComputedStyle(dot).backgroundColor);
    assert.notEqual(colour, "rgba(0, 0, 0, 0)");
    await part.getByRole("button", { name: "You: The tide gauge at the north pier is SK-41." }).click();
    await opened.expectPosted({ kind: "revealMessage", messageId: 3, before: "message-189" });
  });
});

/** The scene, in a conversation that has older messages. */
function withOlder(scene: Scene | undefined): Scene {
  assert.ok(scene !== undefined);
  return { ...scene, view: { ...scene.view, hasOlder: true } };
}
