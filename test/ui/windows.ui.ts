import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import {
  answer,
  chatInTab,
  composer,
  messages,
  newConversation,
  openChat,
  openExisting,
  openList,
  partOfAnswer,
  press,
  seen,
  send,
  usageItem,
} from "./support/chat.ts";
import { closeWindow } from "./support/closeWindow.ts";
import { picture } from "./support/pictures.ts";
import { problems } from "./support/problem.ts";
import { useModelSession, type ChatWindow } from "./support/modelSession.ts";
import { question, scriptSteps } from "./support/toolCalls.ts";
import { lastShown, watchAnswer } from "./support/shownText.ts";
import { closePicker, entries, pick, runCommand, toast } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const sentences = longAnswer(70_000);

describe("two windows", () => {
  let first: ChatWindow;
  let second: ChatWindow;

  const session = useModelSession("windows", {
    "forge.provider": "openaiCompatible",
    "window.confirmBeforeClose": "never",
  });
  const open = (folder?: string): Promise<ChatWindow> => session.openChat(folder === undefined ? {} : { folder });
  before(async function () {
    this.timeout(120_000);
    first = await open();
    second = await open();
    session.models.script({ match: "Tell me", answer: { text: sentences }, framing: { delayMs: 20 } });
  });

  const talk = ({ chat }: ChatWindow, text: string): Promise<void> => session.talk(chat, text);

  async function said({ chat }: ChatWindow): Promise<readonly string[]> {
    return (await messages(chat, "user").locator("p").allInnerTexts()).map((text) => text.trim());
  }

  /** Titles in the list of conversations, from the top. Leaves the list open. */
  async function listed({ page }: ChatWindow): Promise<readonly string[]> {
    await openList(page);
    const names = await entries(page, /./).locator(".label-name").allInnerTexts();
    return names.map((name) => name.trim()).filter((name) => name !== "" && name !== "New conversation");
  }

  it("E:waiting tell in each other of a question that waits, and which window has it", async () => {
    scriptSteps(
      session.models,
      { text: "I run it.", calls: [["run_command", { command: "echo seen" }]] },
      { text: "Done." },
    );
    await send(first.chat, "Run it, first window.");
    await question(first.chat).waitFor();
    const item = usageItem(second.page);
    await item.getByText("Waiting for you in another window").waitFor();
    await second.page.locator(".activitybar .badge", { hasText: "1" }).waitFor();
    await item.click();
    await toast(second.page, "“Run it, first window.” is waiting for you in the window “").waitFor();
    await picture(second.page, "windows-waiting");
    await question(first.chat).getByRole("button", { name: "Deny" }).click();
    await answer(first.chat);
    await item.getByText("Waiting for you in another window").waitFor({ state: "detached" });
    await second.page.locator(".activitybar .badge-content", { hasText: "1" }).waitFor({ state: "hidden" });
    for (const { page, chat } of [first, second]) await newConversation(page, chat);
  });

  it("E:waiting count a question on the icon while the chat is open in a tab alone", async () => {
    const page = await session.openWindow();
    await usageItem(page).waitFor(); // its commands are there
    await runCommand(page, "Forge: Open the Chat in an Editor Tab");
    const chat = await chatInTab(page, page.mainFrame());
    scriptSteps(
      session.models,
      { text: "I run it.", calls: [["run_command", { command: "echo seen" }]] },
      { text: "Done." },
    );
    await send(chat, "Run it, in a tab.");
    await question(chat).waitFor();
    await page.locator(".activitybar .badge", { hasText: "1" }).waitFor();
    await usageItem(page)
      .getByText(/ · Waiting for you$/)
      .click();
    await question(chat).locator(":focus").waitFor();
    await picture(page, "windows-waiting-tab");
    await question(chat).getByRole("button", { name: "Deny" }).click();
    await answer(chat);
    await page.locator(".activitybar .badge-content", { hasText: "1" }).waitFor({ state: "hidden" });
    await closeWindow(page, session.server);
  });

  it("start separate conversations in the same folder", async () => {
    await talk(first, "From the first window");
    await talk(second, "From the second window");
    assert.deepEqual(await said(first), ["From the first window"]);
    assert.deepEqual(await said(second), ["From the second window"]);
  });

  it("say that a conversation is open in the other window, and move it in mid-answer with all text shown", async () => {
    await watchAnswer(first.page, first.chat);
    await send(first.chat, "Tell me a lot");
    await partOfAnswer(first.chat, 120);
    await composer(first.chat).fill("typed and not sent");

    await openExisting(second.page, "From the first window");
    assert.deepEqual(await problems(second.chat), [
      {
        text: "This conversation is open in another window.",
        buttons: ["Move it here", "Open another", "New conversation"],
      },
    ]);
    await picture(second.page, "windows-in-use");
    await press(second.chat, "Move it here");

    const text = await answer(second.chat, "interrupted");
    assert.ok(lastShown(first.page).length >= 120);
    assert.ok(text.startsWith(lastShown(first.page)), `shown: ${lastShown(first.page)}\nmoved: ${text}`);
    assert.deepEqual(await said(second), ["From the first window", "Tell me a lot"]);
    assert.equal(await composer(second.chat).inputValue(), "typed and not sent");
    await first.chat.locator(".banner").getByText("moved to another window. Nothing is lost").waitFor();
    await picture(first.page, "windows-moved-away");
    await picture(second.page, "windows-moved-here");

    await composer(second.chat).fill("");
    session.models.script({ answer: { text: "And so on." }, times: 1 });
    await press(second.chat, "Continue");
    await seen(second.chat, "And so on.").waitFor();
    const continued = await answer(second.chat);
    assert.ok(continued.startsWith(text) && continued.endsWith("And so on."), continued);
  });

  it("move a conversation back to the first window", async () => {
    await press(first.chat, "Move it here");
    await seen(first.chat, "And so on.").waitFor();
    await second.chat.locator(".banner").getByText("moved to another window. Nothing is lost").waitFor();
    await talk(first, "Here again");
    await press(second.chat, "New conversation");
    await second.chat.locator(".banner").waitFor({ state: "detached" });
    await messages(second.chat).first().waitFor({ state: "detached" });
    await talk(second, "Something new");
    assert.deepEqual(await said(second), ["Something new"]);
  });

  it("list conversations by last use, and reopen an older one", async () => {
    const earlier = ["Run it, in a tab.", "Run it, first window."];
    await newConversation(second.page, second.chat);
    await talk(second, "The newest of all");
    assert.deepEqual(await listed(second), [
      "The newest of all",
      "Something new",
      "From the first window",
      "From the second window",
      ...earlier,
    ]);
    await picture(second.page, "windows-list");
    await pick(second.page, "From the second window");
    await seen(second.chat, "About: From the second window", { exact: true }).waitFor();
    await talk(second, "Once more");
    assert.deepEqual(await listed(second), [
      "From the second window",
      "The newest of all",
      "Something new",
      "From the first window",
      ...earlier,
    ]);
    await closePicker(second.page);
  });

  it("remember the open conversation of each folder", async () => {
    await closeWindow(second.page, session.server);
    const folder = path.join(session.server.runDirectory, "another-folder");
    mkdirSync(folder);
    const other = await open(folder);
    await talk(other, "In another folder");
    const windows = [first, other];
    const before = await Promise.all(windows.map(said));
    assert.deepEqual(before[1], ["In another folder"]);
    await Promise.all(windows.map(({ page }) => page.reload()));
    for (const [index, { page }] of windows.entries()) {
      const again = { page, chat: await openChat(page) };
      await messages(again.chat, "user").first().waitFor();
      assert.deepEqual(await said(again), before[index]);
    }
  });
});
