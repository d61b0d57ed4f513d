import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startOpenAiServer } from "../../servers/openaiServer.ts";
import { startResponsesServer } from "../../servers/responsesServer.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import { member } from "../../servers/wireJson.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, type Received } from "../../support/models/providerRequests.ts";

const MODEL = modelId("gpt-6-luna");
const CALL = { id: "call_1", name: "get_weather", inputJson: '{"city":"Ōsaka"}' };
const USAGE = { inputTokens: 20, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 0, reasoningTokens: 4 };

type Wire = "chat" | "responses";

/** Content types other than JSON that servers give an unstreamed answer. */
const OTHER_TYPES = ["text/event-stream", "text/plain", "text/html", null];

async function answered(wire: Wire, contentType: string | null, body: string): Promise<Received> {
  const start = wire === "chat" ? startOpenAiServer : startResponsesServer;
  const server: ModelServer = await start();
  server.script({ fault: { kind: "raw", status: 200, contentType, body } });
  const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", baseUrl: server.url, wire });
  const received = await ask(guardedProvider(provider, realClock), MODEL);
  const asked = server.requests.length;
  await server.close();
  assert.equal(asked, 1);
  return received;
}

describe("an answer that is not streamed although a stream was requested", () => {
  const chat = (message: object, finish_reason: string | null): object => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  });
  const call = { id: CALL.id, type: "function", function: { name: CALL.name, arguments: CALL.inputJson } };
  const check = async (wire: Wire, body: object, expected: Partial<Received>, end: string): Promise<void> => {
    const nothing = { text: "", thinking: "", signatures: [], toolCalls: [], usage: USAGE, waited: [] };
    for (const contentType of ["application/json; charset=utf-8", ...OTHER_TYPES]) {
      const received = await answered(wire, contentType, JSON.stringify(body, null, 2));
      assert.deepEqual(
        { ...received, end: nameOf(received.end) },
        { ...nothing, ...expected, end },
        String(contentType),
      );
    }
  };

  it("is read like a streamed one", async () => {
    await check(
      "chat",
      chat({ content: "Yes.", reasoning_content: "Hm." }, "stop"),
      { text: "Yes.", thinking: "Hm." },
      "endTurn",
    );
    await check("chat", chat({ content: "Yes." }, null), { text: "Yes." }, "endTurn");
    await check("chat", chat({ content: "It goes on and" }, "length"), { text: "It goes on and" }, "maxTokens");
    await check("chat", chat({ content: null, refusal: "No." }, "stop"), { text: "No." }, "refusal");
  });

  it("may consist of calls", () =>
    check("chat", chat({ content: null, tool_calls: [call] }, "tool_calls"), { toolCalls: [CALL] }, "toolUse"));

  it("may have 440,000 characters", () => {
    const text = "All work and no play.\n".repeat(20_000);
    return check("chat", chat({ content: text }, "stop"), { text }, "endTurn");
  });

  it("is read like a streamed one with the Responses protocol", () => {
    const body = {
      object: "response",
      status: "completed",
      error: null,
      output: [
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "X" },
        { type: "message", content: [{ type: "output_text", text: "I look." }] },
        { type: "function_call", call_id: CALL.id, name: CALL.name, arguments: CALL.inputJson },
      ],
      usage: {
        input_tokens: 20,
        output_tokens: 9,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens_details: { reasoning_tokens: 4 },
      },
    };
    const expected = { text: "I look.", thinking: "Hm.", signatures: ["openai:rs_1 X"], toolCalls: [CALL] };
    return check("responses", body, expected, "toolUse");
  });

  it("is an error if it contains one, and no answer if it is empty", async () => {
    const error = { error: { message: "Slow.", type: "rate_limit_error" } };
    for (const wire of ["chat", "responses"] as const) {
      for (const contentType of OTHER_TYPES) {
        assert.equal(nameOf((await answered(wire, contentType, JSON.stringify(error))).end), "RATE_LIMITED");
        assert.equal(
          nameOf((await answered(wire, contentType, "{}")).end),
          contentType === "text/html" ? "notAStream" : "cutOff",
        );
      }
      for (const [body, expected] of [
        [error, "RATE_LIMITED"],
        [{ choices: [] }, "notAStream"],
        [{ status: "ok" }, "notAStream"],
        [[], "notAStream"],
      ] as const) {
        const { end } = await answered(wire, "application/json", JSON.stringify(body));
        assert.equal(nameOf(end), expected, JSON.stringify(body));
      }
    }
  });
});

describe("a model that this account cannot stream", () => {
  it("is asked without streaming from then on", async () => {
    const message = { role: "assistant", content: "Yes." };
    const output = [{ type: "message", content: [{ type: "output_text", text: "Yes." }] }];
    const whole = {
      chat: { choices: [{ message, finish_reason: "stop" }] },
      responses: { object: "response", status: "completed", output },
    };
    const words = "Your organization must be verified to stream this model. Please go to: https://example.com";
    const raw = JSON.stringify({ error: { message: words, param: "stream" } });
    for (const wire of ["chat", "responses"] as const) {
      for (const [contentType, error] of [
        [
          "application/json",
          { message: words, type: "invalid_request_error", param: "stream", code: "unsupported_value" },
        ],
        ["application/json", { message: "Provider returned error", code: 400, metadata: { raw } }],
        ["text/plain", { message: "Streaming is not supported by this deployment." }],
      ] as const) {
        const asked: unknown[] = [];
        const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
          assert.ok(typeof init?.body === "string");
          const body: unknown = JSON.parse(init.body);
          asked.push([member(body, "stream"), member(body, "stream_options")]);
          const isStreamed = member(body, "stream") === true;
          const headers = { "content-type": contentType };
          return Promise.resolve(
            isStreamed ? Response.json({ error }, { status: 400 }) : Response.json(whole[wire], { headers }),
          );
        };
        const baseUrl = "https://any.example/v1";
        const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Any", baseUrl, wire, fetch });
        const [first, second] = [await ask(provider, MODEL), await ask(provider, MODEL)];
        assert.deepEqual(
          [first.text, nameOf(first.end), second.text, nameOf(second.end)],
          ["Yes.", "endTurn", "Yes.", "endTurn"],
        );
        const options = wire === "chat" ? { include_usage: true } : undefined;
        const atOnce = [false, undefined];
        assert.deepEqual(asked, [[true, options], atOnce, atOnce]);
      }
    }
  });
});
