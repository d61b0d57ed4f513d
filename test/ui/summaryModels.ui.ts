/** The model that writes summaries: any one that the user has, of another service than the one that answers, too. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { answer, modelButton, openChat, send } from "./support/chat.ts";
import { inEachPicture, picture, picturesOfSideBar } from "./support/pictures.ts";
import { useSession } from "./support/session.ts";
import { GOOD, paragraph } from "./support/summarizedChat.ts";
import { answerInput, closePicker, entries, pick, quickInput, runCommand } from "./support/workbench.ts";

const key = "house-key-1f8a77c2d05b4e";
const model = "house-model";
const limits = { contextWindow: 20_527, maxOutput: 10_000 };

describe("the model for summaries", () => {
  let anthropic: ModelServer;
  let house: ModelServer;
  let page: Page;
  let chat: Frame;
  before(async () => {
    anthropic = await startAnthropicServer({ key });
    house = await startOpenAiServer({ dialect: "vllm", models: [{ id: model, ...limits }] });
  });
  after(async () => {
    await anthropic.close();
    await house.close();
  });
  const session = useSession({
    name: "summary-models",
    settings: () => ({
      "forge.provider": "openaiCompatible",
      "forge.openaiCompatible.baseUrl": `${house.url}/v1`,
      "forge.anthropic.baseUrl": anthropic.url,
      "forge.models": { [model]: limits, "claude-haiku": { price: { inputPerMillionUsd: 1, outputPerMillionUsd: 5 } } },
      "forge.tools.enabled": false, // their definitions would count in each figure
    }),
  });
  before(async function () {
    this.timeout(120_000);
    page = await session.openWindow();
    chat = await openChat(page, model);
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Anthropic");
    await answerInput(page, key);
    await quickInput(page).waitFor({ state: "hidden" });
    await runCommand(page, "Forge: Switch Model");
    await pick(page, model);
    await modelButton(chat, model).waitFor();
    for (let turn = 1; turn <= 5; turn++) {
      await send(chat, `${paragraph.repeat(50)} Question ${String(turn)}?`);
      await answer(chat);
    }
    for (const server of [anthropic, house]) {
      server.reset();
      server.script(GOOD);
    }
  });

  const posts = ({ requests }: ModelServer): number => requests.filter(({ method }) => method === "POST").length;

  it("is picked from all models, with what it costs and where the text would go", async function () {
    this.timeout(90_000);
    await inEachPicture(page, async (name) => {
      await runCommand(page, "Forge: Choose Model for Summaries");
      await entries(page, "claude-haiku").first().waitFor();
      const texts = await entries(page, /claude-haiku/)
        .first()
        .innerText();
      assert.match(texts, /To another company: 127\.0\.0\.1:\d+ · about \$0\.\d+ for 3k tokens/);
      assert.match(await entries(page, model).first().innerText(), /It writes the summaries of this conversation/);
      await picture(page, `summary-models-${name}`);
      await closePicker(page);
    });
  });

  it("writes the summaries from then on, and nothing else", async function () {
    this.timeout(90_000);
    await runCommand(page, "Forge: Choose Model for Summaries");
    await pick(page, "claude-haiku");
    const told = chat.getByText(/From now on claude-haiku[\w.-]* writes the summaries of all conversations\./).first();
    await told.waitFor();
    await picturesOfSideBar(page, "summary-models-chosen");
    await runCommand(page, "Forge: Summarize Context");
    await chat.locator(".row.summary").waitFor();
    assert.deepEqual([posts(anthropic) > 0, posts(house)], [true, 0]);
    const summaries = posts(anthropic);
    await send(chat, "Go on.");
    await answer(chat);
    assert.deepEqual([posts(anthropic), posts(house)], [summaries, 1]);
  });

  it("is Forge's own choice again", async () => {
    await runCommand(page, "Forge: Choose Model for Summaries");
    await pick(page, "As Forge chooses");
    await chat
      .getByText(`Forge chooses the model for summaries again: ${model} in this conversation.`)
      .first()
      .waitFor();
  });
});
