import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { testDirectory } from "../../../scripts/vscode/nodeRuntime.mjs";
import type { EditorServer } from "../../../scripts/vscode/editorServer.ts";
import { until } from "../../../scripts/vscode/until.ts";
import { windowTimeoutMs } from "./browser.ts";
import { extensionHostPids } from "./processes.ts";

/** Longest duration of one attempt to open something. */
const tryMs = 5_000;

/** Entries of the open picker, without those of one that is closing. */
const entrySelector = ".quick-input-widget:not(.quick-input-widget-closing) .quick-input-list .monaco-list-row";

/** Runs a command through the palette by its full title: "Forge: Switch Model". Waits until the palette is closed. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await quickInput(page).waitFor({ state: "hidden" }); // an earlier one takes a moment to close
  const input = inputOf(page);
  const name = page.locator(".label-name", { has: page.locator(".highlight") }).getByText(title, { exact: true });
  const entry = page.locator(entrySelector, { has: name }).first();
  const isTaken = await until(async () => {
    // Keys are lost while a focused page is being removed, and before the palette is ready.
    if (!(await input.isVisible())) await page.keyboard.press("F1");
    if (!(await comesUp(input))) return undefined;
    // A closing palette may have been visible once more, and is gone by now.
    if (!(await isDone(input.fill(`>${title}`, { timeout: tryMs })))) return undefined;
    // One that was opened during the start of the window never lists what extensions bring.
    if (!(await comesUp(entry))) {
      await isDone(input.press("Escape", { timeout: tryMs }));
      return undefined;
    }
    // The palette may reorder its entries, or close before the click when something else takes the focus.
    return (await isDone(entry.click({ timeout: tryMs }))) ? true : undefined;
  }, windowTimeoutMs);
  if (isTaken === undefined) throw new Error(`the palette does not list ${title}`);
  await entry.waitFor({ state: "hidden" });
}

/** The widget shared by the palette, pickers and input boxes. */
export function quickInput(page: Page): Locator {
  return page.locator(".quick-input-widget");
}

/** Clicks the entry of the open picker that contains `text`. */
export async function pick(page: Page, text: string): Promise<void> {
  await entries(page, text).first().click();
}

/** Waits until the entry that contains `text` is focused, and accepts it by Enter. */
export async function acceptFocused(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(`${entrySelector}.focused`, { hasText: text }).waitFor();
  await inputOf(page).press("Enter");
}

/** Clicks a button of the entry that contains `text`. */
export async function pressInEntry(page: Page, text: string, button: string): Promise<void> {
  const entry = entries(page, text).first();
  await entry.hover();
  await entry.getByRole("button", { name: button, exact: true }).click();
}

/** Entries of the open picker that contain `text`. */
export function entries(page: Page, text: string | RegExp): Locator {
  return page.locator(entrySelector, { hasText: text });
}

/** Replaces the text of the open picker. `placeholder` distinguishes it from a closing one. */
export async function filterPicker(page: Page, placeholder: string | RegExp, text: string): Promise<void> {
  await quickInput(page).getByPlaceholder(placeholder).fill(text);
}

/** Closes the picker or input box by Escape, and waits until it is gone. */
export async function closePicker(page: Page): Promise<void> {
  await inputOf(page).press("Escape");
  await quickInput(page).waitFor({ state: "hidden" });
}

/** Switches the color theme, and waits until workbench and webviews have its colors. */
export async function chooseTheme(page: Page, theme: string): Promise<void> {
  const isChosen = await until(async () => {
    await runCommand(page, "Preferences: Color Theme");
    // It closes when an earlier picker gives the focus back late.
    const field = quickInput(page).getByPlaceholder(/^Select Color Theme/);
    if (!(await isDone(field.fill(theme, { timeout: tryMs })))) return undefined;
    return (await isDone(entries(page, theme).first().click({ timeout: tryMs }))) ? true : undefined;
  }, windowTimeoutMs);
  if (isChosen === undefined) throw new Error(`the theme ${theme} was not chosen`);
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

/** Waits for an input box, fills it and accepts it. Ignores pickers, which share its field. */
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

/** Waits for a file dialog with this title, and enters the absolute path `file`. */
export async function nameFile(page: Page, title: string, file: string): Promise<void> {
  await quickInput(page).getByText(title, { exact: true }).waitFor();
  // The dialog first lists a folder and then overwrites its field with that path.
  await until(async () => {
    const isListing = (await quickInput(page).locator(".monaco-progress-container.active").count()) > 0;
    const isReady = !isListing && (await quickInput(page).locator(".monaco-list-row").count()) > 0;
    return isReady && (await inputOf(page).inputValue()) !== "" ? true : undefined;
  });
  const button = quickInput(page).locator(".quick-input-action .monaco-button").first();
  let tries = 0;
  const isAnswered = await until(async () => {
    await inputOf(page).fill(file);
    // Enter is ignored while the dialog lists a folder, and once it has listed the folder of `file`, opens this instead.
    if (tries++ % 2 === 0) await inputOf(page).press("Enter");
    else await isDone(button.click({ timeout: 1_000 }));
    // What is asked next may come at once, in the same box.
    return quickInput(page)
      .getByText(title, { exact: true })
      .waitFor({ state: "hidden", timeout: 1_000 })
      .then(
        () => true,
        () => undefined,
      );
  });
  if (isAnswered === undefined) throw new Error(`the dialog does not take ${file}`);
}

function inputOf(page: Page): Locator {
  return quickInput(page).locator("input:not([type=checkbox])").first();
}

/** Whether it becomes visible within {@link tryMs}. */
function comesUp(locator: Locator): Promise<boolean> {
  return isDone(locator.waitFor({ timeout: tryMs }));
}

function isDone(attempt: Promise<void>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

/** A status bar item by its full id: `forge-chat.forge.ID`, where ID is that of `createStatusBarItem`. */
export function statusBarItem(page: Page, id: string): Locator {
  return page.locator(`[id="${id}"]`);
}

export function toast(page: Page, text: string): Locator {
  return page.locator(".notifications-toasts .notification-list-item", { hasText: text });
}

export function dialog(page: Page): Locator {
  return page.locator(".monaco-dialog-box");
}

/**
 * Waits for the extension host that follows a killed one. VS Code starts it by itself; from the third crash within five
 * minutes it asks first, and this answers yes.
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

/** The webview frame that contains `selector`. Throws if none does within `timeoutMs`. */
export async function webviewFrame(page: Page, selector: string, timeoutMs = 30_000): Promise<Frame> {
  const holds = (frame: Frame): Promise<boolean> =>
    frame.$(selector).then(
      (element) => element !== null,
      () => false, // the frame was removed
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

/** Saves `.vscode-test/screenshots/NAME.png` with animations disabled, and returns its path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  const directory = path.join(testDirectory, "screenshots");
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled" });
  return file;
}

/** Clicks an entry of the editor's menu that is opening. */
export async function takeFromMenu(page: Page, entry: string): Promise<void> {
  const line = page.locator(".monaco-menu .action-item", { hasText: entry }).first();
  await line.waitFor();
  // Clicks have no effect for a moment after it opens.
  const isTaken = await until(async () => {
    await line.click();
    return line.waitFor({ state: "hidden", timeout: 1_000 }).then(
      () => true,
      () => undefined,
    );
  });
  if (isTaken === undefined) throw new Error(`${entry} was not taken`);
}
