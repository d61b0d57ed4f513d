/** What the models of other extensions may read of the conversation: what the user agrees to, each time. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, openChat, send } from "./support/chat.ts";
import { useSession } from "./support/session.ts";
import { dialog, runCommand, screenshot, toast } from "./support/workbench.ts";

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
    chat = await openChat(page);
  });

  it("is asked for with what exactly would be read, and gives nothing when the user says no", async () => {
    await send(chat, "The rule: high water is at noon, and the key is sk-proj-abcdefghijklmnopqrstu1.");
    await answer(chat);
    await runCommand(page, "Fixture: Recall High Water");
    await dialog(page).getByText("Let another extension read your Forge conversation?").waitFor();
    const words = await dialog(page).innerText();
    assert.match(words, /Up to ten messages of “The rule: high water.*” with these words would be read: high water/);
    await screenshot(page, "editor-chat-question");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await toast(page, "refused: Canceled").waitFor();
  });

  it("gives what was found when the user says yes, without keys", async () => {
    await runCommand(page, "Fixture: Recall High Water");
    await dialog(page)
      .getByRole("button", { name: /Yes|OK|Continue/ })
      .click();
    const told = toast(page, "From the user's conversation");
    await told.waitFor();
    const text = await told.innerText();
    assert.match(text, /message 0, the user, .*The rule: high water is at noon, and the key is \[redacted: API key\]/s);
    assert.doesNotMatch(text, /sk-proj/);
    await screenshot(page, "editor-chat-told");
  });
});
