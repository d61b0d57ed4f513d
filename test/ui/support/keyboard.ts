import type { Frame, Page } from "playwright-core";

/** Most tab stops between two controls of the chat. */
const MOST_STOPS = 40;

/** Presses `key` until the control called `name` has the focus. Throws if it never gets it. */
export async function goTo(page: Page, chat: Frame, key: "Tab" | "Shift+Tab", name: string): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press(key);
    const focused = await chat.evaluate(nameOfFocused);
    if (focused === name) return;
    passed.push(focused);
  }
  throw new Error(`${name} was not reached by ${key}, but ${passed.join(", ")}`);
}

/** Runs in the page. */
function nameOfFocused(): string {
  const focused = document.activeElement;
  return focused?.getAttribute("aria-label") ?? (focused instanceof HTMLElement ? focused.innerText.trim() : "");
}
