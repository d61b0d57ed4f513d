import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, messages, offline, openChat, send } from "./support/chat.ts";
import { picture } from "./support/pictures.ts";
import { useSession } from "./support/session.ts";
import { dialog, runCommand, toast } from "./support/workbench.ts";

describe("recall for other extensions", () => {
  let page: Page;
  let chat: Frame;
  const session = useSession({
    name: "editor-chat",
    settings: () => ({ "forge.provider": "offline" }),
    beside: "recallExtension",
  });
  before(async () => {
    page = await session.openWindow();
    chat = await openChat(page, offline);
  });

  it("asks with exactly what would be read, and returns nothing when the user refuses", async () => {
    await send(chat, "The rule: high water is at noon, and the key is sk-proj-abcdefghijklmnopqrstu1.");
    await answer(chat);
    await runCommand(page, "Fixture: Recall High Water");
    await dialog(page).getByText("Let another extension read your Forge conversation?").waitFor();
    const words = await dialog(page).innerText();
    assert.match(
      words,
      /Up to ten messages of “The rule: high water.*” that have some of these words, or stand .* read: high water/,
    );
    await picture(page, "editor-chat-question");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await toast(page, "refused: Canceled").waitFor();
  });

  it("returns the matches with keys redacted when the user agrees", async () => {
    await runCommand(page, "Fixture: Recall High Water");
    await dialog(page)
      .getByRole("button", { name: /Yes|OK|Continue/ })
      .click();
    const told = toast(page, "From the user's conversation");
    await told.waitFor();
    const text = await told.innerText();
    assert.match(text, /message 1, the user, .*The rule: high water is at noon, and the key is \[redacted: API key\]/s);
    assert.doesNotMatch(text, /sk-proj/);
    await picture(page, "editor-chat-told");
  });
});

describe("@forge in the editor's own chat", () => {
  const session = useSession({
    name: "editor-chat-participant",
    settings: () => ({ "forge.provider": "offline", "chat.disableAIFeatures": false }),
    beside: "modelExtension", // without a model the editor answers "Language model unavailable" for every participant
  });

  it("continues this window's conversation, and searches it", async () => {
    const page = await session.openWindow();
    const chat = await openChat(page, offline);
    await send(chat, "High water is at noon.");
    await answer(chat);
    await page.keyboard.press("Control+Alt+I");
    const input = page.locator(".interactive-input-part");
    await input.getByText("Fixture").waitFor();
    const answers = page.locator(".interactive-response");
    const ask = async (words: string): Promise<void> => {
      await input.locator(".monaco-editor").first().click();
      await page.keyboard.type(words);
      await page.keyboard.press("Escape"); // closes the suggestions
      await page.keyboard.press("Enter");
    };

    await ask("@forge When is low water?");
    await answers.first().getByText("No language model is connected").waitFor();
    await messages(chat, "user").getByText("When is low water?").waitFor();
    await picture(page, "editor-chat-forge");

    await ask("/recall noon");
    await answers.nth(1).getByText("High water is at noon.").first().waitFor();
    await picture(page, "editor-chat-recall");
  });
});
