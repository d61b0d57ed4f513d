/** Summaries that nobody has to ask for, in the real editor: written while the user goes on, cancelled, failing, asked about. */

import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import type { Script } from "../servers/script.ts";
import { answer, composer, messages, press, send, usageItem } from "./support/chat.ts";
import { useModelSession } from "./support/modelSession.ts";
import { answerInput, pick, quickInput, runCommand, screenshot, statusBarItem } from "./support/workbench.ts";

/** A window that leaves a budget of 10,000 tokens: 20,527 less the answer's 10,000, less a twentieth of the rest. */
const limits = { contextWindow: 20_527, maxOutput: 10_000 };
const model = "house-model";
const paragraph = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";
const notes = `## Goal\nA table of tides for the harbour.\n## Findings\n${"- The table lies in data/tides.csv.\n".repeat(12)}`;

/** What a summary is answered with; a request for one holds the transcript. */
const summary = (script: Omit<Script, "match">): Script => ({ match: "<transcript>", ...script });
/** Half of it comes at once, the rest when the test says so. */
const HELD = summary({ answer: { text: notes }, fault: { kind: "pause", afterPieces: 20 } });
/** Begins, and comes to no end before it is cancelled. */
const STUCK = summary({ answer: { text: notes }, fault: { kind: "stall", afterPieces: 10 } });
const GOOD = summary({ answer: { text: notes } });

/** A suite's model, window and chat. */
function useChat(name: string, settings: Readonly<Record<string, unknown>>) {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    name,
    {
      "forge.models": { [model]: limits },
      "forge.tools.enabled": false, // their definitions would take a part of each figure
      ...settings,
    },
    { models: [{ id: model, ...limits }] },
  );
  before(async () => {
    ({ page, chat } = await session.openChat());
  });
  beforeEach(() => session.startAnew({ page, chat }));
  const percent = async (): Promise<number> => {
    const text = (await usageItem(page).textContent()) ?? "";
    return Number(/\((\d+)%\)/.exec(text)?.[1] ?? 0);
  };
  const ui = {
    get page(): Page {
      return page;
    },
    get chat(): Frame {
      return chat;
    },
    script: (...scripts: readonly Script[]): void => {
      session.models.script(...scripts);
    },
    /** Has the summary that is held come to its end. */
    goOn: (): void => {
      session.models.goOn();
    },
    /** Talks until so much of the budget is in use, or a summary is. */
    fill: async (toPercent: number): Promise<void> => {
      for (let turn = 1; (await percent()) < toPercent && (await ui.marker.count()) === 0; turn++) {
        await send(chat, `${paragraph.repeat(16)} Question ${String(turn)}?`);
        await answer(chat);
      }
    },
    get progress(): Locator {
      return chat.getByText(/Summarizing \d+ %/);
    },
    get marker(): Locator {
      return chat.locator('[data-kind="summary"]');
    },
    get cancelItem(): Locator {
      return statusBarItem(page, "forge-chat.forge.forge.cancelSummary");
    },
  };
  return ui;
}

describe("summaries by themselves", () => {
  const ui = useChat("summaries", {});

  it("are written while the user goes on, and used in one step when they are due", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(HELD);
    await ui.fill(70);
    await ui.progress.waitFor();
    await usageItem(page)
      .getByText(/Summarizing \d+%/)
      .waitFor();
    await ui.cancelItem.waitFor();
    await screenshot(page, "summaries-running");
    await send(chat, "Does this wait?");
    await answer(chat);
    assert.equal(await ui.marker.count(), 0, "the answer did not wait for the summary");
    ui.goOn();
    await ui.progress.waitFor({ state: "detached", timeout: 60_000 });
    await screenshot(page, "summaries-ready");
    await ui.fill(80);
    await ui.marker.waitFor();
    await usageItem(page)
      .getByText(/\[1S\] · Summarized: [\d.]+k → [\d.]+k/)
      .waitFor();
    await screenshot(page, "summaries-done");
    await usageItem(page)
      .getByText(/\[1S\]$/)
      .waitFor({ timeout: 20_000 });
  });

  it("are cancelled from the chat, from the status bar and by a command, and nothing is changed", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(STUCK);
    await ui.fill(70);
    await ui.progress.waitFor();
    await press(chat, "Cancel");
    await ui.progress.waitFor({ state: "detached" });
    await ui.cancelItem.waitFor({ state: "detached" });
    await screenshot(page, "summaries-cancelled");
    await ui.fill(77);
    await ui.progress.waitFor();
    await ui.cancelItem.click();
    await ui.progress.waitFor({ state: "detached" });
    await ui.fill(84);
    await ui.progress.waitFor();
    await runCommand(page, "Forge: Stop");
    await ui.progress.waitFor({ state: "detached" });
    assert.equal(await ui.marker.count(), 0);
  });

  it("are waited for where a message does not fit; what is typed meanwhile is sent after", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(HELD);
    await ui.fill(70);
    await ui.progress.waitFor();
    await send(chat, paragraph.repeat(170));
    await composer(chat).fill("And this comes after.");
    await press(chat, "Send");
    await chat.locator(".queued").waitFor();
    await ui.progress.waitFor();
    await screenshot(page, "summaries-awaited");
    ui.goOn();
    await ui.marker.waitFor({ timeout: 60_000 });
    await messages(chat, "user").filter({ hasText: "And this comes after." }).waitFor({ timeout: 30_000 });
    await answer(chat);
    assert.equal(await messages(chat, "assistant", "complete").count(), await messages(chat, "user").count());
  });

  it("are made of what is selected, or of all above or below it, when the user says so", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(GOOD);
    await ui.fill(45);
    await chat.locator('[data-message-id="3"]').focus();
    await page.keyboard.press("Alt+Shift+ArrowUp");
    await page.keyboard.press("Alt+Shift+ArrowUp");
    await runCommand(page, "Forge: Summarize Context");
    await quickInput(page).getByText("Everything above, with the selection").waitFor();
    await screenshot(page, "summaries-selection");
    await pick(page, "The selected messages (1–3)");
    await answerInput(page, "the tides");
    await ui.marker.waitFor();
    await ui.marker.getByRole("button").first().click();
    await screenshot(page, "summaries-selection-done");
    await press(chat, "Undo");
    await ui.marker.getByRole("button", { name: "Redo" }).waitFor();
    await screenshot(page, "summaries-undone");
  });

  it("stop after three failures, with words and a way to begin anew", async function () {
    this.timeout(180_000);
    const { chat, page } = ui;
    ui.script(summary({ fault: { kind: "status", status: 400, message: "the summarizer is not well" } }));
    await ui.fill(70);
    await chat
      .getByText(/^Summarizing failed\. Nothing was changed\. It is tried again in/)
      .first()
      .waitFor();
    await screenshot(page, "summaries-failed-once");
    const stopped = chat.getByText(/Summarizing failed three times, so it is not tried by itself any more/).first();
    await stopped.waitFor({ timeout: 90_000 });
    await screenshot(page, "summaries-stopped");
    ui.script(GOOD);
    await press(chat, "Try again");
    await chat.locator('[data-row-id="notice-summaries"]').waitFor({ state: "detached" });
    await ui.fill(80);
    await ui.marker.waitFor();
  });
});

describe("summaries that the user wants to be asked about", () => {
  const ui = useChat("summary-offers", { "forge.context.askBeforeSummarizing": true });

  it("are offered with what they would save, can be read, and are used on the user's word", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(GOOD);
    await ui.fill(80);
    const offer = chat.getByText(/^A summary of messages 0–\d+ is ready: [\d.]+k → [\d.]+k tokens\./).first();
    await offer.waitFor();
    await screenshot(page, "summaries-offer");
    await press(chat, "Read it first");
    await page.locator(".monaco-editor").getByText("The table lies in data/tides.csv.").first().waitFor();
    await screenshot(page, "summaries-offer-read");
    assert.equal(await ui.marker.count(), 0);
    await press(chat, "Use it");
    await ui.marker.waitFor();
    await chat.locator('[data-row-id="notice-offer"]').waitFor({ state: "detached" });
    await screenshot(page, "summaries-offer-used");
  });

  it("are left where the user says not now", async () => {
    const { chat } = ui;
    ui.script(GOOD);
    await ui.fill(80);
    await press(chat, "Not now");
    await send(chat, "Go on.");
    await answer(chat);
    assert.equal(await ui.marker.count(), 0);
    assert.equal(await chat.getByText(/^A summary of/).count(), 0);
  });
});
