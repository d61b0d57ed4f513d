import assert from "node:assert/strict";
import type { Frame, Page } from "playwright-core";
import { startAnthropicServer } from "../servers/anthropicServer.ts";
import type { ModelServer } from "../servers/protocol.ts";
import { list, member, text as field } from "../servers/wireJson.ts";
import { startOllamaServer } from "../servers/ollamaServer.ts";
import { PromptCache } from "../servers/promptCache.ts";
import {
  answer,
  leaveContext,
  messages,
  newConversation,
  offline,
  openChat,
  openConversationMenu,
  press,
  seen,
  send,
  usageItem,
} from "./support/chat.ts";
import { picture } from "./support/pictures.ts";
import { problems } from "./support/problem.ts";
import { useSession } from "./support/session.ts";
import { answerInput, closePicker, pick, quickInput, runCommand, toast } from "./support/workbench.ts";

const key = "house-key-77aa01bb99cc55";
const instructions = "Call every boat by its name.";

describe("spending and local servers", () => {
  let ollama: ModelServer;
  let anthropic: ModelServer;
  let page: Page;
  let chat: Frame;

  before(async () => {
    ollama = await startOllamaServer({ mostContext: 16_384 });
    anthropic = await startAnthropicServer({ key, cache: new PromptCache() });
  });
  after(async () => {
    await ollama.close();
    await anthropic.close();
  });
  const session = useSession({
    name: "spending",
    localPorts: () => `ollama:${ollama.port}`,
    settings: () => ({
      "forge.anthropic.baseUrl": anthropic.url,
      "forge.instructions": instructions,
      "forge.spending.warnPerConversationUsd": 0.03,
      "forge.spending.limitPerConversationUsd": 0.15,
      "forge.tools.enabled": false,
      "forge.models": {
        "claude-sonnet-5-5": {
          price: { inputPerMillionUsd: 30, outputPerMillionUsd: 60, cacheReadPerMillionUsd: 3 },
        },
      },
    }),
  });
  before(async function () {
    this.timeout(90_000);
    page = await session.openWindow();
    chat = await openChat(page, offline);
  });

  const chats = (server: ModelServer): readonly unknown[] =>
    server.requests.filter(({ path }) => path === "/api/chat" || path === "/v1/messages").map(({ body }) => body);
  const meta = async (): Promise<string> => messages(chat, "assistant").last().locator(".meta").first().innerText();

  it("offers a server found on this machine, and sends it nothing but a model query before it is chosen", async () => {
    const offer = chat.getByRole("button", { name: /^Use Ollama/ });
    await offer.waitFor();
    await chat.getByText("Found on this machine, with 5 models").waitFor();
    await picture(page, "spending-found-server");
    assert.deepEqual([...new Set(ollama.requests.map(({ method, path }) => `${method} ${path}`))], ["GET /api/tags"]);
    await offer.click();
    await chat.getByRole("button", { name: "Model: qwen3:8b. Switch model" }).waitFor();
    await seen(chat, /qwen3:8b answers\./).waitFor();
    await picture(page, "spending-server-taken");
  });

  it("requests the whole window from Ollama, says when it is smaller, and sends the user's instructions", async () => {
    await send(chat, "When is high water?");
    await answer(chat);
    const [body] = chats(ollama);
    assert.equal(member(member(body, "options"), "num_ctx"), 32_768);
    assert.equal(member(body, "truncate"), false);
    assert.match(field(list(body, "messages")[0], "content"), new RegExp(instructions));
    assert.doesNotMatch(await meta(), /\$|price/);
    await seen(chat, /^Ollama holds only 16k tokens for qwen3:8b, not the 33k that it was asked to\./).waitFor();
    await usageItem(page)
      .getByText(/ \/ 1\dk/)
      .waitFor(); // the budget now follows the server's window
    await picture(page, "spending-ollama-cut");
  });

  it("shows the cost of an answer and its cached tokens", async () => {
    await runCommand(page, "Forge: Set API Key");
    await pick(page, "Anthropic");
    await answerInput(page, key);
    await chat.getByRole("button", { name: "Model: claude-sonnet-5-5. Switch model" }).waitFor();
    await newConversation(page, chat);
    await send(chat, `Tell me of the tides. ${"They rise and they fall. ".repeat(40)}`);
    await answer(chat);
    assert.match(await meta(), /^claude-sonnet-5-5 · .+ tokens · .+ · \$0\.0\d+$/);
    await send(chat, "And of the moon?");
    await messages(chat, "assistant", "complete").nth(1).waitFor();
    assert.match(await meta(), /· \d+ from the cache · \$0\.0\d+$/);
    await seen(chat, /^This conversation has cost \$0\.03\d, more than your warning threshold of \$0\.030/).waitFor();
    await picture(page, "spending-cost-line");
  });

  it("shows the total cost in the menu, and sets the reasoning effort for one conversation", async () => {
    await openConversationMenu(page, chat);
    await quickInput(page)
      .getByText(/This conversation \$0\.0\d+ of \$0\.15/)
      .waitFor();
    await quickInput(page)
      .getByText(/Today \$0\.0\d+/)
      .waitFor();
    await picture(page, "spending-menu");
    await pick(page, "Reasoning effort");
    await pick(page, "High");
    await quickInput(page).waitFor({ state: "hidden" });
    await openConversationMenu(page, chat);
    await quickInput(page).getByText("High, for this conversation").waitFor();
    await closePicker(page);
    await leaveContext(chat);
  });

  it("sends nothing once the spending limit is reached, and names the limit", async () => {
    const before = chats(anthropic).length;
    for (let asked = 0; asked < 12 && (await chat.locator(".tone-error").count()) === 0; asked++) {
      await send(chat, `Question ${asked}: ${"what of the tide, and what of the moon? ".repeat(20)}`);
      await chat.locator('[data-state="streaming"]').first().waitFor({ state: "detached" });
      await chat.getByRole("button", { name: "Send", exact: true }).waitFor();
    }
    const [problem] = await problems(chat);
    assert.match(
      problem?.text ?? "",
      /^Nothing was sent, because of your limit of \$0\.15 for a conversation: \$0\.\d+ is/,
    );
    assert.deepEqual(problem?.buttons, ["Open settings", "Retry", "Switch model"]);
    await picture(page, "spending-limit");
    const sent = chats(anthropic).length;
    assert.ok(sent > before);
    await press(chat, "Retry");
    await problems(chat);
    assert.equal(chats(anthropic).length, sent);
  });

  it("sends a conversation's reasoning effort with its own requests only", async () => {
    const efforts = chats(anthropic).map((body) => field(member(body, "output_config"), "effort"));
    assert.ok(efforts.includes("high"));
    await newConversation(page, chat);
    await send(chat, "And the boats?");
    await answer(chat);
    assert.equal(field(member(chats(anthropic).at(-1), "output_config"), "effort"), "");
  });

  it("tests stored keys, and copies diagnostics without any key", async () => {
    await runCommand(page, "Forge: Test API Keys");
    await quickInput(page).getByText("The key works.").waitFor();
    await picture(page, "spending-keys-tested");
    await closePicker(page);
    await runCommand(page, "Forge: Copy Diagnostics");
    const copied = toast(page, "Copied. It holds versions");
    await copied.waitFor();
    await copied.getByRole("button", { name: "Show" }).click();
    const editor = page.locator(".monaco-editor .view-lines").first();
    await editor.getByText("Forge diagnostics").waitFor();
    await picture(page, "spending-diagnostics");
    const shown = await editor.innerText();
    for (const own of [key, "tides", instructions]) assert.ok(!shown.includes(own), own);
  });
});
