/** Two machines: two servers with two data folders, and a folder that both can reach. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../scripts/vscode/until.ts";
import { messages, narrowSideBar, newConversation, openExisting, openList, press } from "./support/chat.ts";
import { useModelSession, type ChatWindow, type ModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";
import { filesWith } from "./support/storedFiles.ts";
import { chooseReplicaFolder, makeReplicaSecrets, REPLICA_COMMAND } from "./support/replicaWizard.ts";
import { answerInput, closePicker, dialog, entries, pick, quickInput, runCommand, toast } from "./support/workbench.ts";

const PASSPHRASE = "seven grey herons by the lock";
/** Of the guide: shown on the other machine within that time. */
const SHOWN_MS = 30_000;

describe("conversations on several machines", function () {
  this.timeout(180_000);
  const settings = { "forge.provider": "openaiCompatible", "window.confirmBeforeClose": "never" };
  const desktop = useModelSession("replica-desktop", settings);
  const laptop = useModelSession("replica-laptop", settings);
  const shared = mkdtempSync(path.join(tmpdir(), "forge-shared-"));
  const place = path.join(shared, "Forge");
  let here: ChatWindow;
  let there: ChatWindow;

  before(async () => {
    mkdirSync(place);
    here = await desktop.openChat();
    there = await laptop.openChat();
  });
  after(() => {
    rmSync(shared, { recursive: true, force: true });
  });

  async function agree({ page }: ChatWindow, name: string): Promise<void> {
    await dialog(page).getByText("All is encrypted on this machine before it leaves").waitFor();
    await picture(page, name);
    await dialog(page).getByRole("button", { name: "Begin" }).click();
    await toast(page, "Conversations are kept in").waitFor();
  }

  async function connect(window: ChatWindow, name: string): Promise<void> {
    await chooseReplicaFolder(window.page, place, name);
    await quickInput(window.page).getByText("Enter its passphrase, or its recovery code").waitFor();
    await answerInput(window.page, PASSPHRASE);
    await agree(window, `replica-agree-${name}`);
  }

  async function sees(window: ChatWindow, text: string): Promise<void> {
    await window.chat.getByText(text).first().waitFor({ timeout: SHOWN_MS });
  }

  async function openWhenListed({ page }: ChatWindow, title: string): Promise<void> {
    const isListed = await until(async () => {
      await openList(page);
      const count = await entries(page, title).count();
      await closePicker(page);
      return count > 0 ? true : undefined;
    }, SHOWN_MS);
    assert.equal(isListed, true, `${title} is not in the list`);
    await openExisting(page, title);
  }

  it("are set up in a minute, and a conversation goes on on the other machine, and here again", async () => {
    await desktop.talk(here.chat, "Where do herons sleep?");
    await chooseReplicaFolder(here.page, place, "desktop");
    await makeReplicaSecrets(here.page, PASSPHRASE);
    await agree(here, "replica-agree-desktop");
    await connect(there, "laptop");
    await openWhenListed(there, "Where do herons sleep?");
    await sees(there, "About: Where do herons sleep?");
    await laptop.talk(there.chat, "And what do they eat?");
    await sees(here, "About: And what do they eat?");
    await sees(here, "Continued on “laptop”");
    await picture(here.page, "replica-continued");
    assert.deepEqual(filesWith(place, "herons"), []);
  });

  it("have both tails after both machines went on without the folder", async () => {
    const away = `${place} (away)`;
    renameSync(place, away);
    await desktop.talk(here.chat, "On the desktop alone?");
    await laptop.talk(there.chat, "On the laptop alone?");
    const isAway = "is not there, or what was put there is not";
    for (const window of [here, there]) await sees(window, isAway);
    await picture(here.page, "replica-away");
    renameSync(away, place);
    for (const window of [here, there]) {
      await runCommand(window.page, REPLICA_COMMAND);
      await pick(window.page, "Check Now");
    }
    await sees(here, "Another version from “laptop”");
    for (const { chat } of [here, there]) await chat.getByText(isAway).waitFor({ state: "detached" });
    await narrowSideBar(here.page);
    await inEachPicture(here.page, async (end) => {
      await picture(here.page, `replica-version-${end}`);
    });
    assert.equal(await messages(here.chat, "assistant").getByText("About: On the desktop alone?").count(), 1);
    assert.equal(await here.chat.getByText("On the laptop alone?").count(), 0);
    await press(here.chat, "Show it");
    await sees(here, "About: On the laptop alone?");
  });

  it("lose an erased message on the other machine, too", async () => {
    await newConversation(here.page, here.chat);
    await desktop.talk(here.chat, "My number is heron-4711-lake.");
    await openWhenListed(there, "My number is heron-4711-lake.");
    await sees(there, "About: My number is heron-4711-lake.");
    await runCommand(here.page, "Forge: Erase Message for Good…");
    await pick(here.page, "My number is heron-4711-lake.");
    await dialog(here.page).getByRole("button", { name: "Erase for Good" }).click();
    await sees(there, "[Erased by the user]");
    await picture(there.page, "replica-erased");
  });

  it("are back after everything on a machine was thrown away", async function () {
    this.timeout(240_000);
    await there.page.close();
    await laptop.server.stop();
    const folder = laptop.server.globalStorage("forge-chat.forge");
    const isGone = await until(async () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      await sleep(1_000); // an extension host that is still ending may write once more
      return existsSync(folder) ? undefined : true;
    });
    assert.equal(isGone, true);
    await laptop.restartServer();
    there = await laptop.openChat();
    await openList(there.page);
    assert.equal(await entries(there.page, "Where do herons sleep?").count(), 0);
    await closePicker(there.page);
    await connect(there, "container");
    await openWhenListed(there, "Where do herons sleep?");
    await sees(there, "About: Where do herons sleep?");
    await picture(there.page, "replica-back");
  });

  it("of a project are found after its folder was renamed", async () => {
    const before = path.join(shared, "herons");
    mkdirSync(path.join(before, ".git"), { recursive: true });
    const remote = '[remote "origin"]\n\turl = https://example.org/birds/herons.git\n';
    writeFileSync(path.join(before, ".git", "config"), remote);
    writeFileSync(path.join(before, ".git", "HEAD"), "ref: refs/heads/main\n");
    await talkIn(desktop, before, "Of the project of herons?");
    const after = path.join(shared, "grey-herons");
    renameSync(before, after);
    const window = await desktop.openChat({ folder: after });
    await openList(window.page);
    await quickInput(window.page).getByRole("button", { name: "Show those of this project only" }).click();
    await entries(window.page, "Of the project of herons?").waitFor();
    await entries(window.page, "Where do herons sleep?").waitFor({ state: "detached" });
    await picture(window.page, "replica-project");
    await closePicker(window.page);
  });

  async function talkIn(session: ModelSession, folder: string, text: string): Promise<void> {
    const window = await session.openChat({ folder });
    await newConversation(window.page, window.chat);
    await session.talk(window.chat, text);
    await window.page.close();
  }
});
