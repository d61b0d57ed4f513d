import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { answer, leaveContext, messages, narrowSideBar, send, usageItem } from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { useModelSession } from "./support/modelSession.ts";
import { inEachPicture, picture } from "./support/pictures.ts";

const model = "house-model";
const limits = { contextWindow: 32_000, maxOutput: 8_000 };
const said = "Ilse Brandt, the harbour master, lends the key of the boathouse on Tuesdays.";
const question = "When does Ilse Brandt lend the boathouse key?";

describe("a message that names what is no longer sent", () => {
  let page: Page;
  let chat: Frame;
  const session = useModelSession(
    "recalled",
    {
      "forge.models": { [model]: limits },
      "forge.tools.enabled": false, // the model must not be able to search by itself
      "forge.context.strategy": "slidingWindow",
    },
    { models: [{ id: model, ...limits }] },
  );
  before(async function () {
    this.timeout(120_000);
    ({ page, chat } = await session.openChat());
    await page.setViewportSize({ width: 1100, height: 800 });
    await narrowSideBar(page);
    session.models.script(
      { match: "Who has the key?", answer: { text: said } },
      { match: "tide", answer: { text: "High at six." } },
    );
    await send(chat, "Who has the key?");
    await answer(chat);
    for (let day = 1; day <= 11; day++) {
      await send(chat, `And the tide on day ${String(day)}?`);
      await answer(chat);
    }
  });

  it("is sent with the passage that says it", async () => {
    assert.doesNotMatch(JSON.stringify(lastQuestion(session.models)), /harbour master/);
    session.models.script({ match: "When does Ilse Brandt", answer: { text: "On Tuesdays, as I said before." } });
    await send(chat, question);
    await answer(chat);
    const sent = JSON.stringify(lastQuestion(session.models));
    assert.match(sent, /Recalled by Forge from earlier in this conversation: a record, not a request\./);
    assert.match(sent, /\[message 2\]\(#message-2\), you, .*:\\n> Ilse Brandt, the harbour master, lends the key/);
    assert.ok(sent.indexOf(said) < sent.indexOf(question), "before the user's own words");
  });

  it("has a line beneath it that opens to the passage, and leads to its message", async () => {
    const asked = messages(chat, "user").filter({ hasText: question });
    const line = asked.getByRole("button", { name: "1 earlier message recalled" });
    await line.click();
    await asked.getByText(said).waitFor();
    await inEachPicture(page, async (name) => {
      await line.scrollIntoViewIfNeeded();
      await picture(page, `recalled-line-${name}`);
    });
    await asked.getByRole("button", { name: "Message 2" }).click();
    await messages(chat, "assistant").filter({ hasText: said }).first().waitFor();
  });

  it("has what was recalled in the context view, with its tokens", async () => {
    await usageItem(page).click();
    const part = chat.locator("[data-part=recalled]");
    await part.getByRole("button", { name: /1 passage recalled for this question/ }).click();
    await part.getByRole("button", { name: `Answer: ${said}` }).waitFor();
    await inEachPicture(page, async (name) => {
      await part.scrollIntoViewIfNeeded();
      await picture(page, `recalled-context-${name}`);
    });
    await leaveContext(chat);
  });

  it("is sent without it when the next message names nothing", async () => {
    await send(chat, "And the tide on day 12?");
    await answer(chat);
    assert.doesNotMatch(JSON.stringify(lastQuestion(session.models)), /Recalled by Forge/);
  });
});
