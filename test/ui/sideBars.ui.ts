/** The chat in the secondary side bar, where a person moves it by a command, and back. */

import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./support/browser.ts";
import { answer, composer, messages, openChat, send, usageItem } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";
import { storedState } from "./support/storedState.ts";
import { runCommand, webviewFrame } from "./support/workbench.ts";

describe("side bars", function () {
  this.timeout(120_000);
  let page: Page;
  let chat: Frame;

  const session = useModelSession("side-bars");
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  const secondary = (): Locator => page.locator(".part.auxiliarybar");
  /** The page of the chat, once this part of the window shows it. */
  async function shownIn(part: "sidebar" | "auxiliarybar"): Promise<Frame> {
    const found = await until(async () => {
      const frame = await webviewFrame(page, 'textarea[aria-label="Message Forge"]', windowTimeoutMs);
      const [text, area] = [await boxOf(composer(frame)), await boxOf(page.locator(`.part.${part}`))];
      if (text === null || area === null) return undefined;
      return text.x >= area.x && text.x + text.width <= area.x + area.width ? frame : undefined;
    });
    assert.ok(found, `the chat is not shown in ${part}`);
    return found;
  }
  const icon = (): Locator => page.locator('.activitybar .action-label[aria-label^="Forge"]').filter({ visible: true });
  /** The editor draws its bars again some time after what was moved, or opened. */
  async function hasIcons(count: number): Promise<void> {
    await until(async () => ((await icon().count()) === count ? true : undefined));
    assert.equal(await icon().count(), count);
  }

  it("show the chat in the primary one, until a command moves it, with its draft and an answer that goes on", async () => {
    await hasIcons(1);
    await secondary().waitFor({ state: "hidden" });
    const text = "The tide is high at noon. ".repeat(8);
    session.models.script({ answer: { text }, fault: { kind: "pause", afterPieces: 5 } });
    await send(chat, "When is it high?");
    await messages(chat, "assistant", "streaming").waitFor();
    await composer(chat).fill("And when is it low?");
    await chat.getByText(/^\+\d+ tokens/).waitFor();
    await runCommand(page, "Forge: Move the Chat to the Secondary Side Bar");
    chat = await shownIn("auxiliarybar");
    assert.equal(await composer(chat).inputValue(), "And when is it low?");
    await hasIcons(0);
    session.models.goOn();
    assert.equal(await answer(chat), text.trim());
    await inEachPicture(page, async (name) => {
      await picture(page, `side-bar-secondary-${name}`);
    });
  });

  it("have it where it was left after a reload, and commands find it there", async () => {
    await until(async () => {
      const state = await storedState(page);
      const isMoved = state["views.customizations"]?.includes('"forge.chat"') === true;
      return isMoved && state["workbench.auxiliaryBar.hidden"] === "false" ? true : undefined;
    });
    await page.reload();
    chat = await shownIn("auxiliarybar");
    await usageItem(page).waitFor({ timeout: windowTimeoutMs });
    await runCommand(page, "Forge: Focus the Chat");
    await composer(chat).and(chat.locator(":focus")).waitFor();
    await hasIcons(0);
  });

  it("have it back in the primary one by the other command, from the menu of the view", async () => {
    await secondary().getByLabel("Views and More Actions...").first().click();
    await page.locator(".monaco-menu .action-item", { hasText: "Move the Chat" }).first().waitFor();
    await picture(page, "side-bar-menu");
    await page.keyboard.press("Escape");
    await runCommand(page, "Forge: Move the Chat to the Primary Side Bar");
    chat = await shownIn("sidebar");
    await hasIcons(1);
    chat = await openChat(page);
  });
});

/** Null of what is not shown, or no longer there. */
async function boxOf(locator: Locator): Promise<{ readonly x: number; readonly width: number } | null> {
  return locator.boundingBox({ timeout: 1_000 }).catch(() => null);
}
