/** Each strategy in use: what its summary covers, what is sent, and its numbers. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, openConversationMenu, press, send } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { picture, picturesOfSideBar } from "./support/pictures.ts";
import { GOOD, paragraph } from "./support/summarizedChat.ts";
import { answerInput, entries, filterPicker, pick, quickInput, runCommand } from "./support/workbench.ts";

const model = "house-model";
const limits = { contextWindow: 40_000, maxOutput: 10_000 };
const turns = 12;
const answerText = (turn: number): string => `Answer ${String(turn)} tells what the rule says.`;

describe("strategies", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    "strategies",
    { "forge.models": { [model]: limits }, "forge.tools.enabled": false, "forge.context.recallForQuestion": false },
    { models: [{ id: model, ...limits }] },
  );
  before(async () => {
    ({ page, chat } = await session.openChat());
  });

  const choose = async (label: string): Promise<void> => {
    await openConversationMenu(page, chat);
    await pick(page, "Strategy");
    await filterPicker(page, "Nothing is ever removed from the history", label);
    await pick(page, label);
    await quickInput(page).waitFor({ state: "hidden" });
    await press(chat, "Back to the conversation");
  };
  const talk = async (): Promise<void> => {
    await session.startAnew({ page, chat });
    for (let turn = 1; turn <= turns; turn++) {
      session.models.script({ match: `Question ${String(turn)}?`, answer: { text: answerText(turn) }, times: 1 });
      await send(chat, `Question ${String(turn)}? ${paragraph.repeat(25)}`);
      await answer(chat);
    }
    session.models.script(GOOD);
  };
  const numbers = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  /** Numbers of the answers in the next request, and of summaries in it. */
  const sent = async (): Promise<{ readonly answers: readonly number[]; readonly summaries: number }> => {
    await send(chat, "And what is next?");
    await answer(chat);
    const text = JSON.stringify(lastQuestion(session.models));
    const answers = numbers(1, turns).filter((turn) => text.includes(answerText(turn)));
    const mentions = text.split("[Earlier conversation summary]").length - 1; // the instructions explain it
    return { answers, summaries: mentions - 1 };
  };

  // Answer 1 is message 1 of 0 to 23, answer 12 the last; the last four messages are always sent.
  for (const [label, answers] of [
    ["Sandwich", [1, 2, 10, 11, 12]],
    ["Archive", [11, 12]],
    ["Tree", [11, 12]],
    ["Threshold", [11, 12]],
  ] as const) {
    it(`${label}: the summary stands for what it covers, and the rest is sent as it is`, async function () {
      this.timeout(90_000);
      await talk();
      await choose(label);
      await runCommand(page, "Forge: Summarize Context");
      await chat.locator(".row.summary").first().waitFor();
      await picture(page, `strategies-${label.toLowerCase()}`);
      const found = await sent();
      assert.deepEqual(found, { answers, summaries: 1 });
    });
  }

  it("Full history: everything is sent as it is", async function () {
    this.timeout(90_000);
    await talk();
    await choose("Full history");
    assert.deepEqual(await sent(), { answers: numbers(1, turns), summaries: 0 });
  });

  it("Sliding window: no summary is paid for, and it says why and offers another strategy", async function () {
    this.timeout(180_000);
    await talk();
    await choose("Sliding window");
    const before = session.models.requests.length;
    await runCommand(page, "Forge: Summarize Context");
    const why = chat
      .getByText(/^Nothing is summarized: the strategy “Sliding window” sends the newest 20 messages/)
      .first();
    await why.waitFor();
    await picturesOfSideBar(page, "strategies-window");
    assert.equal(session.models.requests.length, before, "nothing was asked of the model");
    assert.deepEqual(await sent(), { answers: numbers(3, turns), summaries: 0 });
    await runCommand(page, "Forge: Summarize Context");
    await press(chat, "Choose another strategy");
    await pick(page, "Threshold");
    await why.waitFor({ state: "detached" });
  });

  it("the numbers of a strategy are set for one conversation, are checked in words, and act at once", async function () {
    this.timeout(90_000);
    await talk();
    await choose("Sliding window");
    await openConversationMenu(page, chat);
    await pick(page, "Strategy");
    await picture(page, "strategies-picker");
    await filterPicker(page, "Nothing is ever removed from the history", "Messages that are sent");
    await entries(page, "Messages that are sent").getByText("20, as in the settings").waitFor();
    await picture(page, "strategies-numbers");
    await pick(page, "Messages that are sent");
    await answerInput(page, "0");
    await quickInput(page).getByText("A whole number from 1 to 10000, or nothing for that of the settings.").waitFor();
    await picture(page, "strategies-number-refused");
    await answerInput(page, "6");
    await quickInput(page).waitFor({ state: "hidden" });
    await press(chat, "Back to the conversation");
    assert.deepEqual(await sent(), { answers: numbers(10, turns), summaries: 0 });
  });
});
