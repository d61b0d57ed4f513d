/** Find in All Conversations: by keyboard, in a side bar of 260 px, in three themes. */

import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { answer, composer, hasKeyboard, narrowSideBar, newConversation, openList, seen, send } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";
import { closePicker, entries, quickInput, runCommand } from "./support/workbench.ts";

const COMMAND = "Forge: Find in All Conversations…";
describe("find in all conversations", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("find-everywhere", { "forge.provider": "openaiCompatible" });
  before(async function () {
    this.timeout(180_000);
    ({ page, chat } = await session.openChat());
    await talk(
      "How long does the pool wait before it retries?",
      "The retry delay is 250 ms, then it doubles each time until somebody gives up on the answer.",
    );
    await talk("And at most?", "Eight retries; `MAX_RETRY_DELAY_MS` bounds each of them.");
    await newConversation(page, chat);
    await talk("Plan the release", "First the changelog, then the tag. Retry delay stays as it was.");
    await newConversation(page, chat);
    await talk("Sort a list in Rust", "Call `list.sort_unstable()`.");
    await narrowSideBar(page);
  });

  async function talk(text: string, says: string): Promise<void> {
    session.models.script({ match: text, answer: { text: says }, times: 1 });
    await send(chat, text);
    await answer(chat);
  }

  async function openPicker(): Promise<void> {
    await runCommand(page, COMMAND);
    await entries(page, /Type words, a sentence or code/).waitFor();
  }

  const focused = (text: string | RegExp): Promise<void> =>
    quickInput(page).locator(".monaco-list-row.focused", { hasText: text }).waitFor();
  const box = (): Locator => quickInput(page).getByPlaceholder("Find what was said in any conversation");
  const lines = async (): Promise<readonly string[]> =>
    entries(page, /./).locator(".label-description").allTextContents();

  it("finds each message by conversation, and opens it at the message, by keyboard alone", async () => {
    await openPicker();
    await page.keyboard.type("retry delay");
    await entries(page, /Retry delay stays as it was/).waitFor();
    await picture(page, "everywhere-found");
    assert.deepEqual(
      (await lines()).map((line) => line.replace(/, \d+ \w+, \d\d:\d\d/, "").replace(/ · just now| · \d min ago/, "")),
      [
        "Plan the release · 1 message",
        "Model: First the changelog, then the tag. Retry delay stays as it was.",
        "How long does the pool wait before it retries? · 2 messages",
        "Model: The retry delay is 250 ms, then it doubles each time until somebody gives up on the answer.",
        "Model: Eight ‹retries›; `‹MAX_RETRY_DELAY_MS›` bounds each of them.",
      ],
    );
    await focused(/Plan the release/);
    for (const text of [/changelog/, /How long/, /250 ms/]) {
      await page.keyboard.press("ArrowDown");
      await focused(text);
    }
    await page.keyboard.press("Enter");
    const found = chat.getByRole("search", { name: "Find in conversation" });
    await found.getByText(/1 of \d/).waitFor();
    await seen(
      chat,
      "The retry delay is 250 ms, then it doubles each time until somebody gives up on the answer.",
    ).waitFor();
    await hasKeyboard(chat, found.getByRole("textbox"));
    await picture(page, "everywhere-opened-260");
  });

  it("opens from the chat's search with its words, and from the list with what is typed there", async () => {
    const found = chat.getByRole("search", { name: "Find in conversation" });
    for (let step = 0; step < 3; step++) await page.keyboard.press("Tab");
    await hasKeyboard(chat, found.getByRole("button", { name: "Find in all conversations" }));
    await page.keyboard.press("Enter");
    await box().waitFor();
    assert.equal(await box().inputValue(), "retry delay");
    await entries(page, /250 ms/).waitFor();
    await closePicker(page);
    await openList(page);
    await page.keyboard.type("changelog");
    await entries(page, /First the changelog/).waitFor();
    await quickInput(page).getByRole("button", { name: "Find in All Conversations…" }).press("Enter");
    await box().waitFor();
    assert.equal(await box().inputValue(), "changelog");
    await entries(page, /First the changelog/)
      .last()
      .waitFor();
    await closePicker(page);
  });

  it("says what it cannot do in a line", async () => {
    await openPicker();
    await page.keyboard.type("r");
    await entries(page, /Type more: this is too short/).waitFor();
    await page.keyboard.press("Backspace");
    await page.keyboard.type("quasar");
    await entries(page, /No conversation holds “quasar”/).waitFor();
    await picture(page, "everywhere-nothing");
    await page.keyboard.press("Enter"); // chooses nothing
    await entries(page, /No conversation holds “quasar”/).waitFor();
    await closePicker(page);
  });

  it("looks right in each theme, as do the list's search and similar messages in the chat", async () => {
    await inEachPicture(page, async (name) => {
      await openPicker();
      await page.keyboard.type("retry delay");
      await entries(page, /Eight ‹retries›/).waitFor();
      await picture(page, `everywhere-${name}`);
      await closePicker(page);
      await openList(page);
      await page.keyboard.type("retry delay");
      await entries(page, /Plan the release.*Retry delay/).waitFor();
      await picture(page, `everywhere-list-${name}`);
      await closePicker(page);
      await composer(chat).focus();
      await page.keyboard.press("Control+f");
      await page.keyboard.type("retrying delays");
      const found = chat.getByRole("search", { name: "Find in conversation" });
      await found.getByText(/similar/).waitFor();
      await picture(page, `everywhere-similar-${name}`);
      await page.keyboard.press("Escape");
      await found.waitFor({ state: "detached" });
    });
  });
});
