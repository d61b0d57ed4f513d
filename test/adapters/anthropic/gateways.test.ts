/** Answers that gateways send in Anthropic's protocol differently from Anthropic's own service. */

import assert from "node:assert/strict";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import { startAnthropicServer } from "../../servers/anthropicServer.ts";
import type { ModelServer } from "../../servers/protocol.ts";
import type { Answer, Script } from "../../servers/script.ts";
import { realClock } from "../../support/clocks.ts";
import { ask, nameOf, type Received } from "../../support/models/providerRequests.ts";

const CALL = { id: "toolu_1", name: "get_weather", inputJson: '{"city":"Ōsaka"}' };
const ANSWER: Answer = { thinking: "Hm.", text: "I look it up.", toolCalls: [CALL] };

describe("Anthropic provider behind a gateway", () => {
  let server: ModelServer;
  before(async () => {
    server = await startAnthropicServer();
  });
  after(() => server.close());

  const asked = (...scripts: readonly Script[]): Promise<Received> => {
    server.reset();
    server.script(...scripts);
    const provider = createAnthropicProvider({ apiKey: "sk-x", baseUrl: server.url });
    const guarded = guardedProvider(provider, realClock, { retryDelayMs: 1 });
    return ask(guarded, modelId("claude-haiku-5-5"));
  };
  const checkWhole = ({ thinking, text, toolCalls, end }: Received): void => {
    assert.deepEqual(
      [thinking, text, toolCalls, nameOf(end)],
      [ANSWER.thinking, ANSWER.text, ANSWER.toolCalls, "toolUse"],
    );
  };

  it("reads a stream without event names", async () => {
    checkWhole(await asked({ answer: ANSWER, framing: { names: "missing" } }));
    checkWhole(await asked({ answer: ANSWER, framing: { names: "missing", newline: "\r\n", pieceBytes: 7 } }));
  });

  it("reads a stream in which an empty line separates event names from their data", async () => {
    checkWhole(await asked({ answer: ANSWER, framing: { names: "parted" } }));
  });

  it("reports the error that interrupted a stream without event names", async () => {
    const { text, end } = await asked({
      answer: { text: "0123456789", chunkChars: 5 },
      fault: { kind: "errorEvent", afterPieces: 1, type: "overloaded_error", message: "busy" },
      framing: { names: "missing" },
    });
    assert.deepEqual([text, nameOf(end)], ["01234", "overloaded"]);
  });

  it("reads stream errors in OpenAI's format", async () => {
    const said = { type: "content_block_start", index: 0, content_block: { type: "text", text: "Yes." } };
    const retried = ["retry", "retry"];
    for (const [code, message, expected, waited] of [
      ["429", "Slow.", "RATE_LIMITED", []],
      ["400", "prompt is too long: 210000 tokens > 200000 maximum", "contextOverflow", []],
      ["500", "Out of memory.", "serverError", retried],
    ] as const) {
      const broken = { error: { message, type: "None", param: "None", code } };
      for (const events of [[said, broken], [broken]]) {
        const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
        const raw = { fault: { kind: "raw", status: 200, contentType: "text/event-stream", body } } as const;
        const received = await asked(raw, raw, raw);
        const isSaid = events.length > 1;
        assert.deepEqual(
          [received.text, nameOf(received.end), received.waited],
          [isSaid ? "Yes." : "", expected, isSaid ? [] : waited],
          body,
        );
      }
    }
  });

  it("accepts a stream without message_stop once a stop reason was received", async () => {
    const event = (type: string, fields: object = {}): string => `data: ${JSON.stringify({ type, ...fields })}\n\n`;
    const start = event("content_block_start", { index: 0, content_block: { type: "text", text: "Yes." } });
    const stop = event("content_block_stop", { index: 0 });
    const why = event("message_delta", { delta: { stop_reason: "max_tokens" } });
    const call = { type: "tool_use", id: "toolu_1", name: "get_weather", input: {} };
    const openCall = event("content_block_start", { index: 1, content_block: call });
    for (const [body, expected] of [
      [start + stop + why, "maxTokens"],
      [`${start}${stop}${why}data: [DONE]\n\n`, "maxTokens"],
      [start + stop, "cutOff"],
      [start + stop + openCall + why, "cutOff"],
    ] as const) {
      const { text, end } = await asked({
        fault: { kind: "raw", status: 200, contentType: "text/event-stream", body },
      });
      assert.deepEqual([text, nameOf(end)], ["Yes.", expected], body);
    }
  });

  it("accepts a complete JSON message instead of a stream", async () => {
    const raw = (body: object, contentType: string | null = "application/json"): Promise<Received> =>
      asked({ fault: { kind: "raw", status: 200, contentType, body: JSON.stringify(body) } });
    const { name, id, inputJson } = CALL;
    const message = {
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: ANSWER.thinking, signature: "signed" },
        { type: "text", text: ANSWER.text },
        { type: "tool_use", id, name, input: JSON.parse(inputJson) as unknown },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 20, output_tokens: 9, cache_read_input_tokens: 5 },
    };
    const received = await raw(message);
    checkWhole(received);
    assert.deepEqual(
      [received.signatures, received.usage],
      [["signed"], { inputTokens: 25, outputTokens: 9, cacheReadTokens: 5, cacheWriteTokens: 0, reasoningTokens: 0 }],
    );
    const failed = { type: "error", error: { type: "rate_limit_error", message: "Slow." } };
    for (const contentType of ["application/json", "text/event-stream", null]) {
      checkWhole(await raw(message, contentType));
      assert.equal(nameOf((await raw(failed, contentType)).end), "RATE_LIMITED");
    }
    assert.equal(nameOf((await raw({ type: "ping" })).end), "notAStream");
  });

  it("reports a stream that ends early as cut off", async () => {
    const { text, end } = await asked({
      answer: { text: "0123456789", chunkChars: 5 },
      fault: { kind: "cleanEnd", afterPieces: 1 },
      framing: { names: "missing" },
    });
    assert.deepEqual([text, nameOf(end)], ["01234", "cutOff"]);
  });
});
