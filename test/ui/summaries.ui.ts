import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { answer, composer, messages, press, send, usageItem } from "./support/chat.ts";
import { picture, picturesOfSideBar } from "./support/pictures.ts";
import { GOOD, HELD, paragraph, STUCK, summary, useSummarizedChat } from "./support/summarizedChat.ts";
import { answerInput, entries, pick, quickInput, runCommand } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

describe("automatic summaries", () => {
  const ui = useSummarizedChat("summaries", {});

  it("are written in the background, and used in one step when due", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(HELD);
    await ui.fill(70);
    await ui.progress.waitFor();
    await usageItem(page)
      .getByText(/Summarizing \d+%/)
      .waitFor();
    await ui.cancelItem.waitFor();
    await picture(page, "summaries-running");
    await send(chat, "Does this wait?");
    await answer(chat);
    assert.equal(await ui.marker.count(), 0, "the answer did not wait for the summary");
    ui.goOn();
    await ui.progress.waitFor({ state: "detached", timeout: 60_000 });
    await picture(page, "summaries-ready");
    await ui.fill(80);
    await ui.marker.waitFor();
    await usageItem(page)
      .getByText(/\[1S\] · Summarized: [\d.]+k → [\d.]+k/)
      .waitFor();
    await picture(page, "summaries-done");
    await usageItem(page)
      .getByText(/\[1S\]$/)
      .waitFor({ timeout: 20_000 });
  });

  it("are cancelled from the chat, the status bar and by a command, without any change", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(STUCK);
    await ui.fill(70);
    await ui.progress.waitFor();
    await press(chat, "Cancel");
    await ui.progress.waitFor({ state: "detached" });
    await ui.cancelItem.waitFor({ state: "detached" });
    await picture(page, "summaries-cancelled");
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

  it("delay a message that does not fit, and the next message is queued behind it", async function () {
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
    await picture(page, "summaries-awaited");
    ui.goOn();
    await ui.marker.waitFor({ timeout: 60_000 });
    await messages(chat, "user").filter({ hasText: "And this comes after." }).waitFor({ timeout: 30_000 });
    await answer(chat);
    assert.equal(await messages(chat, "assistant", "complete").count(), await messages(chat, "user").count());
  });

  it("keep the reader's scroll position, also after a switch to another view", async function () {
    this.timeout(180_000);
    const { chat, page } = ui;
    for (let turn = 0; turn < 21; turn++) {
      await send(chat, `Short question ${String(turn)}?`);
      await answer(chat);
    }
    ui.script(HELD);
    await ui.fill(71);
    await ui.progress.waitFor();
    ui.goOn();
    await ui.progress.waitFor({ state: "detached", timeout: 60_000 });
    ui.script({ answer: { text: longAnswer(5_200) }, fault: { kind: "pause", afterPieces: 20 } });
    await composer(chat).fill("A last long question? ".repeat(60));
    await page.keyboard.press("Enter");
    await messages(chat, "assistant", "streaming").waitFor();
    const read = (): Locator => ui.chat.locator('[data-message-id="4"]');
    await chat.getByRole("log").hover();
    const isThere = async (): Promise<true | undefined> => {
      await page.mouse.wheel(0, -900);
      return (await read().count()) > 0 || undefined;
    };
    assert.ok(await until(isThere));
    await read().scrollIntoViewIfNeeded();
    const place = (): Promise<number> => read().evaluate((row) => Math.round(row.getBoundingClientRect().top));
    const before = await place();
    assert.equal(await ui.marker.count(), 0, "the summary is used when the answer has ended");
    ui.goOn();
    await usageItem(page)
      .getByText(/\[1S\]/)
      .waitFor({ timeout: 60_000 });
    await read().and(chat.locator(".summarized")).waitFor();
    assert.equal(await place(), before);
    await ui.leaveAndComeBack();
    await read().waitFor();
    assert.ok(await until(async () => (await place()) === before || undefined), `at ${await place()}, not ${before}`);
  });

  it("cover the selected messages, or all above or below, on request", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(GOOD);
    await ui.fill(45);
    await chat.locator('[data-message-id="3"]').focus();
    await page.keyboard.press("Alt+Shift+ArrowUp");
    await page.keyboard.press("Alt+Shift+ArrowUp");
    await runCommand(page, "Forge: Summarize Context");
    await quickInput(page).getByText("Everything above, with the selection").waitFor();
    await picture(page, "summaries-selection");
    await pick(page, "The selected messages (1–3)");
    await answerInput(page, "the tides");
    await ui.marker.waitFor();
    await ui.marker.getByRole("button").first().click();
    await picture(page, "summaries-selection-done");
    await press(chat, "Undo");
    await ui.marker.getByRole("button", { name: "Redo" }).waitFor();
    await picture(page, "summaries-undone");
  });

  it("are reported as unfinished after a crash or a reload", async function () {
    this.timeout(120_000);
    const { page } = ui;
    await ui.fill(45);
    const lost = /^The summary that you requested was not finished when this conversation was last open\./;
    for (const leave of [ui.crash, ui.reload]) {
      ui.script(STUCK);
      if (leave === ui.crash) await runCommand(page, "Forge: Summarize Context");
      else await press(ui.chat, "Summarize");
      await ui.progress.waitFor();
      await leave();
      await ui.chat.getByText(lost).first().waitFor();
      await picture(page, `summaries-${leave.name}`);
      assert.equal(await ui.marker.count(), 0);
    }
    await ui.reload();
    await messages(ui.chat, "assistant").last().waitFor();
    assert.equal(await ui.chat.getByText(lost).count(), 0, "it is said once");
  });

  it("stop after three failures, with an explanation and a Try again button", async function () {
    this.timeout(180_000);
    const { chat, page } = ui;
    ui.script(summary({ fault: { kind: "status", status: 400, message: "the summarizer is not well" } }));
    await ui.fill(70);
    await chat
      .getByText(/^Summarizing failed\. Nothing was changed\. It is tried again at/)
      .first()
      .waitFor();
    await picture(page, "summaries-failed-once");
    const stopped = chat.getByText(/Summarizing failed three times, so it is no longer tried automatically/).first();
    await stopped.waitFor({ timeout: 90_000 });
    await picture(page, "summaries-stopped");
    ui.script(GOOD);
    await press(chat, "Try again");
    await chat.locator('[data-row-id="notice-summaries"]').waitFor({ state: "detached" });
    await ui.fill(80);
    await ui.marker.waitFor();
  });
});

describe("summaries with askBeforeSummarizing, not written in the background", () => {
  const ui = useSummarizedChat("summary-plans", {
    "forge.context.askBeforeSummarizing": true,
    "forge.context.background": false,
  });

  it("are written when the reader wants to change them, with progress and a Cancel", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    await ui.fill(80);
    await chat
      .getByText(/^Messages 1–\d+ can be summarized: /)
      .first()
      .waitFor();
    await picture(page, "summaries-plan");
    ui.script(STUCK);
    await press(chat, "Change it first");
    await chat.getByText("The summary is being written. Nothing is in use yet.").first().waitFor();
    await ui.progress.waitFor();
    await usageItem(page)
      .getByText(/Summarizing \d+%/)
      .waitFor();
    await picture(page, "summaries-plan-writing");
    await press(chat, "Cancel");
    await ui.progress.waitFor({ state: "detached" });
    ui.script(GOOD);
    await press(chat, "Change it first");
    const field = chat.getByRole("textbox", { name: /^In place of messages 1–\d+$/ });
    await field.waitFor();
    assert.match(await field.inputValue(), /data\/tides\.csv/);
    assert.equal(await ui.marker.count(), 0);
    await field.fill("The table of tides is in data/tides.csv. These are my own words.");
    await picture(page, "summaries-plan-edited");
    await press(chat, "Use it");
    await ui.marker.waitFor();
    await ui.marker.getByRole("button").first().click();
    await ui.marker.getByText("These are my own words").waitFor();
  });
});

describe("summaries with askBeforeSummarizing", () => {
  const ui = useSummarizedChat("summary-offers", { "forge.context.askBeforeSummarizing": true });

  it("are offered with the tokens saved, can be read, and are used on Use it", async function () {
    this.timeout(120_000);
    const { chat, page } = ui;
    ui.script(GOOD);
    await ui.fill(80);
    const offer = chat.getByText(/^A summary of messages 1–\d+ is ready: [\d.]+k → [\d.]+k tokens\./).first();
    await offer.waitFor();
    await picture(page, "summaries-offer");
    await press(chat, "Read it first");
    await page.locator(".monaco-editor").getByText("The table lies in data/tides.csv.").first().waitFor();
    await picture(page, "summaries-offer-read");
    assert.equal(await ui.marker.count(), 0);
    await press(chat, "Use it");
    await ui.marker.waitFor();
    await chat.locator('[data-row-id="notice-offer"]').waitFor({ state: "detached" });
    await picture(page, "summaries-offer-used");
  });

  it("can be changed before they are used, and are used as the user wrote them", async function () {
    this.timeout(180_000);
    const { chat, page } = ui;
    ui.script(GOOD);
    await ui.fill(80);
    await press(chat, "Change it first");
    const field = chat.getByRole("textbox", { name: /^In place of messages 1–\d+$/ });
    await field.waitFor();
    await picturesOfSideBar(page, "summaries-offer-edited", field);
    await field.fill("The table of tides is in data/tides.csv. These are my own words.");
    await ui.leaveAndComeBack();
    const again = ui.chat.getByRole("textbox", { name: /^In place of messages 1–\d+$/ });
    assert.match(await again.inputValue(), /These are my own words/);
    await press(ui.chat, "Use it");
    await ui.marker.waitFor();
    await ui.marker.getByRole("button").first().click();
    await ui.marker.getByText("These are my own words").waitFor();
    await picture(page, "summaries-offer-edited-used");
  });

  it("can be written shorter, or by another model, before they are used", async function () {
    this.timeout(120_000);
    const { page } = ui;
    const { chat } = ui;
    ui.script(GOOD);
    await ui.fill(80);
    await press(chat, "Change it first");
    const field = chat.getByRole("textbox", { name: /^In place of messages 1–\d+$/ });
    await field.fill("Mine.");
    ui.script(HELD);
    await press(chat, "Write it shorter");
    await chat.getByText("The summary is being written anew. Nothing is in use yet.").first().waitFor();
    await picture(page, "summaries-offer-anew");
    ui.goOn();
    await field.waitFor();
    assert.match(await field.inputValue(), /data\/tides\.csv/);
    await press(chat, "Another model…");
    await quickInput(page).getByText("Forge: Write This Summary Anew").waitFor();
    await entries(page, "house-model").first().waitFor();
    await picture(page, "summaries-offer-models");
    await pick(page, "house-model");
    await field.waitFor();
    assert.equal(await ui.marker.count(), 0);
    await press(chat, "Not now");
  });

  it("are not used on Not now", async () => {
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
