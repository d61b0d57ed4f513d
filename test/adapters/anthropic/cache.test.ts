import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../src/core/message.ts";
import { RefusedParameters } from "../../../src/core/models/refusedParameters.ts";
import type { StreamOptions } from "../../../src/core/stream/provider.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import { member } from "../../servers/wireJson.ts";
import { PromptCache } from "../../servers/promptCache.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, fold, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const MODEL = modelId("claude-haiku-5-5");
const SYSTEM = "You are an assistant. ".repeat(20);

/** One round of `calls` tool calls with their results: twice as many blocks. */
function round(calls: number): readonly Message[] {
  const ids = Array.from({ length: calls }, (_, index) => toolCallId(`call_${String(index)}`));
  return [
    { role: "assistant", parts: ids.map((callId) => ({ kind: "toolCall", callId, name: "read", inputJson: "{}" })) },
    { role: "user", parts: ids.map((callId) => ({ kind: "toolResult", callId, outcome: "ok", text: "const a = 1;" })) },
  ];
}

describe("Anthropic prompt cache", () => {
  let server: ModelServer;
  afterEach(() => server.close());

  it("covers the whole previous request in each request, across turns and rounds with many tool calls", async () => {
    server = await startAnthropicServer({ cache: new PromptCache() });
    const provider = guardedProvider(createAnthropicProvider({ apiKey: "k", baseUrl: server.url }), realClock);
    const turns: readonly (readonly Message[])[] = [
      [textMessage("user", "What is a clamp? ".repeat(30))],
      [textMessage("assistant", "A function."), textMessage("user", "Show it.")],
      round(3),
      round(40),
      [textMessage("assistant", "There are many."), textMessage("user", "Go on.")],
    ];
    const messages: Message[] = [];
    let sentTokens = 0;
    for (const [index, turn] of turns.entries()) {
      messages.push(...turn);
      const { usage, end } = await ask(provider, MODEL, prepared(messages, SYSTEM));
      assert.equal(nameOf(end), "endTurn");
      const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
      assert.equal(cacheReadTokens, sentTokens, `request ${String(index)} reads what was sent before it`);
      assert.ok(cacheWriteTokens > 0, "and writes the rest");
      sentTokens = cacheReadTokens + cacheWriteTokens;
    }
  });

  it("retries at once without a parameter that the model refuses, and remembers the refusal", async () => {
    server = await startAnthropicServer({
      models: [{ id: MODEL, contextWindow: 9_000, maxOutput: 2_000, refuses: ["output_config.effort", "thinking"] }],
    });
    const refused = new RefusedParameters();
    const provider = guardedProvider(createAnthropicProvider({ apiKey: "k", baseUrl: server.url, refused }), realClock);
    const options: StreamOptions = { model: MODEL, maxOutputTokens: 500, reasoningEffort: "low" };
    for (const expected of [3, 4]) {
      const events: StreamEvent[] = [];
      for await (const event of provider.stream(prepared("Hi"), options, NEVER)) events.push(event);
      assert.deepEqual([nameOf(fold(events).end), server.requests.length], ["endTurn", expected]);
    }
    const { body } = server.requests.at(-1) ?? {};
    assert.deepEqual([member(body, "thinking"), member(body, "output_config")], [undefined, undefined]);
  });
});

describe("RefusedParameters", () => {
  it("stores refusals per model across restarts and discards the oldest", () => {
    let stored: unknown;
    const store = { get: () => stored, set: (value: unknown) => void (stored = value) };
    const first = new RefusedParameters(store);
    for (let index = 0; index < 300; index++) first.add(modelId(`model-${String(index)}`), "thinking");
    const second = new RefusedParameters(store);
    assert.deepEqual(
      [second.has(modelId("model-299"), "thinking"), second.has(modelId("model-299"), "other")],
      [true, false],
    );
    assert.deepEqual([second.has(modelId("model-0"), "thinking")], [false]);
  });
  it("starts empty when the stored value is missing or unreadable", () => {
    for (const value of [undefined, null, 7, "x", { m: 7 }, { m: [7] }]) {
      const refused = new RefusedParameters({ get: () => value, set: () => undefined });
      assert.equal(refused.has(modelId("m"), "7"), false);
    }
  });
});
