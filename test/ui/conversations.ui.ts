import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Frame, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import {
  answer,
  chatInTab,
  composer,
  hasKeyboard,
  messages,
  newConversation,
  openList,
  seen,
  send,
} from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import {
  acceptFocused,
  answerInput,
  closePicker,
  entries,
  filterPicker,
  pressInEntry,
  quickInput,
  runCommand,
} from "./support/workbench.ts";

describe("conversations", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession("conversations", {
    "forge.provider": "openaiCompatible",
    "window.confirmBeforeClose": "never",
  });
  before(async function () {
    this.timeout(120_000);
    ({ page, chat } = await session.openChat());
    await talk("Why is the sky blue?", "Because of **Rayleigh scattering**: short waves scatter more.");
    await talk("And at sunset?", "The way is longer, so the blue is gone. 晚霞是红色的。");
    await newConversation(page, chat);
    await talk("Sort a list in Rust", "Call `list.sort_unstable()` where order of equals does not matter.");
    await newConversation(page, chat);
    await talk("Plan the release", "First the changelog, then the tag.");
  });

  async function talk(text: string, says: string): Promise<void> {
    session.models.script({ match: text, answer: { text: says }, times: 1 });
    await send(chat, text);
    await answer(chat);
  }

  async function typeInList(text: string): Promise<void> {
    await openList(page);
    await filterPicker(page, "Search titles and everything that was said", text);
  }

  it("are listed by time, and can be pinned, renamed and archived", async () => {
    await openList(page);
    await entries(page, "Plan the release").waitFor();
    await pressInEntry(page, "Sort a list in Rust", "Pin");
    await quickInput(page).getByText("Pinned", { exact: true }).waitFor();
    await pressInEntry(page, "Plan the release", "Move to the archive");
    await entries(page, /Archive.*1 conversation/).waitFor();
    await pressInEntry(page, "Why is the sky blue?", "Rename…");
    await answerInput(page, "The sky, and its colours");
    await entries(page, "The sky, and its colours").waitFor();
    await picture(page, "conversations-list");
    await closePicker(page);
  });

  it("keep the focused list entry when a button changes it", async () => {
    const focused = (text: string): Promise<void> =>
      quickInput(page).locator(".monaco-list-row.focused", { hasText: text }).waitFor();
    const press = async (button: string): Promise<void> => {
      const found = quickInput(page).locator(".monaco-list-row.focused").getByRole("button", { name: button });
      await found.focus();
      await page.keyboard.press("Enter");
    };
    await openList(page);
    await focused("New conversation");
    await page.keyboard.press("ArrowDown");
    await focused("Sort a list in Rust"); // it is pinned
    await press("Unpin");
    await quickInput(page).getByText("Pinned", { exact: true }).waitFor({ state: "detached" });
    await focused("Sort a list in Rust");
    await press("Pin");
    await quickInput(page).getByText("Pinned", { exact: true }).waitFor();
    await focused("Sort a list in Rust");
    await press("Rename…");
    await answerInput(page, "Sort a list in Rust, fast");
    await focused("Sort a list in Rust, fast");
    await press("Rename…");
    await answerInput(page, "Sort a list in Rust");
    await focused("Sort a list in Rust");
    await closePicker(page);
  });

  it("are found by the text of their messages, and open at the match", async () => {
    await typeInList("Rayleigh");
    await entries(page, /short waves scatter more/).waitFor();
    await picture(page, "conversations-search");
    await acceptFocused(page, /short waves scatter more/);
    const found = chat.getByRole("search", { name: "Find in conversation" });
    await found.waitFor();
    await found.getByText("1 of 1", { exact: true }).waitFor();
    await seen(chat, "Rayleigh scattering", { exact: true }).waitFor();
    await picture(page, "conversations-found");
    await hasKeyboard(chat, found.getByRole("textbox"));
    await page.keyboard.press("Escape");
    await found.waitFor({ state: "detached" });
  });

  it("are found by other forms of their words, which are marked", async () => {
    await newConversation(page, chat);
    await typeInList("waving scattered");
    await entries(page, /short waves scatter more/).waitFor();
    await picture(page, "conversations-search-forms");
    await acceptFocused(page, /short waves scatter more/);
    const found = chat.getByRole("search", { name: "Find in conversation" });
    await found.getByText("1 of 1, similar", { exact: true }).waitFor();
    await seen(chat, "Rayleigh scattering", { exact: true }).waitFor();
    await picture(page, "conversations-found-forms");
    await page.keyboard.press("Escape");
    await found.waitFor({ state: "detached" });
  });

  it("are found by Chinese words, and archived ones by their titles", async () => {
    await typeInList("晚霞");
    await entries(page, /晚霞是红色的/).waitFor();
    await closePicker(page);
    await typeInList("release");
    await entries(page, /Plan the release.*archived/).waitFor();
    await closePicker(page);
  });

  it("are reported as not found when none matches", async () => {
    await typeInList("quasar");
    await entries(page, "No conversation holds “quasar”").waitFor();
    await picture(page, "conversations-nothing-found");
    await page.keyboard.press("Enter"); // chooses nothing
    await quickInput(page).locator("input").first().fill("%");
    await entries(page, "No title holds “%”").waitFor();
    await quickInput(page).locator("input").first().fill("Rust");
    await entries(page, "Sort a list in Rust").waitFor();
    await entries(page, "No conversation holds").waitFor({ state: "detached" });
    await closePicker(page);
  });

  it("are searched in the chat match by match, with the keyboard alone", async () => {
    await composer(chat).click();
    await page.keyboard.press("Control+f");
    const box = chat.getByRole("textbox", { name: "Find in conversation" });
    await hasKeyboard(chat, box);
    await page.keyboard.type("the");
    const count = chat.locator(".find-count");
    await count.getByText("2 of 2", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await count.getByText("1 of 2", { exact: true }).waitFor();
    await page.keyboard.press("Shift+Enter");
    await count.getByText("2 of 2", { exact: true }).waitFor();
    const marked = await until(() =>
      chat.evaluate(() => (CSS.highlights.get("forge-found-present")?.size ?? 0) || undefined),
    );
    assert.ok(marked !== undefined && marked > 0, "the words are marked");
    await picture(page, "conversations-find");
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    await composer(chat).fill("/find the");
    await composer(chat).press("Enter");
    await count.getByText("2 of 2", { exact: true }).waitFor();
    assert.equal(await box.inputValue(), "the", "what stood behind the command is looked for");
    await box.press("Escape");
    await box.waitFor({ state: "detached" });
  });

  it("open in a single editor tab, with the focus in its composer", async () => {
    const open = "Forge: Open the Chat in an Editor Tab";
    const tabs = page.locator(".editor-group-container .tab");
    await runCommand(page, open);
    await tabs.first().waitFor();
    const tab = await chatInTab(page, chat);
    await hasKeyboard(tab, composer(tab));
    await composer(chat).click();
    await hasKeyboard(chat, composer(chat));
    await runCommand(page, open);
    await hasKeyboard(tab, composer(tab));
    assert.equal(await tabs.count(), 1);
    await picture(page, "conversations-one-tab");
    await runCommand(page, "View: Close Editor");
    await tabs.first().waitFor({ state: "detached" });
  });

  it("are shown in the side bar and a tab in sync, also after a reload", async () => {
    await runCommand(page, "Forge: Open the Chat in an Editor Tab");
    const tab = await chatInTab(page, chat);
    await messages(tab).nth(3).waitFor();
    await composer(tab).fill("typed in the tab");
    const copied = await until(async () =>
      (await composer(chat).inputValue()) === "typed in the tab" ? true : undefined,
    );
    assert.equal(copied, true, "the draft is the same in both");
    session.models.script({ match: "typed in the tab", answer: { text: "Seen in both." }, times: 1 });
    await tab.getByRole("button", { name: "Send", exact: true }).click();
    await tab.getByText("Seen in both.", { exact: true }).waitFor();
    await seen(chat, "Seen in both.", { exact: true }).waitFor();
    const emptied = await until(async () => ((await composer(chat).inputValue()) === "" ? true : undefined));
    assert.equal(emptied, true, "what was sent is a draft in neither");
    await picture(page, "conversations-tab");
    await runCommand(page, "Developer: Reload Window"); // the editor saves the open tabs first
    const again = await until(async () => {
      const counts = await Promise.all(page.frames().map((frame) => countIn(frame, "text='Seen in both.'")));
      return counts.filter((count) => count > 0).length === 2 ? true : undefined;
    });
    assert.equal(again, true, "both are there again after a reload");
  });

  it("are listed by the newest 250 of many, with a line that says how the others are found", async () => {
    makeMany(path.join(session.server.globalStorage("forge-chat.forge"), "conversations"));
    await openList(page);
    await entries(page, "Talk of long ago 0").first().waitFor();
    await page.keyboard.press("ArrowUp"); // from the first line to the last
    await entries(page, /older conversations/).waitFor();
    await picture(page, "conversations-many");
    await quickInput(page).locator("input").first().fill("long ago 299");
    await entries(page, "Talk of long ago 299").waitFor();
    await closePicker(page);
  });

  /** Last used one after the other, before all others. */
  function makeMany(folder: string): void {
    for (let number = 0; number < 300; number++) {
      const own = path.join(folder, `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
      mkdirSync(own);
      writeFileSync(path.join(own, "conversation.sqlite"), "SQLite format 3\0".padEnd(4_096, "\0"));
      const usage = { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 };
      const fixed = {
        version: 1,
        createdAtMs: 0,
        messageCount: 2,
        provider: "offline",
        model: "offline",
        undecided: 0,
      };
      const meta = { ...fixed, usage, title: `Talk of long ago ${number}`, lastUsedAtMs: 1_600_000_000_000 - number };
      writeFileSync(path.join(own, "meta.json"), JSON.stringify(meta));
    }
  }
});

/** Number of elements that match `selector` in `frame`: 0 if the frame is being removed. */
function countIn(frame: Frame, selector: string): Promise<number> {
  return frame
    .locator(selector)
    .count()
    .catch(() => 0);
}
