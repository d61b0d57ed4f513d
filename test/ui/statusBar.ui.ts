import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { answer, leaveContext, openConversationMenu, press, send, usageItem } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture } from "./support/pictures.ts";
import { closePicker, pick, quickInput } from "./support/workbench.ts";

/** A window with a budget of 10,000 tokens: 20,527 less 10,000 for the answer, less a twentieth of the rest. */
const limits = { contextWindow: 20_527, maxOutput: 10_000 };
const model = "house-model";
const paragraph = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";

describe("status bar", () => {
  let page: Page;
  let chat: Frame;
  let item: Locator;

  // The server reports a larger window; the user's settings take precedence.
  const told = { contextWindow: 65_536, maxOutput: 10_000 };
  const served = [model, "other-model"].map((id) => ({ id, ...told }));
  const settings = {
    "forge.models": { [model]: limits },
    "forge.tools.enabled": false, // their definitions would take a part of each figure
  };
  const session = useModelSession("statusBar", settings, { models: served });
  before(async () => {
    ({ page, chat } = await session.openChat());
    item = usageItem(page);
  });
  beforeEach(async () => {
    await leaveContext(chat);
    await session.startAnew({ page, chat });
    await item.getByText(/^\s*\d{2,3} \//).waitFor(); // the instructions alone
  });

  const entry = (label: string) => quickInput(page).locator(".monaco-list-row", { hasText: label });
  const openMenu = async (): Promise<void> => {
    await openConversationMenu(page, chat);
    await entry("Summarize context").waitFor();
  };
  /** Six questions of about 250 tokens, each with its answer. */
  const talk = async (): Promise<void> => {
    for (let turn = 1; turn <= 6; turn++) {
      await send(chat, `${paragraph.repeat(10)} Question ${turn}?`);
      await answer(chat);
    }
  };

  /** Input tokens as reported by the service. The answer adds a few. The text is rounded, the background is not. */
  const cases = [
    { inputTokens: 6_900, text: "6.9k / 10k (69%)", kind: undefined },
    { inputTokens: 6_980, text: "7k / 10k (70%)", kind: undefined },
    { inputTokens: 7_000, text: "7k / 10k (70%)", kind: "warning-kind" },
    { inputTokens: 8_980, text: "9k / 10k (90%)", kind: "warning-kind" },
    { inputTokens: 9_000, text: "9k / 10k (90%)", kind: "error-kind" },
    { inputTokens: 9_100, text: "9.1k / 10k (91%)", kind: "error-kind" },
  ] as const;
  const backgrounds = new Map<string | undefined, string>();
  for (const { inputTokens, text, kind } of cases) {
    it(`shows ${text} for ${inputTokens} tokens, with ${kind ?? "no"} background`, async () => {
      session.models.script({ answer: { text: "Yes.", usage: { inputTokens, outputTokens: 2 } } });
      await send(chat, "Does it fit?");
      await answer(chat);
      await item.getByText(text, { exact: true }).waitFor();
      const classes = (await item.getAttribute("class")) ?? "";
      assert.equal(/\b(?:warning|error)-kind\b/.exec(classes)?.[0], kind);
      assert.equal(await item.locator(".codicon-color-mode").count(), 1);
      backgrounds.set(kind, await item.evaluate((box) => getComputedStyle(box).backgroundColor));
      await picture(page, `statusBar-${inputTokens}`);
    });
  }

  it("has three different backgrounds", () => {
    assert.equal(backgrounds.get(undefined), "rgba(0, 0, 0, 0)");
    assert.equal(new Set(backgrounds.values()).size, 3);
  });

  it("lists the parts of the context in its menu", async () => {
    await send(chat, "What fills it?");
    await answer(chat);
    await openMenu();
    for (const label of ["Instructions", "Messages", "10k can be sent: a window of 21k, 10k kept for the answer"]) {
      await entry(label).first().waitFor();
    }
    await picture(page, "statusBar-menu");
    await closePicker(page);
  });

  it("summarizes from its menu, and counts the summary", async () => {
    await talk();
    await openMenu();
    await pick(page, "Summarize context");
    await press(chat, "Back to the conversation");
    await chat.locator(".row.summary").waitFor();
    // Less is kept for an answer from now on: those so far were short.
    await item.getByText(/[\d.]+k? \/ 18k \(\d+%\) \[1S\]/).waitFor();
    await openMenu();
    await quickInput(page)
      .getByRole("option", { name: /Summaries \d/ })
      .waitFor();
    await closePicker(page);
  });

  it("switches the model from its menu, and shows its budget at once", async () => {
    await openMenu();
    await pick(page, "Switch model");
    await pick(page, "other-model");
    await item.getByText("92 / 47k (0%)", { exact: true }).waitFor();
  });

  it("says from its menu that there is nothing to recover", async () => {
    await openMenu();
    await pick(page, "Recover");
    await quickInput(page).getByText("Nothing to recover").waitFor();
    await closePicker(page);
  });

  it("opens the list of conversations from its menu", async () => {
    await openMenu();
    await pick(page, "Conversations");
    await entry("New conversation").waitFor();
    await closePicker(page);
  });
});
