import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { filesWith } from "./support/storedFiles.ts";
import { answerTitled, chooseReplicaFolder, makeReplicaSecrets, REPLICA_COMMAND } from "./support/replicaWizard.ts";
import { closePicker, dialog, entries, pick, quickInput, runCommand, toast } from "./support/workbench.ts";

const PASSPHRASE = "correct horse battery staple";

describe("the replica in the editor", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("replica", { "forge.provider": "openaiCompatible" });
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  it("is set up with a folder, has a menu, and is stopped", async function () {
    this.timeout(240_000);
    await session.talk(chat, "The heron stands in the shallows.");
    const folder = path.join(session.server.runDirectory, "Dropbox");
    mkdirSync(folder);
    await chooseReplicaFolder(page, folder, "desktop");
    await answerTitled(page, "Forge: New Passphrase", "too short");
    await quickInput(page).getByText("Too short: 12 characters at least").waitFor();
    await picture(page, "replica-passphrase");
    await makeReplicaSecrets(page, PASSPHRASE);
    await dialog(page).getByText("Send the conversation").waitFor();
    await picture(page, "replica-consent");
    assert.deepEqual(readdirSync(folder), ["probe"], "nothing was sent before");
    await dialog(page).getByRole("button", { name: "Begin" }).click();
    await toast(page, "Conversations are kept in").waitFor();
    const storage = session.server.globalStorage("forge-chat.forge");
    const setup: unknown = JSON.parse(readFileSync(path.join(storage, "replica", "setup.json"), "utf8"));
    assert.equal((setup as { readonly machine: string }).machine, "desktop");
    assert.equal(readdirSync(path.join(folder, "root")).length, 2);
    await runCommand(page, REPLICA_COMMAND);
    await entries(page, "Take Away a Lost Machine's Access").waitFor();
    await picture(page, "replica-menu");
    await closePicker(page);
    await runCommand(page, REPLICA_COMMAND);
    await pick(page, "keeps everything here and there");
    await toast(page, "Stopped. Your conversations are on this machine").waitFor();
    assert.equal(readdirSync(path.join(storage, "replica")).includes("setup.json"), false);
    assert.deepEqual([filesWith(folder, "heron"), filesWith(folder, "staple")], [[], []]);
  });
});
