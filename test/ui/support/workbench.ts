/** What a user does with, and sees of, the workbench around Forge. */

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { testDirectory } from "../../../scripts/vscode/nodeRuntime.mjs";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";
import { extensionHostPids } from "./processes.ts";

/** How long one try to open something may take before it is tried again. */
const tryMs = 5_000;

/** The entries of the picker that is open; one that closes still shows its own for a moment. */
const entrySelector = ".quick-input-widget:not(.quick-input-widget-closing) .quick-input-list .monaco-list-row";

/** Runs a command through the palette, by its whole title: "Forge: Switch Model". Waits until the palette is gone. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await quickInput(page).waitFor({ state: "hidden" }); // an earlier one takes a moment to close
  const input = inputOf(page);
  const name = page.locator(".label-name", { has: page.locator(".highlight") }).getByText(title, { exact: true });
  const entry = page.locator(entrySelector, { has: name }).first();
  const isTaken = await until(async () => {
    // A key is lost where the focus is in a page that goes away, and so is what is typed before the palette is ready.
    if (!(await input.isVisible())) await page.keyboard.press("F1");
    if (!(await comesUp(input))) return undefined;
    // One that was on its way out is seen once more, and gone by now.
    if (!(await isDone(input.fill(`>${title}`, { timeout: tryMs })))) return undefined;
    if (!(await comesUp(entry))) return undefined;
    // The palette may have put another one first, or close before the click as something else takes the focus.
    return (await isDone(entry.click({ timeout: tryMs }))) ? true : undefined;
  }, windowTimeoutMs);
  if (isTaken === undefined) throw new Error(`the palette does not list ${title}`);
  await entry.waitFor({ state: "hidden" });
}

/** The box that the palette, pickers and input boxes share. */
export function quickInput(page: Page): Locator {
  return page.locator(".quick-input-widget");
}

/** Takes the entry of the open picker that holds `text`. */
export async function pick(page: Page, text: string): Promise<void> {
  await entries(page, text).first().click();
}

/** Accepts with the keyboard the entry of the open picker that holds `text`, once that is the one in focus. */
export async function acceptFocused(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(`${entrySelector}.focused`, { hasText: text }).waitFor();
  await inputOf(page).press("Enter");
}

/** Presses a button of the entry that holds `text`, in the open picker. */
export async function pressInEntry(page: Page, text: string, button: string): Promise<void> {
  const entry = entries(page, text).first();
  await entry.hover();
  await entry.getByRole("button", { name: button, exact: true }).click();
}

/** The entries of the open picker that hold `text`. */
export function entries(page: Page, text: string | RegExp): Locator {
  return page.locator(entrySelector, { hasText: text });
}

/** Types into the open picker in place of what is there; `placeholder` tells it from one that is on its way out. */
export async function filterPicker(page: Page, placeholder: string | RegExp, text: string): Promise<void> {
  await quickInput(page).getByPlaceholder(placeholder).fill(text);
}

/** Turns the picker or input box away, and waits until it is gone. */
export async function closePicker(page: Page): Promise<void> {
  await inputOf(page).press("Escape");
  await quickInput(page).waitFor({ state: "hidden" });
}

/** Has the workbench take the colour theme of this name, and waits until it and what it shows have its colours. */
export async function chooseTheme(page: Page, theme: string): Promise<void> {
  await runCommand(page, "Preferences: Color Theme");
  await filterPicker(page, /^Select Color Theme/, theme);
  await pick(page, theme);
  await quickInput(page).waitFor({ state: "hidden" });
  const isLight = theme.includes("Light");
  const isHighContrast = theme.includes("High Contrast");
  const kind = isHighContrast ? (isLight ? "hc-light" : "hc-black") : isLight ? "vs" : "vs-dark";
  await page.locator(`.monaco-workbench.${kind}`).first().waitFor();
  const bodyClass = isHighContrast
    ? `vscode-high-contrast${isLight ? "-light" : ""}`
    : `vscode-${isLight ? "light" : "dark"}`;
  await webviewFrame(page, `body.${bodyClass}`);
}

/** Waits for an input box, types into it and accepts it. A picker, which shares its field with it, does not count. */
export async function answerInput(page: Page, text: string): Promise<void> {
  const box = page.locator(".quick-input-widget:not(.quick-input-widget-closing)");
  const isThere = await until(async () => {
    const isBox = (await box.isVisible()) && !(await box.locator(".quick-input-list").isVisible());
    return isBox ? true : undefined;
  });
  if (isThere === undefined) throw new Error(`no input box came for ${text}`);
  await inputOf(page).fill(text);
  await inputOf(page).press("Enter");
}

/** Waits for a file dialog with this title, and answers it with a file's whole path. */
export async function nameFile(page: Page, title: string, file: string): Promise<void> {
  await quickInput(page).getByText(title, { exact: true }).waitFor();
  // It lists a folder first, and then puts a path of its own into its field, in place of what was typed before.
  await until(async () => {
    const isListing = (await quickInput(page).locator(".monaco-progress-container.active").count()) > 0;
    const isReady = !isListing && (await quickInput(page).locator(".monaco-list-row").count()) > 0;
    return isReady && (await inputOf(page).inputValue()) !== "" ? true : undefined;
  });
  const isAnswered = await until(async () => {
    await inputOf(page).fill(file);
    await inputOf(page).press("Enter"); // not taken while the dialog still lists a folder
    return quickInput(page)
      .waitFor({ state: "hidden", timeout: 1_000 })
      .then(
        () => true,
        () => undefined,
      );
  });
  if (isAnswered === undefined) throw new Error(`the dialog does not take ${file}`);
}

/** The field of the picker or input box. */
function inputOf(page: Page): Locator {
  return quickInput(page).locator("input:not([type=checkbox])").first();
}

/** Whether it is to be seen within the time of one try. */
function comesUp(locator: Locator): Promise<boolean> {
  return isDone(locator.waitFor({ timeout: tryMs }));
}

function isDone(attempt: Promise<void>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
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

/** Takes an entry of the editor's menu that is coming up. */
export async function takeFromMenu(page: Page, entry: string): Promise<void> {
  const line = page.locator(".monaco-menu .action-item", { hasText: entry }).first();
  await line.waitFor();
  // It takes no click for a moment after it came up.
  const isTaken = await until(async () => {
    await line.click();
    return line.waitFor({ state: "hidden", timeout: 1_000 }).then(
      () => true,
      () => undefined,
    );
  });
  if (isTaken === undefined) throw new Error(`${entry} was not taken`);
}
