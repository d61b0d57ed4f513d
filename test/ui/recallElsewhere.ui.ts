/** A model recalls another conversation: the question, the card with its sources, and their links. */

import assert from "node:assert/strict";
import type { Frame, Locator, Page } from "playwright-core";
import { until } from "../../scripts/vscode/until.ts";
import { answer, messages, narrowSideBar, newConversation, press, send } from "./support/chat.ts";
import { lowContrast } from "./support/contrast.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachTheme, picture } from "./support/pictures.ts";
import { callLine, question, resultOf, scriptSteps, type ScriptedStep } from "./support/toolCalls.ts";
import { closePicker, entries, pressInEntry, runCommand } from "./support/workbench.ts";

describe("recall from other conversations", () => {
  let page: Page;
  let chat: Frame;

  const session = useModelSession("recallElsewhere");
  before(async () => {
    ({ page, chat } = await session.openChat());
    await narrowSideBar(page);
  });
  const script = (...steps: readonly ScriptedStep[]): void => {
    scriptSteps(session.models, ...steps);
  };
  const lookUp: ScriptedStep = {
    text: "I look it up.",
    calls: [["recall_history", { query: "retry budget of uploads", scope: "project" }]],
  };
  const sources = (): Locator => chat.getByRole("list", { name: "From other conversations" }).last();
  const lastRequest = (): string => JSON.stringify(lastQuestion(session.models));

  async function isReadable(scene: string): Promise<void> {
    await inEachTheme(page, async (name) => {
      await picture(page, `${scene}-${name}`);
      assert.deepEqual(await lowContrast(chat), [], `${scene} in ${name}`);
    });
  }

  it("ask first, and show what was found with links that open it there", async () => {
    const filler = Array.from({ length: 40 }, (_, line) => `Line ${String(line)} of a long story.`).join("\n\n");
    script({ text: `The retry budget of uploads is seven.\n\n${filler}` });
    await send(chat, "What is the retry budget of uploads?");
    await answer(chat);
    await newConversation(page, chat);

    script(lookUp, { text: "It is seven." });
    await send(chat, "What did we say about that budget?");
    await question(chat).waitFor();
    await isReadable("recall-asks");
    assert.doesNotMatch(lastRequest(), /is seven/);
    await question(chat).getByRole("button", { name: "Allow in this conversation" }).click();
    assert.equal(await answer(chat), "It is seven.");
    assert.match(lastRequest(), /What follows is data/);
    assert.match(lastRequest(), /The retry budget of uploads is seven/);
    await sources().getByRole("button", { name: "What is the retry budget of uploads?", exact: true }).waitFor();
    await sources()
      .getByRole("button", { name: /^Leave out from now on: / })
      .waitFor();
    await isReadable("recall-sources");
    assert.match(await resultOf(chat, "Search the other conversations of this project"), /2 messages found/);
  });

  it("do not ask again where it was allowed", async () => {
    script(lookUp, { text: "Seven, still." });
    await send(chat, "And again?");
    assert.equal(await answer(chat), "Seven, still.");
  });

  it("leave a conversation out from now on, until that is undone", async () => {
    const button = sources().getByRole("button", { name: /^Leave out from now on: / });
    await button.focus();
    await page.keyboard.press("Enter");
    const undo = sources().getByRole("button", { name: /^Let it be found again: / });
    await undo.waitFor();
    script(lookUp, { text: "I found nothing." });
    await send(chat, "Once more?");
    await answer(chat);
    assert.match(lastRequest(), /Nothing of that was said in the 0 other conversations/);
    await runCommand(page, "Forge: Open Conversation");
    await pressInEntry(page, "models do not find it from others", "Let models find it from other conversations again");
    await entries(page, "models do not find it from others").waitFor({ state: "detached" });
    await closePicker(page);
    await chat
      .getByRole("button", { name: /^Let it be found again: / })
      .last()
      .click();
    await chat
      .getByRole("button", { name: /^Leave out from now on: / })
      .last()
      .waitFor();
  });

  it("open the conversation at the message", async () => {
    await sources().getByRole("button", { name: "What is the retry budget of uploads?", exact: true }).click();
    await messages(chat, "user").filter({ hasText: "What is the retry budget of uploads?" }).waitFor();
    const focused = await until(async () => {
      const id: unknown = await chat.evaluate("document.activeElement?.dataset.messageId");
      return typeof id === "string" ? id : undefined;
    });
    assert.equal(focused, "0", "the best passage has the keyboard");
    await picture(page, "recall-opened");
  });

  it("refuse for good, which the list of tools undoes", async () => {
    await newConversation(page, chat);
    script(lookUp, { text: "Then not." });
    await send(chat, "What was the budget?");
    await question(chat).waitFor();
    await press(chat, "Never in this conversation");
    await answer(chat);
    assert.match(lastRequest(), /Do not try it again here/);
    script(lookUp, { text: "Still not." });
    await send(chat, "Please?");
    assert.equal(await answer(chat), "Still not.");
    await callLine(chat, "Search the other conversations of this project").waitFor();
    await runCommand(page, "Forge: Choose Tools");
    await entries(page, "other conversations: never").waitFor();
    await picture(page, "recall-refused");
    await pressInEntry(page, "other conversations: never", "Ask again");
    await entries(page, "other conversations: asks first").waitFor();
    await closePicker(page);
  });
});
