import assert from "node:assert/strict";
import { createOpenAiProvider } from "../../../../src/adapters/openai/client.ts";
import { ResponsesDecoder } from "../../../../src/adapters/openai/responses/decode.ts";
import { modelId, toolCallId } from "../../../../src/core/ids.ts";
import { textMessage } from "../../../../src/core/message.ts";
import { RefusedParameters } from "../../../../src/core/models/refusedParameters.ts";
import type { StreamOptions } from "../../../../src/core/stream/provider.ts";
import { guardedProvider } from "../../../../src/core/stream/guardedProvider.ts";
import { openAiSignature } from "../../../../src/adapters/http/signatures.ts";
import type { StreamEvent } from "../../../../src/core/stream/streamEvent.ts";
import type { ModelServer } from "../../../servers/protocol.ts";
import { member, text } from "../../../servers/wireJson.ts";
import { startOpenAiServer } from "../../../servers/openaiServer.ts";
import { startResponsesServer } from "../../../servers/responsesServer.ts";
import { realClock } from "../../../support/clocks.ts";
import { ask, fold, nameOf, NEVER, prepared, type Received } from "../../../support/models/providerRequests.ts";

const MODEL = modelId("gpt-6-luna");

describe("OpenAI through the Responses API", () => {
  let server: ModelServer;
  afterEach(() => server.close());
  const settings = (refused?: RefusedParameters): Parameters<typeof createOpenAiProvider>[0] => ({
    name: "openai",
    label: "OpenAI",
    apiKey: "sk-x",
    baseUrl: server.url,
    ...(refused === undefined ? {} : { refused }),
  });
  const paths = (): readonly string[] => server.requests.map(({ path }) => path);

  it("falls back to Chat Completions for a gateway without Responses, and remembers it", async () => {
    server = await startOpenAiServer();
    const provider = guardedProvider(createOpenAiProvider(settings()), realClock);
    const first = await ask(provider, MODEL);
    const second = await ask(provider, MODEL);
    assert.deepEqual([nameOf(first.end), nameOf(second.end)], ["endTurn", "endTurn"]);
    assert.deepEqual(paths(), ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]);
  });

  it("does not mistake a missing model for a missing address", async () => {
    server = await startResponsesServer();
    const provider = guardedProvider(createOpenAiProvider(settings()), realClock);
    assert.equal(nameOf((await ask(provider, modelId("gpt-3.5-turbo"))).end), "MODEL_UNKNOWN");
    assert.deepEqual(paths(), ["/v1/responses"]);
  });

  it("omits a parameter that a model refuses, at once and in later requests", async () => {
    const models = [
      { id: "gpt-6-luna", contextWindow: 9_000, maxOutput: 1_000, refuses: ["reasoning.effort", "text.verbosity"] },
    ];
    server = await startResponsesServer({ models });
    const refused = new RefusedParameters();
    const asked = async (): Promise<Received> => {
      const provider = guardedProvider(createOpenAiProvider(settings(refused)), realClock);
      const options: StreamOptions = {
        model: MODEL,
        maxOutputTokens: 500,
        reasoningEffort: "high",
        answerLength: "short",
      };
      const events: StreamEvent[] = [];
      for await (const event of provider.stream(prepared("Hi"), options, NEVER)) events.push(event);
      return fold(events);
    };
    const first = await asked();
    assert.deepEqual([nameOf(first.end), first.waited, server.requests.length], ["endTurn", [], 3]);
    await asked();
    const [, , third, fourth] = server.requests.map(({ body }) => [member(body, "reasoning"), member(body, "text")]);
    assert.deepEqual([third, fourth], Array(2).fill([{ summary: "auto" }, undefined]));
    assert.equal(server.requests.length, 4);
  });

  it("continues without reasoning that another key encrypted", async () => {
    server = await startResponsesServer();
    const provider = guardedProvider(createOpenAiProvider(settings()), realClock);
    const signature = openAiSignature({ id: "rs_1", encrypted: "foreign" });
    const answer = {
      role: "assistant" as const,
      parts: [
        { kind: "thinking" as const, text: "Hm.", signature },
        { kind: "text" as const, text: "Seven." },
      ],
    };
    const question = prepared([textMessage("user", "Three and four?"), answer, textMessage("user", "Why?")]);
    assert.equal(nameOf((await ask(provider, MODEL, question)).end), "endTurn");
    const sent = server.requests.map(({ body }) => JSON.stringify(body).includes("foreign"));
    assert.deepEqual(sent, [true, false]);
  });

  it("stores nothing at the service", async () => {
    server = await startResponsesServer();
    await ask(guardedProvider(createOpenAiProvider(settings()), realClock), MODEL);
    assert.equal(member(server.requests[0]?.body, "store"), false);
    assert.equal(text(server.requests[0]?.body, "previous_response_id"), "");
  });
});

describe("Responses decoder", () => {
  const decode = (events: readonly object[]): readonly StreamEvent[] => {
    const decoder = new ResponsesDecoder({ provider: "openai", secrets: [] });
    return events.flatMap((event) => decoder.decode(event));
  };
  const callId = toolCallId("call_1");
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "now", arguments: "{}" };
  const added = (item: object, output_index = 0): object => ({
    type: "response.output_item.added",
    output_index,
    item,
  });
  const done = (item: object, output_index = 0): object => ({ type: "response.output_item.done", output_index, item });
  const started = { kind: "toolCallStart", callId, name: "now" };

  it("counts a repeated event once", () => {
    const delta = { type: "response.output_text.delta", output_index: 0, delta: "a", sequence_number: 4 };
    assert.deepEqual(decode([delta, delta, { ...delta, sequence_number: 5 }]), [
      { kind: "text", text: "a" },
      { kind: "text", text: "a" },
    ]);
  });
  it("starts a call once, and takes from its end what was not streamed", () => {
    assert.deepEqual(decode([added({ ...call, arguments: "" }), added(call), done(call), done(call)]), [
      started,
      { kind: "toolCallArgs", callId, json: "{}" },
    ]);
  });
  it("accepts items that are not streamed", () => {
    const message = { type: "message", id: "m", content: [{ type: "output_text", text: "Hello" }] };
    const reasoning = {
      type: "reasoning",
      id: "rs_1",
      summary: [{ text: "One" }, { text: "Two" }],
      encrypted_content: "X",
    };
    assert.deepEqual(decode([done(reasoning, 0), done(message, 1), done(call, 2)]), [
      { kind: "thinking", text: "One\n\nTwo" },
      { kind: "thinkingSignature", signature: "openai:rs_1 X" },
      { kind: "text", text: "Hello" },
      started,
      { kind: "toolCallArgs", callId, json: "{}" },
    ]);
  });
  it("separates calls when a gateway gives them the same id, or none", () => {
    const told = (id: string): readonly object[] => [
      { ...started, callId: toolCallId(id) },
      { kind: "toolCallArgs", callId: toolCallId(id), json: call.arguments },
    ];
    const unnamed = { ...call, call_id: undefined };
    assert.deepEqual(decode([done(call, 0), done(call, 1), done(unnamed, 2)]), [
      ...told(call.call_id),
      ...told(`${call.call_id}_2`),
      ...told("call_2"),
    ]);
  });
  it("gives an incomplete call no input", () => {
    assert.deepEqual(decode([added({ ...call, arguments: "" })]), [started]);
  });
  it("separates the parts of a reasoning summary", () => {
    const part = (summary_index: number): object => ({ type: "response.reasoning_summary_part.added", summary_index });
    const words = (delta: string): object => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      delta,
    });
    assert.deepEqual(decode([part(0), words("One"), part(1), words("Two")]), [
      { kind: "thinking", text: "One" },
      { kind: "thinking", text: "\n\n" },
      { kind: "thinking", text: "Two" },
    ]);
  });
  it("reports the error of a failed response", () => {
    const check = (code: string, expected: string): void => {
      const response = { status: "failed", error: { code, message: "Sorry." } };
      const [event] = decode([{ type: "response.failed", response }]);
      assert.equal(event?.kind === "failed" ? nameOf({ error: event.error }) : event?.kind, expected);
    };
    check("rate_limit_exceeded", "RATE_LIMITED");
    check("server_error", "serverError");
    check("context_length_exceeded", "contextOverflow");
  });
  it("accepts nearly empty events", () => {
    assert.deepEqual(
      decode([
        {},
        { type: "response.output_item.added" },
        { type: "response.output_text.delta" },
        { type: "response.function_call_arguments.delta", delta: "{}" },
        { type: "response.new_thing" },
        { type: "response.completed" },
      ]),
      [{ kind: "done", stopReason: "endTurn" }],
    );
  });
});
