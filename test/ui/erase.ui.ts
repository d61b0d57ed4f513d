import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { beginEmpty, composer, messages, openChat, openList } from "./support/chat.ts";
import { closeWindow } from "./support/closeWindow.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { filesWith } from "./support/storedFiles.ts";
import {
  answerInput,
  closePicker,
  dialog,
  entries,
  pick,
  pressInEntry,
  quickInput,
  runCommand,
  toast,
} from "./support/workbench.ts";

describe("erasing", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("erase", {
    "forge.provider": "openaiCompatible",
    "window.confirmBeforeClose": "never",
  });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  const filesOf = (text: string): readonly string[] =>
    filesWith(session.server.globalStorage("forge-chat.forge"), text);

  const talk = (text: string, where = chat): Promise<void> => session.talk(where, text);

  async function begin(text: string): Promise<void> {
    await beginEmpty(page, chat);
    await talk(text);
  }

  async function expectErased(text: string): Promise<void> {
    const gone = await until(() => (filesOf(text).length === 0 ? true : undefined));
    assert.equal(gone, true, `${text} is in ${filesOf(text).join(", ")}`);
  }

  /** Deletes a conversation from the list, and closes the list. */
  async function deleteListed(title: string): Promise<void> {
    await openList(page);
    await pressInEntry(page, title, "Delete");
    await entries(page, title).waitFor({ state: "detached" });
    await closePicker(page);
  }

  it("erases all conversations except one open in another window, which it names, and keeps the API keys", async function () {
    this.timeout(120_000);
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Your server");
    await answerInput(page, "house-key-1f8a77c2d05b4e");
    await quickInput(page).waitFor({ state: "hidden" });
    await begin("Marigold in the trash");
    await begin("Marigold in the list");
    await deleteListed("Marigold in the trash");
    const other = await session.openWindow();
    const otherChat = await openChat(other);
    await talk("Marigold elsewhere", otherChat);
    await composer(chat).fill("Marigold in the draft");
    await chat.getByText(/^\+\d+ tokens/).waitFor();

    await runCommand(page, "Forge: Erase Everything…");
    await dialog(page).getByText("Erase everything that was said in Forge?").waitFor();
    for (const sentence of [
      "2 conversations, and 1 in the trash, with all their files, and the spending records, are deleted from this disk.",
      `Forge's folder ${session.server.globalStorage("forge-chat.forge")} has `,
      "This cannot be undone. Settings stay as they are.",
      "“Erase All Data of Forge” also deletes 1 API key in the secret storage, your approvals of tools,",
    ])
      await dialog(page).getByText(sentence).waitFor();
    await picture(page, "erase-everything");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    assert.ok(filesOf("Marigold").length > 0);

    await runCommand(page, "Forge: Erase Everything…");
    await dialog(page).getByRole("button", { name: "Erase Conversations", exact: true }).click();
    await toast(
      page,
      "1 conversation could not be erased: it is open in another window. Close it there first.",
    ).waitFor();
    await picture(page, "erase-one-elsewhere");
    await messages(chat).first().waitFor({ state: "detached" });
    for (const text of ["Marigold in the trash", "Marigold in the list", "Marigold in the draft"])
      await expectErased(text);
    assert.ok(filesOf("Marigold elsewhere").length > 0);
    await talk("It goes on there", otherChat);
    await closeWindow(other, session.server);
    await talk("It goes on here");
    await runCommand(page, "Forge: Remove API Key");
    await entries(page, "Your server").waitFor();
    await closePicker(page);
  });

  it("erases one message in the chat and in every file", async () => {
    await begin("Saffron is the password");
    await talk("What was it good for?");
    await composer(chat).fill("Typed meanwhile");
    await runCommand(page, "Forge: Erase Message for Good…");
    await entries(page, "What was it good for?").first().waitFor();
    await quickInput(page).locator("input").first().fill("password saffron");
    await entries(page, "About: Saffron").waitFor();
    assert.equal(await entries(page, "Saffron").count(), 2);
    await picture(page, "erase-message-pick");
    await entries(page, /You/).first().click();
    await dialog(page).getByText("Erase this message for good?").waitFor();
    await picture(page, "erase-message");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    assert.ok(filesOf("Saffron").length > 0);

    await eraseByMenu(messages(chat, "user").first());
    await messages(chat, "user").first().getByText("[Erased by the user]").waitFor();
    await eraseByMenu(messages(chat, "assistant").first());
    await messages(chat, "assistant").first().getByText("[Erased by the user]").waitFor();
    await expectErased("Saffron");
    assert.equal(await composer(chat).inputValue(), "Typed meanwhile");
    await picture(page, "erase-message-done");
    await talk("It goes on");
    await openList(page);
    assert.equal(await entries(page, "Saffron").count(), 0);
    await closePicker(page);
  });

  async function eraseByMenu(message: Locator): Promise<void> {
    await message.click({ button: "right" });
    const entry = page.getByRole("menuitem", { name: "Erase Message for Good…" });
    await entry.waitFor();
    // A click in the moment when the menu opens has no effect.
    await until(async () => {
      if (await entry.isVisible()) await entry.click({ timeout: 5_000 }).catch(() => undefined); // it may close just then
      return (await dialog(page).isVisible()) ? true : undefined;
    });
    await dialog(page).getByRole("button", { name: "Erase for Good" }).click();
    await dialog(page).waitFor({ state: "hidden" });
  }

  it("erases the API keys and what it remembers, too, on request", async () => {
    await begin("Marigold again");
    await runCommand(page, "Forge: Erase Everything…");
    await dialog(page).getByRole("button", { name: "Erase All Data of Forge" }).click();
    await toast(page, "All data of Forge is erased.").waitFor();
    await messages(chat).first().waitFor({ state: "detached" });
    await expectErased("Marigold");
    await runCommand(page, "Forge: Remove API Key");
    await quickInput(page).getByText("No key is stored").waitFor();
    await closePicker(page);
    await openList(page);
    assert.equal(await entries(page, "Marigold").count(), 0);
    await picture(page, "erase-everything-done");
    await closePicker(page);
    await talk("A new beginning");
  });
});
