/** Connecting to models and streaming answers, against local servers that speak the real protocols. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { text as field } from "../servers/wireJson.ts";
import { startOpenAiServer } from "../servers/openaiServer.ts";
import {
  answer,
  composer,
  messages,
  newConversation,
  offline,
  openChat,
  openThoughts,
  partOfAnswer,
  press,
  send,
  usageItem,
} from "./support/chat.ts";
import { lastQuestion } from "./support/lastQuestion.ts";
import { picture } from "./support/pictures.ts";
import { useSession } from "./support/session.ts";
import { answerInput, closePicker, pick, quickInput, runCommand } from "./support/workbench.ts";
import { longAnswer } from "../support/texts/longAnswer.ts";

const sentences = longAnswer(70_000);
const key = "house-key-1f8a77c2d05b4e";
const wrongKey = "wrong-key-99aa00bb11cc22";
const stopped = "Stopped. Everything you saw is kept.";

describe("models", () => {
  let anthropic: ModelServer;
  let compatible: ModelServer;
  let page: Page;
  let chat: Frame;

  before(async () => {
    anthropic = await startAnthropicServer({ key });
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
    chat = await openChat(page, offline);
  });
  beforeEach(() => {
    anthropic.reset();
    compatible.reset();
  });

  /** Distinct keys that were sent to `server`, in the order of their first use. */
  const keysSentTo = (server: ModelServer): readonly string[] => [
    ...new Set(
      server.requests.map(({ headers }) =>
        String(headers["x-api-key"] ?? headers.authorization).replace("Bearer ", ""),
      ),
    ),
  ];
  const model = (name: string) => chat.getByRole("button", { name: `Model: ${name}. Switch model`, exact: true });

  it("connects to a server by its address from the empty chat, and shows thinking as one line", async () => {
    compatible.script({ answer: { thinking: "Let me look at the tides first.", text: "At noon." } });
    await chat.getByRole("button", { name: /^Use a local server/ }).click();
    await answerInput(page, "tides.example");
    await quickInput(page).getByText("An address that begins with http").waitFor();
    await answerInput(page, `${compatible.url}/v1`);
    await model("gpt-6.1-sol").waitFor();

    await send(chat, "When is high water?");
    assert.equal(await answer(chat), "At noon.");
    const thoughts = log(chat).getByText("Let me look at the tides first.");
    assert.equal(await thoughts.count(), 0);
    await openThoughts(chat);
    await thoughts.waitFor();
    await picture(page, "models-thoughts");
    assert.deepEqual([keysSentTo(compatible), anthropic.requests.length], [["undefined"], 0]);
  });

  it("rejects a wrong key with the reason, and does not store it", async () => {
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Anthropic");
    await answerInput(page, wrongKey);
    await quickInput(page).getByText("Not saved: Anthropic refused the key.").waitFor();
    assert.equal(await quickInput(page).getByText(wrongKey).count(), 0);
    await picture(page, "models-wrong-key");
    await closePicker(page);
    await runCommand(page, "Forge: Remove API Key");
    await quickInput(page).getByText("No key is stored").waitFor();
    await closePicker(page);
    assert.deepEqual(keysSentTo(anthropic), [wrongKey]);
    await model("gpt-6.1-sol").waitFor();
  });

  it("stores a valid key, uses it at once, and sends it to its own host only", async () => {
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Anthropic");
    await answerInput(page, key);
    await model("claude-sonnet-5-5").waitFor();
    assert.deepEqual(
      anthropic.requests.slice(0, 1).map(({ method, path: at }) => [method, at.split("?")[0]]),
      [["GET", "/v1/models"]],
    );
    await newConversation(page, chat);
    await model("claude-sonnet-5-5").waitFor();
    await send(chat, "How do I clamp a number?");
    await answer(chat);
    assert.deepEqual(keysSentTo(anthropic), [key]);
    assert.ok(
      compatible.requests.every(({ method, headers }) => method === "GET" && headers.authorization === undefined),
    );
  });

  it("renders Markdown, and highlights code", async () => {
    const markdown = messages(chat, "assistant").last().locator(".markdown");
    await markdown.locator('[class^="token-"]').first().waitFor();
    assert.deepEqual(
      {
        items: await markdown.locator("ol > li").allInnerTexts(),
        bold: await markdown.locator("strong").allInnerTexts(),
        language: await markdown.locator(".code-language").allInnerTexts(),
        keywords: await markdown.locator("code .token-keyword").allInnerTexts(),
        cells: await markdown.locator("td").allInnerTexts(),
      },
      {
        items: ["Read the input once and keep only what is needed.", "Check every limit before the work begins."],
        bold: ["once"],
        language: ["ts"],
        keywords: ["export", "function", "return"],
        cells: ["clamp(7, 0, 5)", "5"],
      },
    );
    await picture(page, "models-markdown");
  });

  for (const [how, stop] of [
    ["the Stop button", () => press(chat, "Stop")],
    ["Escape", () => composer(chat).press("Escape")],
  ] as const) {
    it(`stops a stream by ${how}, keeps the shown text, and asks again on Retry`, async () => {
      await newConversation(page, chat);
      anthropic.script({ answer: { text: sentences }, framing: { delayMs: 30 }, times: 1 });
      await send(chat, "Tell me a lot");
      const seen = await partOfAnswer(chat, 120);
      await stop();
      const kept = await answer(chat, "cancelled");
      assert.ok(sentences.startsWith(kept) && kept.startsWith(seen) && kept.length < sentences.length, kept);
      await log(chat).getByText(stopped, { exact: true }).waitFor();
      await picture(page, "models-stopped");

      anthropic.script({ answer: { text: "All of it this time." }, times: 1 });
      await press(chat, "Retry");
      assert.equal(await answer(chat), "All of it this time.");
      assert.deepEqual([await messages(chat, "user").count(), await messages(chat, "assistant").count()], [1, 1]);
    });
  }

  it("lists the server's models with their windows and the effect of a switch, and reports the switch", async () => {
    await newConversation(page, chat);
    await send(chat, "Which tide table?");
    await answer(chat);
    await runCommand(page, "Forge: Switch Model");
    const row = (label: string) => page.locator(".quick-input-list .monaco-list-row", { hasText: label });
    await row("claude tiny test").waitFor();
    await picture(page, "models-picker");
    for (const [label, description] of [
      ["claude opus 5 5", "claude-opus-5-5 · 1M window"],
      ["claude sonnet 5 5", "In use"],
      ["claude tiny test", "claude-tiny-test · 6k window"],
      ["claude tiny test", "Everything fits as it is"],
    ] as const) {
      await row(label).getByText(description).first().waitFor();
    }
    await pick(page, "claude tiny test");
    await log(chat).getByText("Model: claude-tiny-test. Everything fits as it is.").waitFor();
    await model("claude-tiny-test").waitFor();
    await send(chat, "And now?");
    await messages(chat, "assistant", "complete").nth(1).waitFor();
    assert.equal(field(lastQuestion(anthropic), "model"), "claude-tiny-test");
  });

  it("restores everything after a reload", async () => {
    const before = await messages(chat).allInnerTexts();
    assert.equal(before.length, 4);
    await page.reload();
    chat = await openChat(page);
    await messages(chat).nth(3).waitFor();
    assert.deepEqual(await messages(chat).allInnerTexts(), before);
    await log(chat).getByText("Model: claude-tiny-test.").waitFor();
    await usageItem(page).getByText(" / 4.8k").waitFor(); // the server has told its limits again
    await send(chat, "Still the same key?");
    await messages(chat, "assistant", "complete").nth(2).waitFor();
    assert.deepEqual(keysSentTo(anthropic), [key]);
  });

  it("leaves no key in settings, logs or storage", () => {
    const holding = (words: string): readonly string[] => filesHolding(session.server.runDirectory, words);
    assert.ok(
      holding("Which tide table?").some((file) => file.endsWith("conversation.sqlite") || file.endsWith("-wal")),
      "the search finds what is stored",
    );
    assert.deepEqual([holding(key), holding(wrongKey)], [[], []]);
  });
});

/** The transcript, without screen reader announcements. */
function log(chat: Frame): Locator {
  return chat.getByRole("log");
}

/** Files under `directory` that contain `words`, as relative paths. */
function filesHolding(directory: string, words: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => {
    const file = path.join(directory, name);
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && readFileSync(file).includes(words);
  });
}
