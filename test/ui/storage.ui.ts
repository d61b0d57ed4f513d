import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import {
  answer,
  beginEmpty,
  composer,
  messages,
  modelButton,
  openChat,
  openExisting,
  openView,
  press,
  seen,
  send,
  textOf,
} from "./support/chat.ts";
import { closeWindow } from "./support/closeWindow.ts";
import { picture } from "./support/pictures.ts";
import { expectProblem, noProblem, type ExpectedProblem } from "./support/problem.ts";
import { killExtensionHost } from "./support/processes.ts";
import { useModelSession } from "./support/modelSession.ts";
import { lastShown, watchAnswer } from "./support/shownText.ts";
import { fillUp, mountSmallDisk, unmount } from "./support/smallDisk.ts";
import { nextExtensionHost, quickInput, runCommand } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const sentences = longAnswer(70_000);
const diskBytes = 1_500_000;
const fillerBytes = 700_000;

describe("storage", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("storage", {
    "forge.provider": "openaiCompatible",
    "window.confirmBeforeClose": "never",
  });
  before(async function () {
    this.timeout(90_000);
    session.models.script({ match: "Tell me", answer: { text: sentences }, framing: { delayMs: 5 } });
    await openWindow();
    await talk("The first one");
  });

  const root = (): string => path.join(session.server.globalStorage("forge-chat.forge"), "conversations");

  async function openWindow(): Promise<void> {
    page = await session.openWindow();
    chat = await openChat(page);
  }

  const talk = (text: string): Promise<void> => session.talk(chat, text);

  /** Begins a conversation and returns its database file. */
  async function beginWith(text: string): Promise<string> {
    const before = readdirSync(root());
    await beginEmpty(page, chat);
    await talk(text);
    const [made, ...others] = readdirSync(root()).filter((name) => !before.includes(name));
    assert.ok(made !== undefined && others.length === 0, "one conversation was expected");
    return path.join(root(), made, "conversation.sqlite");
  }

  it("reports an open file that was removed, keeps the draft, and continues with another conversation", async () => {
    const file = await beginWith("To be removed");
    for (const name of sqliteFiles(path.dirname(file))) rmSync(path.join(path.dirname(file), name));
    await composer(chat).fill("Is it still there?");
    await press(chat, "Send");
    const gone = {
      text: "The file of this conversation is gone: it was removed or moved on the disk. Nothing new can be kept in it.",
      buttons: ["New conversation", "Open another"],
    };
    await expectProblem(chat, gone);
    assert.equal(await composer(chat).inputValue(), "Is it still there?");
    assert.equal(await messages(chat).count(), 2);
    await picture(page, "storage-removed");

    await chat.getByText(/^\+\d+ tokens/).waitFor(); // the host has the draft, though it could not be stored
    await press(chat, "New conversation");
    await noProblem(chat);
    await modelButton(chat).waitFor();
    assert.equal(await composer(chat).inputValue(), "Is it still there?");
    await talk("After the removal");
    await openExisting(page, "To be removed");
    await expectProblem(chat, gone);
    assert.deepEqual(sqliteFiles(path.dirname(file)), []);
    await openExisting(page, "After the removal");
    await seen(chat, "About: After the removal", { exact: true }).waitFor();
  });

  it("reports that its folder cannot be made, and tries again on request", async function () {
    this.timeout(120_000);
    await closeWindow(page, session.server);
    renameSync(root(), `${root()}-elsewhere`);
    writeFileSync(root(), "no folder");
    page = await session.openWindow();
    chat = await openView(page);
    const noFolder = (tried: string): ExpectedProblem => ({
      text: new RegExp(
        `^Forge cannot create its storage folder, so nothing can be saved\\. Stored data is safe\\. The system says: ENOTDIR.*${tried}.*conversations`,
      ),
      buttons: ["Try again", "Show log"],
    });
    await expectProblem(chat, noFolder("scandir"));
    await picture(page, "storage-no-folder");
    await runCommand(page, "Forge: New Conversation");
    await expectProblem(chat, noFolder("mkdir")); // otherwise it could replace the conversation opened below
    await composer(chat).fill("typed meanwhile");

    rmSync(root());
    renameSync(`${root()}-elsewhere`, root());
    await press(chat, "Try again");
    await noProblem(chat);
    assert.equal(await composer(chat).inputValue(), "typed meanwhile");
    await composer(chat).fill("");
    await talk("Stored again");
    await openExisting(page, "After the removal");
    await seen(chat, "About: After the removal", { exact: true }).waitFor();
  });

  describe("on a small disk", () => {
    let isMounted = false;
    const filler = (): string => path.join(root(), "filler");
    const full = {
      text: "The disk is full. Everything shown so far is safe. Free some space, then try again.",
      buttons: ["Try again"],
    };

    before(async function () {
      this.timeout(90_000);
      await closeWindow(page, session.server);
      renameSync(root(), `${root()}-elsewhere`);
      mkdirSync(root());
      const reason = mountSmallDisk(root(), diskBytes);
      if (reason !== undefined) {
        console.log(`      skipped, because a small disk cannot be mounted here: ${reason}`);
        this.skip();
      }
      isMounted = true;
      writeFileSync(filler(), Buffer.alloc(fillerBytes, 1));
      await openWindow();
    });
    after(async () => {
      if (!isMounted) return;
      await closeWindow(page, session.server);
      unmount(root());
    });

    it("stops an answer at the stored text when the disk is full, and continues once there is space", async () => {
      await watchAnswer(page, chat);
      await send(chat, "Tell me until the disk is full");
      await expectProblem(chat, full);
      const text = await answer(chat, "interrupted");
      assert.ok(lastShown(page).length > 100, `only "${lastShown(page)}" was shown`);
      assert.equal(text.slice(0, lastShown(page).length), lastShown(page));
      assert.equal(text, sentences.slice(0, text.length));
      await picture(page, "storage-full");

      // A small change may still fit into the database's own pages; this one surely does not.
      const draft = "Can you hear me? ".repeat(6000).trim();
      await composer(chat).fill(draft);
      await composer(chat).blur();
      rmSync(filler());
      await press(chat, "Try again");
      await noProblem(chat);
      assert.equal(await composer(chat).inputValue(), draft);
      await composer(chat).fill("");
      await press(chat, "Keep");
      await chat.getByRole("button", { name: "Keep", exact: true }).waitFor({ state: "detached" });
      await talk("Can you hear me now?");
      assert.equal(await textOf(messages(chat, "assistant", "interrupted")), text);
    });

    it("restores the shown text after a restart on a full disk", async () => {
      const shown = await textOf(messages(chat, "assistant", "interrupted"));
      fillUp(filler());
      const killed = await killExtensionHost(session.server);
      await nextExtensionHost(page, session.server, killed);
      chat = await openView(page);
      await expectProblem(chat, {
        text: "The disk is full. You can read and search this conversation; nothing new can be saved in it. Free some space, then try again.",
        buttons: ["Try again", "Open another"],
      });
      assert.equal(await textOf(messages(chat, "assistant", "interrupted")), shown);
      await picture(page, "storage-full-reading");
      rmSync(filler());
      await press(chat, "Try again");
      await noProblem(chat);
      assert.equal(await textOf(messages(chat, "assistant", "interrupted")), shown);
      await talk("Here again");
      await quickInput(page).waitFor({ state: "hidden" });
    });
  });
});

function sqliteFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith("conversation.sqlite"))
    .sort();
}
