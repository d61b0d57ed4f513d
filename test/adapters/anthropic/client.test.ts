import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { AnthropicDecoder } from "../../../src/adapters/anthropic/decode.ts";
import { API_VERSIONS } from "../../../src/adapters/anthropic/messagesClient.ts";
import { modelId, toolCallId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";
import { member } from "../../servers/wireJson.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, NEVER, prepared } from "../../support/models/providerRequests.ts";

const KEY = "sk-ant-0123456789abcdef";
const MODEL = modelId("claude-haiku-5-5");

describe("Anthropic provider", () => {
  it("sends the same API version as the official SDK", async () => {
    let version: string | null = null;
    const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
      version = new Headers(init?.headers).get("anthropic-version");
      return Promise.resolve(Response.json({ data: [], has_more: false }));
    };
    await new Anthropic({ apiKey: KEY, authToken: null, baseURL: "http://localhost", fetch }).models.list();
    assert.equal(version, API_VERSIONS.bearer);
  });

  it("lists the models of every page with their limits", async () => {
    const server = await startAnthropicServer({ key: KEY });
    const listed = await createAnthropicProvider({ apiKey: KEY, baseUrl: `${server.url}/v1/` }).listModels(NEVER);
    await server.close();
    assert.ok(listed.ok);
    assert.deepEqual(
      listed.value.map(({ id, limits }) => [id, limits?.contextWindow, limits?.maxOutput]),
      [
        ["claude-opus-5-5", 1_000_000, 128_000],
        ["claude-sonnet-5-5", 1_000_000, 64_000],
        ["claude-haiku-5-5", 200_000, 64_000],
        ["claude-tiny-test", 6_000, 1_000],
      ],
    );
  });

  it("sends the key in the x-api-key header when configured", async () => {
    const server = await startAnthropicServer({ key: KEY });
    const provider = createAnthropicProvider({ apiKey: KEY, baseUrl: server.url, headerStyle: "xApiKey" });
    const { end } = await ask(guardedProvider(provider, realClock), MODEL);
    const { headers } = server.requests[0] ?? assert.fail();
    await server.close();
    assert.deepEqual(
      [nameOf(end), headers["x-api-key"], headers.authorization, headers["anthropic-version"]],
      ["endTurn", KEY, undefined, "2023-06-01"],
    );
  });

  it("reports why the service refused a request", async () => {
    const server = await startAnthropicServer({ key: KEY });
    const provider = guardedProvider(createAnthropicProvider({ apiKey: KEY, baseUrl: server.url }), realClock);
    const long = await ask(provider, modelId("claude-tiny-test"), prepared("word ".repeat(6_000)));
    const unknown = await ask(provider, modelId("claude-3-haiku"));
    await server.close();
    assert.deepEqual([nameOf(long.end), nameOf(unknown.end)], ["contextOverflow", "MODEL_UNKNOWN"]);
  });

  it("lowers max_tokens to the limit that the service states, and remembers it", async () => {
    const server = await startAnthropicServer({ key: KEY });
    const message = "max_tokens: 500 > 300, which is the maximum allowed number of output tokens for claude-haiku-5-5";
    server.script({ times: 1, fault: { kind: "status", status: 400, type: "invalid_request_error", message } });
    const provider = createAnthropicProvider({ apiKey: KEY, baseUrl: server.url });
    const ends = [await ask(provider, MODEL), await ask(provider, MODEL)].map(({ end }) => nameOf(end));
    const limits = server.requests.map(({ body }) => member(body, "max_tokens"));
    await server.close();
    assert.deepEqual(
      [ends, limits],
      [
        ["endTurn", "endTurn"],
        [500, 300, 300],
      ],
    );
  });

  describe("decoder", () => {
    type Event = Parameters<AnthropicDecoder["decode"]>[0];
    // The wire is untyped: the decoder has to tolerate any event.
    const decode = (events: readonly object[]): unknown => {
      const decoder = new AnthropicDecoder();
      return events.flatMap((event) => decoder.decode(event as Event));
    };
    const start = (index: number, content_block: object): object => ({
      type: "content_block_start",
      index,
      content_block,
    });
    const delta = (index: number, said: object): object => ({ type: "content_block_delta", index, delta: said });
    const stop = (index: number): object => ({ type: "content_block_stop", index });

    it("passes on the empty input of a call without parameters", () => {
      const callId = toolCallId("toolu_1");
      assert.deepEqual(
        decode([
          start(0, { type: "tool_use", id: "toolu_1", name: "now", input: {} }),
          delta(0, { type: "input_json_delta", partial_json: "" }),
          stop(0),
        ]),
        [
          { kind: "toolCallStart", callId, name: "now" },
          { kind: "toolCallArgs", callId, json: "{}" },
        ],
      );
    });
    it("emits no input for a truncated call", () => {
      const callId = toolCallId("toolu_1");
      assert.deepEqual(decode([start(0, { type: "tool_use", id: "toolu_1", name: "now", input: {} })]), [
        { kind: "toolCallStart", callId, name: "now" },
      ]);
    });
    it("§6 preserves redacted thinking, and a signature in pieces", () => {
      const thinking = { type: "thinking", thinking: "", signature: "" };
      assert.deepEqual(
        decode([
          start(0, { type: "redacted_thinking", data: "X" }),
          stop(0),
          start(1, thinking),
          delta(1, { type: "signature_delta", signature: "a" }),
          delta(1, { type: "signature_delta", signature: "b" }),
          stop(1),
        ]),
        [
          { kind: "thinkingSignature", signature: "redacted:X" },
          { kind: "thinkingSignature", signature: "ab" },
        ],
      );
    });
    it("ignores unknown events, blocks and deltas", () => {
      assert.deepEqual(
        decode([
          { type: "new_thing" },
          start(0, { type: "server_tool_use", id: "x" }),
          delta(0, { type: "citations_delta" }),
          delta(7, { type: "input_json_delta", partial_json: "1" }),
          stop(0),
        ]),
        [],
      );
    });
    it("tolerates a gateway that omits initial block fields and the stop reason", () => {
      const callId = toolCallId("toolu_1");
      assert.deepEqual(
        decode([
          start(0, { type: "thinking" }),
          delta(0, { type: "thinking_delta", thinking: "Hm." }),
          stop(0),
          start(1, { type: "text" }),
          { type: "content_block_delta", index: 1 },
          stop(1),
          start(2, { type: "tool_use", id: "toolu_1", name: "now" }),
          stop(2),
          { type: "message_stop" },
        ]),
        [
          { kind: "thinking", text: "Hm." },
          { kind: "toolCallStart", callId, name: "now" },
          { kind: "toolCallArgs", callId, json: "{}" },
          { kind: "done", stopReason: "toolUse" },
        ],
      );
    });
    it("assigns distinct ids to calls with duplicate or missing ids", () => {
      const call = (index: number, fields: object): readonly object[] => [
        start(index, { type: "tool_use", name: "now", ...fields }),
        stop(index),
      ];
      const told = (id: string): readonly object[] => [
        { kind: "toolCallStart", callId: toolCallId(id), name: "now" },
        { kind: "toolCallArgs", callId: toolCallId(id), json: "{}" },
      ];
      assert.deepEqual(decode([...call(0, { id: "a" }), ...call(1, { id: "a" }), ...call(2, {})]), [
        ...told("a"),
        ...told("a_2"),
        ...told("call_2"),
      ]);
    });
    it("tolerates a gateway that omits usage", () => {
      const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
      assert.deepEqual(
        decode([
          { type: "message_start", message: {} },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: null },
          { type: "message_stop" },
        ]),
        [
          { kind: "usage", usage: none },
          { kind: "usage", usage: none },
          { kind: "done", stopReason: "endTurn" },
        ],
      );
    });
  });
});
