/** Records the text that an answer showed, even after its page is gone. */

import type { Frame, Page } from "playwright-core";

/** Last shown text by page. */
const shownIn = new WeakMap<Page, { text: string }>();

/** Records each change of the newest answer from now on. */
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

/** Runs in the page. Before the first words there is only a muted line about the wait. */
const watching = `(() => {
  const note = () => {
    const streaming = document.querySelector('[role="article"].message.assistant[data-state="streaming"]');
    const words = streaming?.querySelector(".markdown:not(:has(> .muted))");
    if (words) forgeTestShown(words.textContent.trim());
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;

export function lastShown(page: Page): string {
  return shownIn.get(page)?.text ?? "";
}
