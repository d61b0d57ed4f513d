/** Two windows of one user: each has its own conversation, and one conversation is never open in both. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, composer, messages, openChat, press, send } from "./support/chat.ts";
import { useSession } from "./support/session.ts";
import { pick, quickInput, runCommand, screenshot } from "./support/workbench.ts";

describe("two windows", () => {
  let pages: readonly [Page, Page];
  let chats: readonly [Frame, Frame];
  const session = useSession({ name: "windows" });

  before(async function () {
    this.timeout(120_000);
    pages = [await session.openWindow(), await session.openWindow()];
    chats = [await openChat(pages[0]), await openChat(pages[1])];
  });

  it("gives each its own conversation", async () => {
    await send(chats[0], "From the first window");
    await answer(chats[0]);
    await send(chats[1], "From the second window");
    await answer(chats[1]);
    const shown = await Promise.all(chats.map((chat) => messages(chat, "user").allInnerTexts()));
    assert.deepEqual(
      shown.map((texts) => texts.map((text) => text.split("\n").at(-1))),
      [["From the first window"], ["From the second window"]],
    );
  });

  it("says that a conversation is open in the other window, and moves it here when asked", async () => {
    await runCommand(pages[1], "Forge: Open Conversation");
    await pick(pages[1], "From the first window");
    await chats[1].getByText("open in another window").waitFor();
    await screenshot(pages[1], "windows-in-use");

    await press(chats[1], "Move it here");
    await messages(chats[1], "user").getByText("From the first window").waitFor();
    await send(chats[1], "Now from the second window");
    await answer(chats[1]);
    assert.equal(await messages(chats[1], "user").count(), 2);
    await screenshot(pages[0], "windows-moved-away");
  });

  it("lets the first window go on with another conversation", async () => {
    await runCommand(pages[0], "Forge: New Conversation");
    await messages(chats[0]).first().waitFor({ state: "detached" });
    await composer(chats[0]).waitFor();
    await send(chats[0], "Something new");
    await answer(chats[0]);
    await quickInput(pages[0]).waitFor({ state: "hidden" });
  });
});
