/** What a user does with, and sees of, the workbench around Forge. */

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { testDirectory } from "../../../scripts/vscode/nodeRuntime.mjs";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";
import { extensionHostPids } from "./processes.ts";

/** Runs a command through the palette, by its whole title: "Forge: Switch Model". */
export async function runCommand(page: Page, title: string): Promise<void> {
  await quickInput(page).waitFor({ state: "hidden" }); // an earlier one takes a moment to close
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(`>${title}`);
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
  await row.click(); // the palette may have put another one first
}

/** The box that the palette, pickers and input boxes share. */
export function quickInput(page: Page): Locator {
  return page.locator(".quick-input-widget");
}

/** Takes the entry of the open picker that holds `text`. */
export async function pick(page: Page, text: string): Promise<void> {
  await page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
}

/** Presses a button of the entry that holds `text`, in the open picker. */
export async function pressInEntry(page: Page, text: string, button: string): Promise<void> {
  const entry = page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
  await entry.hover();
  await entry.getByRole("button", { name: button, exact: true }).click();
}

/** The entries of the open picker that hold `text`. */
export function entries(page: Page, text: string | RegExp): Locator {
  return page.locator(".quick-input-list .monaco-list-row", { hasText: text });
}

/** Types into the open input box and accepts it. */
export async function answerInput(page: Page, text: string): Promise<void> {
  const input = quickInput(page).locator("input").first();
  await input.waitFor();
  await input.fill(text);
  await page.keyboard.press("Enter");
}

/** A status bar item; `id` is that given to `createStatusBarItem`, after the extension's own: `forge-chat.forge.ID`. */
export function statusBarItem(page: Page, id: string): Locator {
  return page.locator(`[id="${id}"]`);
}

/** The notification toast that shows `text`. */
export function toast(page: Page, text: string): Locator {
  return page.locator(".notifications-toasts .notification-list-item", { hasText: text });
}

/** The modal dialog that the workbench shows. */
export function dialog(page: Page): Locator {
  return page.locator(".monaco-dialog-box");
}

/**
 * Waits for the extension host that follows a killed one. VS Code starts it by itself, or, from the third crash within
 * five minutes on, asks first; then the user says yes.
 */
export async function nextExtensionHost(page: Page, server: EditorServer, killedPid: number): Promise<number> {
  const restart = page.getByRole("button", { name: /Restart (Remote )?Extension Host/ }).first();
  const next = await until(async () => {
    if (await restart.isVisible()) await restart.click();
    return extensionHostPids(server).find((pid) => pid !== killedPid);
  }, windowTimeoutMs);
  if (next === undefined) throw new Error("no extension host followed the killed one");
  return next;
}

/** The frame of the webview that holds `selector`; throws when no frame does within `timeoutMs`. */
export async function webviewFrame(page: Page, selector: string, timeoutMs = 30_000): Promise<Frame> {
  const holds = (frame: Frame): Promise<boolean> =>
    frame.$(selector).then(
      (element) => element !== null,
      () => false, // the frame went away meanwhile
    );
  const found = await until(async () => {
    for (const frame of page.frames()) {
      if (frame !== page.mainFrame() && (await holds(frame))) return frame;
    }
    return undefined;
  }, timeoutMs);
  if (found !== undefined) return found;
  const addresses = page.frames().map((frame) => frame.url());
  throw new Error(`no webview holds ${selector}; frames: ${addresses.join(" | ")}`);
}

/** Saves `.vscode-test/screenshots/NAME.png`, without half-done animations, and returns its path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const directory = path.join(testDirectory, "screenshots");
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled" });
  return file;
}
