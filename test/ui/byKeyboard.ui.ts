import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { writeFiles } from "../support/filesOnDisk.ts";
import { answer, composer, hasKeyboard, messages, newConversation, send } from "./support/chat.ts";
import { goTo } from "./support/keyboard.ts";
import { openLightBulb } from "./support/lightBulb.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import {
  acceptFocused,
  closePicker,
  dialog,
  entries,
  nameFile,
  quickInput,
  takeFromMenu,
} from "./support/workbench.ts";

const limits = { contextWindow: 32_000, maxOutput: 8_000 };
const code = "In src/tides.ts:\n\n```ts src/tides.ts\nexport const high = 3;\n```\n\n```sh\necho one\n```";

describe("by keyboard", () => {
  let page: Page;
  let chat: Frame;
  const settings = { "chat.disableAIFeatures": false, "editor.lightbulb.enabled": "on" };
  const models = ["house-model", "other-model"].map((id) => ({ id, ...limits }));
  const session = useModelSession("by-keyboard", settings, { models });
  before(async function () {
    this.timeout(120_000);
    writeFiles(session.server.workspace, { "src/tides.ts": "export const high = 2;\nexport const low = 5;\n" });
    ({ page, chat } = await session.openChat());
  });
  beforeEach(async () => {
    session.models.reset();
    if ((await messages(chat).count()) > 0) await newConversation(page, chat);
  });

  const button = (name: string | RegExp): Locator => chat.getByRole("button", { name }).last();
  const ask = async (text: string): Promise<void> => {
    session.models.script({ match: "Show me", answer: { text } });
    await send(chat, "Show me.");
    await answer(chat);
  };
  const openFile = async (name: string): Promise<void> => {
    await page.keyboard.press("Control+p");
    await quickInput(page).locator("input").first().fill(name);
    await entries(page, name).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: name }).waitFor();
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
  };
  /** Closes the open picker or dialog by Escape. */
  const turnAway = async (): Promise<void> => {
    const asking = page.locator(".quick-input-widget, .monaco-dialog-box").filter({ visible: true });
    await asking.first().waitFor();
    await page.keyboard.press("Escape");
    await asking.first().waitFor({ state: "hidden" });
  };
  const clipboardIs = async (text: string): Promise<void> => {
    const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    const isThere = await until(async () => ((await read()) === text ? true : undefined));
    assert.ok(isThere, `the clipboard holds ${await read()}`);
  };
  const copyByMenu = async (entry: string): Promise<void> => {
    await page.evaluate(() => navigator.clipboard.writeText("nothing yet"));
    await takeFromMenu(page, entry);
  };

  it("copies a message or the selection by the editor's context menu, which the menu key opens, too", async () => {
    await ask("Some **bold** words.");
    const newest = messages(chat, "assistant").last();
    await newest.click({ button: "right" });
    await copyByMenu("Copy Message");
    await clipboardIs("Some **bold** words.");
    await newest.locator("strong").selectText();
    await newest.locator("strong").click({ button: "right" });
    await copyByMenu("Copy");
    await clipboardIs("bold");
    const erase = page.locator(".monaco-menu .action-item", { hasText: "Erase Message" });
    const isOpen = await until(async () => {
      await newest.focus(); // the previous menu may restore its focus late
      await hasKeyboard(chat, newest);
      await page.keyboard.press("Shift+F10");
      return erase.waitFor({ timeout: 1_000 }).then(
        () => true,
        () => undefined,
      );
    });
    assert.ok(isOpen, "the menu key opened no menu");
    await page.keyboard.press("Escape");
    await hasKeyboard(chat, newest);
  });

  it("chooses from the light bulb, and keeps the focus in the file", async () => {
    session.models.script({ match: "Explain this code", answer: { text: "Two tides." } });
    await openFile("tides.ts");
    const entry = await openLightBulb(page, "Explain with Forge", () => page.keyboard.press("Control+a"));
    await page.keyboard.press("End");
    for (let press = 0; press < 30 && (await entry.and(page.locator(".focused")).count()) === 0; press++)
      await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    assert.equal(await answer(chat), "Two tides.");
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
  });

  it("moves between the file and the chat by the chat's shortcut", async () => {
    await openFile("tides.ts");
    await page.keyboard.press("Control+Alt+Shift+f");
    await hasKeyboard(chat, composer(chat));
    const isBack = await until(async () => {
      await page.keyboard.press("Control+Alt+Shift+f");
      const file = page.locator(".editor-instance .monaco-editor.focused");
      return file.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => undefined, // the editor does not know yet where the focus is
      );
    });
    assert.ok(isBack);
  });

  it("reaches and runs each action of a code block", async () => {
    await ask(code);
    await composer(chat).focus();
    await goTo(page, chat, "Shift+Tab", "Copy code");
    await page.keyboard.press("Enter");
    await clipboardIs("echo one");
    await hasKeyboard(chat, button("Copied"));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await dialog(page).getByText("echo one").waitFor();
    await turnAway();
    await hasKeyboard(chat, button("Run in terminal"));
    const bar = chat.getByRole("toolbar").filter({ has: button("Apply to src/tides.ts") });
    await bar.getByRole("button", { name: "Insert at cursor" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: "Untitled-1" }).waitFor();
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete"); // an empty untitled file closes without a question
    await bar.getByRole("button", { name: "Insert at cursor" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.locator(".editor-instance .view-lines", { hasText: "high = 3" }).first().waitFor();
    await button("Apply to src/tides.ts").focus();
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "src/tides.ts (proposed edit)" }).waitFor();
    await picture(page, "by-keyboard-code");
  });

  it("returns the focus to the control that opened a dialog when the dialog is cancelled", async function () {
    this.timeout(180_000);
    await openFile("tides.ts");
    await ask("Well.");
    const inMenu = (name: string) => async (): Promise<void> => {
      const more = messages(chat, "assistant").last().getByRole("button", { name: "More actions" });
      await more.focus();
      await page.keyboard.press("Enter");
      await chat.getByRole("menuitem", { name }).focus();
      await page.keyboard.press("Enter");
    };
    for (const name of ["Answer with another model", "Erase"]) {
      await inMenu(name)();
      await turnAway();
      await hasKeyboard(chat, messages(chat, "assistant").last().getByRole("button", { name: "More actions" }));
    }
    await composer(chat).fill("/export");
    await composer(chat).press("Enter");
    await turnAway();
    await hasKeyboard(chat, composer(chat));
  });

  it("returns the focus when a picker is answered, and does not take it back during a long export", async () => {
    await ask("Well.");
    const file = path.join(session.server.workspace, "slow.forge.json");
    execFileSync("mkfifo", [`${file}.unfinished`]); // blocks the writer until it is read
    await composer(chat).fill("/export");
    await composer(chat).press("Enter");
    await acceptFocused(page, "Complete, can be imported again");
    await nameFile(page, "Export Conversation", file);
    await hasKeyboard(chat, composer(chat));
    await page.keyboard.press("F1");
    const palette = quickInput(page).locator("input").first();
    await palette.waitFor();
    await readFile(`${file}.unfinished`);
    await chat.locator(".banner", { hasText: "slow.forge.json" }).waitFor();
    await page.keyboard.type("Forge: Exp");
    assert.equal(await palette.inputValue(), ">Forge: Exp");
    await closePicker(page);
  });
});

describe("by keyboard, without a model", () => {
  const session = useModelSession("by-keyboard-offline", {}, { isUnknown: true });

  it("returns the focus to the connection button whose picker was cancelled", async () => {
    writeFiles(session.server.workspace, { "tides.ts": "export const high = 2;\n" });
    const { page, chat } = await session.openChat();
    await page.keyboard.press("Control+p");
    await quickInput(page).locator("input").first().fill("tides.ts");
    await entries(page, "tides.ts").first().click();
    await page.locator(".tab.active", { hasText: "tides.ts" }).waitFor();
    for (const way of await chat.locator(".way").all()) {
      const words = await way.innerText();
      if (words.startsWith("Use the editor")) continue; // asks nothing when the editor has no models
      await way.focus();
      await page.keyboard.press("Enter");
      await quickInput(page).waitFor();
      await page.keyboard.press("Escape");
      await quickInput(page).waitFor({ state: "hidden" });
      await hasKeyboard(chat, way);
    }
  });

  it("closes the address box while a server is being checked, and returns the focus", async () => {
    const { page, chat } = await session.openChat();
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const way = chat.getByRole("button", { name: /^Use a local server/ });
    await way.press("Enter");
    const box = quickInput(page).locator("input").first();
    await box.fill(`http://127.0.0.1:${port}/v1`);
    await Promise.all([once(silent, "connection"), box.press("Enter")]);
    await page.keyboard.press("Escape");
    await hasKeyboard(chat, way);
    silent.close();
  });
});
