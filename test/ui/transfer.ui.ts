/** A conversation leaves as a file and comes back as another conversation, through the editor's own dialogs. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { answer, messages, newConversation, openChat, send } from "./support/chat.ts";
import { useSession } from "./support/session.ts";
import { answerInput, quickInput, runCommand, screenshot } from "./support/workbench.ts";

describe("transfer", () => {
  const session = useSession({ name: "transfer", settings: () => ({ "forge.provider": "offline" }) });
  let page: Page;
  let chat: Frame;
  before(async function () {
    this.timeout(90_000);
    page = await session.openWindow();
    chat = await openChat(page);
    await send(chat, "Remember the **harbour**.");
    await answer(chat);
  });

  /** Where the running server's files lie. */
  const file = (name: string): string => path.join(session.server.runDirectory, name);

  async function exportTo(name: string): Promise<string> {
    await runCommand(page, "Forge: Export Conversation");
    await answerInput(page, file(name));
    await chat.getByText(/^Exported 2 messages to /).waitFor();
    return readFileSync(file(name), "utf8");
  }

  it("exports everything as JSON", async () => {
    const document: unknown = JSON.parse(await exportTo("harbour.json"));
    assert.ok(typeof document === "object" && document !== null && "messages" in document);
    assert.ok(Array.isArray(document.messages));
    assert.equal(document.messages.length, 2);
  });

  it("exports Markdown to read", async () => {
    assert.match(await exportTo("harbour.md"), /^# Remember the harbour|Remember the \*\*harbour\*\*/m);
  });

  it("imports what was exported as a conversation of its own", async () => {
    await newConversation(page, chat);
    await runCommand(page, "Forge: Import Conversation");
    await answerInput(page, file("harbour.json"));
    await quickInput(page).waitFor({ state: "hidden" });
    await messages(chat, "user").getByText("Remember the **harbour**.").waitFor();
    assert.equal(await messages(chat).count(), 2);
    await screenshot(page, "transfer-imported");
    await send(chat, "And now?");
    await messages(chat, "assistant")
      .nth(1)
      .and(messages(chat, "assistant", "complete"))
      .waitFor();
  });

  it("says which place of a damaged file is wrong, and imports nothing", async () => {
    await runCommand(page, "Forge: Import Conversation");
    await answerInput(page, file("harbour.md"));
    await chat.getByText(/Nothing was changed/).waitFor();
    assert.equal(await messages(chat, "user").count(), 2);
    await screenshot(page, "transfer-refused");
  });
});
