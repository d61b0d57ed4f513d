import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import {
  answer,
  composer,
  hasKeyboard,
  messages,
  openChat,
  partOfAnswer,
  press,
  send,
  textOf,
} from "./support/chat.ts";
import { closeWindow } from "./support/closeWindow.ts";
import { picture } from "./support/pictures.ts";
import { extensionHostPids, isAlive, killExtensionHost } from "./support/processes.ts";
import { useModelSession } from "./support/modelSession.ts";
import { lastShown, watchAnswer } from "./support/shownText.ts";
import { filesWith } from "./support/storedFiles.ts";
import { closePicker, dialog, nextExtensionHost, pick, quickInput, runCommand } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const sentences = longAnswer(70_000);
const choices = ["Continue", "Keep", "Ask again"] as const;
type Choice = (typeof choices)[number];

describe("recovery", () => {
  let page: Page;
  let chat: Frame;
  /** Texts of interrupted answers that must be shown from now on, oldest first. */
  const kept: string[] = [];
  let decisions = 0;

  const session = useModelSession("recovery", {
    "forge.provider": "openaiCompatible",
    "window.confirmBeforeClose": "never",
  });
  before(async () => {
    ({ page, chat } = await session.openChat());
    session.models.script({ match: "Tell me", answer: { text: sentences }, framing: { delayMs: 20 } });
  });

  /** Starts a long answer, and waits until at least `length` characters of it are shown. */
  async function streamUntil(question: string, length: number): Promise<void> {
    await watchAnswer(page, chat);
    await send(chat, question);
    await partOfAnswer(chat, length);
  }

  /** Asserts that the interrupted answer contains all that was shown and offers the three choices. Returns its text. */
  async function expectOffered(): Promise<string> {
    const shown = lastShown(page);
    const text = await answer(chat, "interrupted");
    assert.ok(shown.length >= 80, `only "${shown}" was shown`);
    assert.ok(text.startsWith(shown), `shown: ${shown}\nkept: ${text}`);
    assert.ok(sentences.startsWith(text), text);
    for (const name of choices) await chat.getByRole("button", { name, exact: true }).waitFor();
    return text;
  }

  /** Chooses for the interrupted answer, then asserts that the chat continues and older answers are unchanged. */
  async function decide(choice: Choice, text: string, choose: (choice: Choice) => Promise<void>): Promise<void> {
    const words = `After the decision number ${++decisions} to ${choice}.`;
    session.models.script({ answer: { text: words }, times: 1 });
    await choose(choice);
    if (choice === "Keep") {
      await chat.getByRole("button", { name: "Keep", exact: true }).waitFor({ state: "detached" });
      await send(chat, "Go on");
    }
    const complete = messages(chat, "assistant", "complete").filter({ hasText: words });
    await complete.waitFor();
    const shown = await textOf(complete);
    if (choice === "Continue") assert.ok(shown.startsWith(text), `kept: ${text}\nshown: ${shown}`);
    else assert.equal(shown, words);
    if (choice === "Keep") kept.push(text);
    const interrupted = messages(chat, "assistant", "interrupted");
    assert.deepEqual(await Promise.all((await interrupted.all()).map(textOf)), kept);
  }

  const inChat = (choice: Choice): Promise<void> => press(chat, choice);
  const byCommand = async (choice: Choice): Promise<void> => {
    await runCommand(page, "Forge: Recover");
    await quickInput(page)
      .getByText(/interrupted (just now|\d+ min ago)/)
      .waitFor();
    if (choice === "Continue") await picture(page, "recovery-command");
    await pick(page, choice);
  };
  /** Cancels the command's picker, which returns the focus to the chat. */
  const turnAway = async (): Promise<void> => {
    await composer(chat).click();
    await runCommand(page, "Forge: Recover");
    await quickInput(page)
      .getByText(/interrupted/)
      .waitFor();
    await closePicker(page);
    await hasKeyboard(chat, composer(chat));
  };

  it("returns the focus to the chat when /recover finds nothing to recover", async () => {
    await composer(chat).fill("/recover");
    await composer(chat).press("Escape"); // the list of commands
    await composer(chat).press("Enter");
    await quickInput(page).getByText("Nothing to recover").waitFor();
    await closePicker(page);
    await hasKeyboard(chat, composer(chat));
  });

  const kills = [
    { choice: "Keep", choose: inChat },
    { choice: "Continue", choose: inChat },
    { choice: "Ask again", choose: inChat },
    { choice: "Continue", choose: byCommand },
    { choice: "Ask again", choose: byCommand },
  ] as const;
  for (const [index, { choice, choose }] of kills.entries()) {
    const how = choose === byCommand ? "by command" : "in the chat";
    it(`loses nothing when the extension host is killed in mid-answer, kill ${index + 1}, then ${choice} ${how}`, async () => {
      await streamUntil(`Tell me everything, round ${index + 1}`, 100 + index * 40);
      const killed = await killExtensionHost(session.server);
      await nextExtensionHost(page, session.server, killed);
      chat = await openChat(page);
      const text = await expectOffered();
      await picture(page, `recovery-interrupted-${index + 1}`);
      if (choose === byCommand) await turnAway();
      await decide(choice, text, choose);
    });
  }

  it("restores the draft and its attachment after the extension host was killed", async () => {
    writeFiles(session.server.workspace, { "tides.csv": "Brest,04:12" });
    await composer(chat).pressSequentially("@tides");
    await chat.getByRole("option", { name: "tides.csv" }).click();
    const added = () => chat.getByRole("list", { name: "Attachments" }).getByText("tides.csv");
    await added().waitFor();
    await composer(chat).pressSequentially("half a thou");
    const killed = await killExtensionHost(session.server);
    await nextExtensionHost(page, session.server, killed);
    chat = await openChat(page);
    assert.equal(await composer(chat).inputValue(), "@tides.csv half a thou");
    await added().waitFor();
    await picture(page, "recovery-draft");
    await press(chat, "Remove tides.csv");
    await added().waitFor({ state: "detached" });
  });

  it("restores the draft after a reload in the middle of a word", async function () {
    this.timeout(120_000);
    for (const text of ["a wo", "another sentence that is not fini"]) {
      await composer(chat).fill("");
      await composer(chat).pressSequentially(text, { delay: 20 });
      await page.waitForTimeout(50); // no finger is faster from one key to the next
      await page.reload();
      chat = await openChat(page);
      assert.equal(await composer(chat).inputValue(), text);
    }
    await composer(chat).fill("");
  });

  it("restores a message edit after the extension host was killed, and after a reload", async function () {
    this.timeout(120_000);
    const field = () => chat.getByRole("textbox", { name: "Edit and send again" });
    await messages(chat, "user").last().hover();
    await press(chat, "Edit and send again");
    await field().fill("");
    await field().pressSequentially("Tell me half of ev", { delay: 20 });
    const killed = await killExtensionHost(session.server);
    await nextExtensionHost(page, session.server, killed);
    chat = await openChat(page);
    await field().waitFor();
    assert.equal(await field().inputValue(), "Tell me half of ev");
    await picture(page, "recovery-edit");
    await field().pressSequentially("erything", { delay: 20 });
    const files = () => filesWith(session.server.globalStorage("forge-chat.forge"), "Tell me half of everything");
    await until(() => (files().length > 0 ? true : undefined)); // stored without another action
    await page.reload();
    chat = await openChat(page);
    await field().waitFor();
    assert.equal(await field().inputValue(), "Tell me half of everything");
    await field().press("Escape");
    await field().waitFor({ state: "detached" });
    await page.waitForTimeout(50); // no finger is faster from one key to the next
    await page.reload();
    chat = await openChat(page);
    await messages(chat, "user").last().waitFor();
    assert.equal(await field().count(), 0);
  });

  it("offers an answer interrupted by a reload, and restores the draft", async () => {
    await streamUntil("Tell me before I go", 100);
    await composer(chat).fill("and another");
    await chat.getByText(/^\+\d+ tokens/).waitFor(); // the host has it
    await page.reload();
    chat = await openChat(page);
    const text = await expectOffered();
    assert.equal(await composer(chat).inputValue(), "and another");
    await composer(chat).fill("");
    await decide("Continue", text, inChat);
  });

  it("offers an answer interrupted by closing the window, when it is opened again", async () => {
    await streamUntil("Tell me before I close", 100);
    const old = page;
    await closeWindow(page, session.server);
    page = await session.openWindow();
    chat = await openChat(page);
    const text = await answer(chat, "interrupted");
    assert.ok(text.startsWith(lastShown(old)) && lastShown(old).length >= 100, text);
    await decide("Keep", text, inChat);
  });

  it("offers an answer interrupted by the end of the server", async function () {
    this.timeout(120_000);
    await streamUntil("Tell me the rest", 100);
    const hosts = extensionHostPids(session.server);
    await session.server.kill();
    for (const pid of hosts.filter(isAlive)) process.kill(pid, "SIGKILL");
    await session.restartServer();
    await Promise.all([
      page.waitForEvent("domcontentloaded"),
      dialog(page)
        .getByRole("button", { name: /Reload/ })
        .click(),
    ]);
    chat = await openChat(page);
    const text = await expectOffered();
    await decide("Continue", text, inChat);
    await picture(page, "recovery-after-all");
  });
});
