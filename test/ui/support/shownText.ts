/** What an answer showed, to the last character, even when the page that showed it is gone. */

import type { Frame, Page } from "playwright-core";

/** The texts that were on the screen, by the page that showed them. */
const shownIn = new WeakMap<Page, { text: string }>();

/** Takes note of each change of the newest answer from now on. */
export async function watchAnswer(page: Page, chat: Frame): Promise<void> {
  const shown = shownIn.get(page);
  if (shown === undefined) {
    const noted = { text: "" };
    shownIn.set(page, noted);
    await page.exposeFunction("forgeTestShown", (text: string) => {
      noted.text = text;
    });
  } else {
    shown.text = "";
  }
  await chat.evaluate(watching);
}

/** Runs in the page. Until the first words there is only a muted line that says who is waited for. */
const watching = `(() => {
  const note = () => {
    const streaming = document.querySelector('[role="article"].message.assistant[data-state="streaming"]');
    const words = streaming?.querySelector(".markdown:not(:has(> .muted))");
    if (words) forgeTestShown(words.textContent.trim());
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

/** The last text that the watched answer showed. */
export function lastShown(page: Page): string {
  return shownIn.get(page)?.text ?? "";
}
