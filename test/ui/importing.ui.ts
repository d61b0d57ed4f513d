/** Importing a folder of other tools' conversations by keyboard, again a week later, and keeping it. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { writeToolFile } from "../support/toolFiles.ts";
import { messages, openExisting } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";
import {
  acceptFocused,
  closePicker,
  dialog,
  entries,
  filterPicker,
  nameFile,
  quickInput,
  runCommand,
} from "./support/workbench.ts";

const IMPORT = "Import Conversations";

describe("importing from other tools", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("importing", { "forge.provider": "openaiCompatible" });
  before(async function () {
    this.timeout(120_000);
    ({ page, chat } = await session.openChat());
  });

  const at = (...names: readonly string[]): string => path.join(session.server.workspace, "tools", ...names);
  const banner = (text: string | RegExp): Locator => chat.locator(".banner", { hasText: text });
  const write = (...more: readonly string[]): void => {
    writeToolFile(at("claude", "s1.jsonl"), "claudeCode", "s1", "When is high water?", "At noon.", ...more);
  };
  /** Label, description and tool of each line, as a screen reader has them. */
  const lines = async (chosen: boolean): Promise<readonly string[]> => {
    const all = await entries(page, /new|here|damaged/).all();
    const read = all.map(async (line) => {
      const isChosen = await line.getByRole("checkbox").first().isChecked();
      return isChosen === chosen ? [((await line.getAttribute("aria-label")) ?? "").replace(/ · \d.*/, "")] : [];
    });
    return (await Promise.all(read)).flat();
  };
  const list = quickInputOf(/^Choose what to import or to keep/);

  function quickInputOf(placeholder: RegExp): () => Locator {
    return () => quickInput(page).getByPlaceholder(placeholder);
  }

  /** By keyboard, from the palette to the list. */
  async function openFolderList(): Promise<void> {
    await runCommand(page, `Forge: ${IMPORT}…`);
    await filterPicker(page, /^Import conversations of Forge/, "folder");
    await acceptFocused(page, "Choose a folder…");
    await nameFile(page, IMPORT, at());
    await list().waitFor();
    await entries(page, /Kept from here|Keep what appears here/)
      .first()
      .waitFor();
  }

  /** By keyboard: only the lines that have the words are toggled. */
  async function toggle(words: string): Promise<void> {
    await list().fill(words);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await list().fill("");
  }

  it("imports three formats of a folder, and names the damaged file", async () => {
    write();
    writeToolFile(at("codex", "rollout-1.jsonl"), "codex", "c1", "Which harbour is deep?", "The old one.");
    writeToolFile(at("gemini", "chat.json"), "geminiCli", "g1", "Why is it salty?", "Rivers.");
    writeFileSync(at("broken.jsonl"), "\u0000\u0001 no line of anything");
    await openFolderList();
    assert.deepEqual((await lines(true)).toSorted(), [
      "When is high water?, new · tides",
      "Which harbour is deep?, new · harbour",
      "Why is it salty?, new",
      "broken.jsonl, damaged, or no conversation",
    ]);
    await page.keyboard.press("Enter");
    const done = banner("3 imported, 1 could not be read. broken.jsonl is not JSON, or a part of it is missing.");
    await done.getByText("All files are as they were, and what was imported is safe").waitFor();
    await picture(page, "importing-done");
    await openExisting(page, "Which harbour is deep?");
    await messages(chat).getByText("The old one.").waitFor();
  });

  it("a week later adds what is new, and nothing twice", async () => {
    write("And low water?", "At six.");
    writeToolFile(at("gemini", "other.json"), "geminiCli", "g2", "How deep is it?", "Very.");
    await inEachPicture(page, async (end) => {
      await openFolderList();
      await picture(page, `importing-list-${end}`);
      await closePicker(page);
    });
    await openFolderList();
    assert.deepEqual((await lines(true)).toSorted(), [
      "How deep is it?, new",
      "When is high water?, already here, 2 new messages · tides",
      "broken.jsonl, damaged, or no conversation",
    ]);
    assert.deepEqual((await lines(false)).toSorted(), [
      "Which harbour is deep?, already here · harbour",
      "Why is it salty?, already here",
      `eye  Keep what appears here, ${at()}, The chosen folder`,
    ]);
    await page.keyboard.press("Enter");
    await banner("1 imported, 1 brought up to date, 1 could not be read.").waitFor();
    await openExisting(page, "When is high water?");
    await messages(chat).getByText("At six.").waitFor();
    assert.equal(await messages(chat).count(), 4);
  });

  it("keeps what appears in the folder, says so in the list, and stops", async function () {
    this.timeout(180_000);
    await openFolderList();
    await toggle("broken");
    await toggle("Keep what");
    await page.keyboard.press("Enter");
    await dialog(page).getByText("Keep what appears in these folders?").waitFor();
    await picture(page, "importing-keep");
    await page.keyboard.press("Enter");
    await banner(`Forge keeps what appears in ${at()}.`).waitFor();
    const said = ["And low water?", "At six.", "And at night?", "At two.", "And at dawn?", "At seven."];
    for (const count of [4, 6]) {
      write(...said.slice(0, count)); // the second time it is watched
      await messages(chat)
        .getByText(said[count - 1] ?? "", { exact: true })
        .waitFor({ timeout: 60_000 });
      assert.equal(await messages(chat).count(), 2 + count);
    }
    await openFolderList();
    assert.match((await lines(true)).join(), /Kept from here; clear this line to stop keeping, \d+ \w+ 20\d\d/);
    await picture(page, "importing-kept");
    await toggle("broken");
    await toggle("Kept from here");
    await page.keyboard.press("Enter");
    await banner(`What appears in ${at()} is no longer kept; what was imported stays.`).waitFor();
    await picture(page, "importing-stopped");
  });
});
