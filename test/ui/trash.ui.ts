import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { beginEmpty, composer, messages, newConversation, openChat, openList, seen } from "./support/chat.ts";
import { closeWindow } from "./support/closeWindow.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { filesWith, foldersWith } from "./support/storedFiles.ts";
import {
  acceptFocused,
  closePicker,
  dialog,
  entries,
  pick,
  pressInEntry,
  quickInput,
  runCommand,
  toast,
} from "./support/workbench.ts";

describe("the trash", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("trash", {
    "forge.provider": "openaiCompatible",
    "window.confirmBeforeClose": "never",
  });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  const storage = (): string => session.server.globalStorage("forge-chat.forge");

  const talk = (text: string, where = chat): Promise<void> => session.talk(where, text);

  /** Begins a conversation whose title is `text`. */
  async function begin(text: string): Promise<void> {
    await beginEmpty(page, chat);
    await talk(text);
  }

  const filesOf = (text: string): readonly string[] => filesWith(storage(), text);
  const placesOf = (text: string): readonly string[] => foldersWith(storage(), text);

  async function undo(text: string): Promise<void> {
    await toast(page, `“${text}” was moved to the trash.`).getByRole("button", { name: "Undo" }).click();
  }

  it("receives a conversation from the list, and restores it by one click", async () => {
    await begin("The first one");
    await begin("The second one");
    await openList(page);
    await pressInEntry(page, "The first one", "Delete");
    await toast(page, "“The first one” was moved to the trash.").waitFor();
    await entries(page, "The first one").waitFor({ state: "detached" });
    await entries(page, /Trash.*1 conversation/).waitFor();
    await entries(page, "The second one").waitFor();
    await picture(page, "trash-deleted");
    assert.deepEqual(placesOf("The first one"), ["trash"]);

    await undo("The first one");
    const isBack = await until(() => (placesOf("The first one")[0] === "conversations" ? true : undefined));
    assert.equal(isBack, true);
    await quickInput(page).waitFor({ state: "hidden" });
    await openList(page);
    await pick(page, "The first one");
    await seen(chat, "About: The first one", { exact: true }).waitFor();
  });

  it("receives the open conversation, and Undo opens it again with its draft", async () => {
    await composer(chat).fill("not sent yet");
    await runCommand(page, "Forge: Delete Conversation");
    await entries(page, "open here").waitFor();
    await picture(page, "trash-which");
    await acceptFocused(page, "open here"); // it comes first
    await messages(chat).first().waitFor({ state: "detached" });
    await toast(page, "“The first one” was moved to the trash.").waitFor();
    await talk("In the new one");
    assert.deepEqual(placesOf("The first one"), ["trash"]);

    await undo("The first one");
    await seen(chat, "About: The first one", { exact: true }).waitFor();
    assert.equal(await composer(chat).inputValue(), "not sent yet");
    await composer(chat).fill("");
  });

  it("refuses a conversation that is open in another window, and says why", async function () {
    this.timeout(120_000);
    const other = await session.openWindow();
    const otherChat = await openChat(other);
    await talk("Open elsewhere", otherChat);
    await openList(page);
    await pressInEntry(page, "Open elsewhere", "Delete");
    const refused = "“Open elsewhere” was not deleted: it is open in another window. Close it there first.";
    await toast(page, refused).waitFor();
    await picture(page, "trash-open-elsewhere");
    await closePicker(page);
    assert.deepEqual(placesOf("Open elsewhere"), ["conversations"]);
    await talk("It goes on there", otherChat);
    await closeWindow(other, session.server);
  });

  it("lists its conversations, restores them, and erases them for good after a confirmation", async () => {
    await begin("To be erased");
    await begin("To be restored");
    await newConversation(page, chat);
    await openList(page);
    for (const title of ["To be erased", "To be restored"]) {
      await pressInEntry(page, title, "Delete");
      await entries(page, title).waitFor({ state: "detached" });
    }
    await pick(page, "Trash");
    await quickInput(page).getByText("Forge: Trash", { exact: true }).waitFor();
    await picture(page, "trash-shown");
    await pressInEntry(page, "To be restored", "Restore");
    await entries(page, "To be restored").waitFor({ state: "detached" });
    assert.deepEqual(placesOf("To be restored"), ["conversations"]);

    await pressInEntry(page, "To be erased", "Erase for good…");
    await dialog(page).getByText("Erase “To be erased” for good?").waitFor();
    await dialog(page).getByText("Its 2 messages, its summaries and its files are deleted from this disk.").waitFor();
    await picture(page, "trash-erase");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await entries(page, "To be erased").waitFor();
    assert.deepEqual(placesOf("To be erased"), ["trash"]);

    await pressInEntry(page, "To be erased", "Erase for good…");
    await dialog(page).getByRole("button", { name: "Erase for Good" }).click();
    await entries(page, "The trash is empty").waitFor();
    await picture(page, "trash-empty");
    await closePicker(page);
    assert.deepEqual(filesOf("To be erased"), []);
  });

  it("is usable with the keyboard alone", async () => {
    await begin("By keyboard");
    await runCommand(page, "Forge: Delete Conversation");
    await acceptFocused(page, "open here");
    await toast(page, "“By keyboard” was moved to the trash.").waitFor();
    await runCommand(page, "Forge: Open Trash");
    await acceptFocused(page, "By keyboard");
    await entries(page, "Erase for good…").waitFor();
    await picture(page, "trash-ask");
    await acceptFocused(page, "Restore and open");
    await seen(chat, "About: By keyboard", { exact: true }).waitFor();
    assert.deepEqual(placesOf("By keyboard"), ["conversations"]);
  });

  it("receives a damaged conversation, which the list marks as damaged and offers to rescue", async () => {
    await begin("Broken on the disk");
    await newConversation(page, chat);
    const [database] = filesOf("Broken on the disk").filter((file) => file.endsWith("conversation.sqlite"));
    assert.ok(database !== undefined);
    const file = path.join(storage(), database);
    writeFileSync(file, readFileSync(file).fill(0x5a, 0, 100));

    await openList(page);
    await entries(page, /Broken on the disk.*damaged: conversation\.sqlite is no database/).waitFor();
    await entries(page, "Broken on the disk").hover();
    await picture(page, "trash-broken");
    await pressInEntry(page, "Broken on the disk", "Rescue what can be read");
    await chat.getByRole("log").getByText("2 messages were rescued.").waitFor();
    await seen(chat, "About: Broken on the disk", { exact: true }).waitFor();

    await newConversation(page, chat);
    writeFileSync(file, readFileSync(file).fill(0x5a, 0, 100));
    await openList(page);
    await pressInEntry(page, "Broken on the disk", "Delete");
    await toast(page, "“Broken on the disk” was moved to the trash.").waitFor();
    await closePicker(page);
    await runCommand(page, "Forge: Open Trash");
    await entries(page, /Broken on the disk.*damaged/).waitFor();
    await pick(page, "Broken on the disk");
    await pick(page, "Erase for good…");
    await dialog(page).getByRole("button", { name: "Erase for Good" }).click();
    const isErased = await until(() => (filesOf("Broken on the disk").length === 0 ? true : undefined));
    assert.equal(isErased, true, "its damaged copy went, too");
  });
});
