/** Ways to a model, and what a streamed answer does, against local servers that speak the real protocols. */

import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import type { ModelServer } from "../servers/modelServer.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import {
  answer,
  messages,
  modelButton,
  newConversation,
  openChat,
  partOfAnswer,
  press,
  send,
  textOf,
} from "./support/chat.ts";
import { useSession } from "./support/session.ts";
import { answerInput, pick, quickInput, runCommand, screenshot } from "./support/workbench.ts";

const sentences = Array.from({ length: 40 }, (_, index) => `Sentence ${index + 1} of a long answer.`).join(" ");

describe("models", () => {
  let anthropic: ModelServer;
  let compatible: ModelServer;
  let page: Page;
  let chat: Frame;

  before(async () => {
    anthropic = await startAnthropicServer({ key: "sk-right" });
    compatible = await startOpenAiServer({ dialect: "vllm" });
  });
  after(async () => {
    await anthropic.close();
    await compatible.close();
  });
  const session = useSession({
    name: "models",
    settings: () => ({ "forge.anthropic.baseUrl": anthropic.url }),
  });
  before(async function () {
    this.timeout(90_000);
    page = await session.openWindow();
    chat = await openChat(page);
  });
  beforeEach(async () => {
    anthropic.reset();
    compatible.reset();
    if ((await messages(chat).count()) > 0) await newConversation(page, chat);
  });

  it("refuses a wrong key with the reason, keeps the right one, and sends it to its own host only", async () => {
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Anthropic");
    await answerInput(page, "sk-wrong");
    await quickInput(page).getByText("refused the key").waitFor();
    await screenshot(page, "models-wrong-key");
    await answerInput(page, "sk-right");
    await quickInput(page).waitFor({ state: "hidden" });

    await send(chat, "Hello over the Messages protocol");
    assert.match(await answer(chat), /Hello over the Messages protocol/);
    const keys = anthropic.requests.map(({ headers }) => headers.authorization ?? headers["x-api-key"]);
    assert.match(String(keys.at(-1)), /sk-right$/);
    assert.equal(compatible.requests.length, 0);
    await screenshot(page, "models-anthropic");
  });

  it("shows an answer while it streams, and stops it with everything that was seen", async () => {
    anthropic.script({ answer: { text: sentences }, framing: { delayMs: 40 } });
    await send(chat, "Tell me a lot");
    const seen = await partOfAnswer(chat, 120);
    await screenshot(page, "models-streaming");
    await press(chat, "Stop");
    await answer(chat, "cancelled");
    const kept = await textOf(messages(chat, "assistant").last());
    assert.ok(sentences.startsWith(kept) && kept.startsWith(seen), kept);
    await screenshot(page, "models-stopped");
  });

  it("takes the address of an OpenAI-compatible server, which needs no key", async () => {
    await runCommand(page, "Forge: Use an OpenAI-Compatible Server");
    await answerInput(page, `${compatible.url}/v1`);
    await modelButton(chat, /gpt/).waitFor();
    await send(chat, "Hello over Chat Completions");
    assert.match(await answer(chat), /Hello over Chat Completions/);
    assert.equal(anthropic.requests.filter(({ path }) => path.includes("messages")).length, 0);
  });

  const faults = [
    { title: "a page instead of a stream", fault: { kind: "html" }, words: /page instead of a model's stream/ },
    {
      title: "an overloaded service",
      fault: { kind: "errorEvent", afterPieces: 0, type: "overloaded_error", message: "Overloaded" },
      words: /overloaded|failed/,
    },
    { title: "a stream that is cut", fault: { kind: "kill", afterPieces: 5 }, words: /ended before the answer did/ },
    {
      title: "an unknown model",
      fault: { kind: "status", status: 404, type: "not_found_error", message: "model: x" },
      words: /does not offer the model/,
    },
  ] as const;
  for (const { title, fault, words } of faults) {
    it(`says in words what happened: ${title}`, async () => {
      anthropic.script({ fault, answer: { text: sentences } });
      await send(chat, "What will go wrong?");
      await chat.getByText(words).first().waitFor();
      assert.equal(await messages(chat, "user").count(), 1);
      await screenshot(page, `models-fault-${fault.kind}`);
    });
  }
});
