/** Tool calls of Google's models are sent back with their thought signature; other models' calls with a skip mark. */

import assert from "node:assert/strict";
import { ChatDecoder } from "../../../../src/adapters/openai/chat/decode.ts";
import { createOpenAiProvider } from "../../../../src/adapters/openai/client.ts";
import { modelId, toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, type Message, type Part } from "../../../../src/core/message.ts";
import { MessageBuilder } from "../../../../src/core/journal/messageBuilder.ts";
import { contentEvent, rowContents } from "../../../../src/core/journal/stepContent.ts";
import { guardedProvider } from "../../../../src/core/stream/guardedProvider.ts";
import { isAnthropicSignature, readOpenAiSignature } from "../../../../src/adapters/http/signatures.ts";
import { startOpenAiServer } from "../../../servers/openaiServer.ts";
import { list, member } from "../../../servers/wireJson.ts";
import { realClock } from "../../../support/clocks.ts";
import { ask, nameOf, prepared } from "../../../support/models/providerRequests.ts";

const LIMITS = { contextWindow: 8_192, maxOutput: 2_048 };
const MODEL = modelId("google/gemini-3-pro");
const detail = { type: "reasoning.encrypted", data: "sealed", id: "call_b", format: "google-gemini-v1", index: 0 };
const begun = (id: string, extra: object = {}): object => ({
  id,
  function: { name: "read_file", arguments: "{}" },
  ...extra,
});
const sealed = { extra_content: { google: { thought_signature: "sealed" } } };
const stop = { choices: [{ delta: {}, finish_reason: "stop" }] };

/** The message as stored for an answer that was streamed as `deltas`. */
function stored(...deltas: readonly object[]): Message {
  const decoder = new ChatDecoder({ provider: "openaiCompatible", model: MODEL, secrets: [] });
  const events = [...deltas.map((delta) => ({ choices: [{ delta }] })), stop].flatMap((chunk) => decoder.decode(chunk));
  const builder = new MessageBuilder();
  for (const row of rowContents([...events, ...decoder.end()])) {
    const event = contentEvent(row);
    if (event !== undefined) builder.add(event, 0);
  }
  return builder.message();
}

const resultsOf = ({ parts }: Message): Message => ({
  role: "user",
  parts: parts.flatMap((part): Part[] =>
    part.kind === "toolCall" ? [{ kind: "toolResult", callId: part.callId, outcome: "ok", text: "1" }] : [],
  ),
});
const question = (...answers: readonly Message[]): readonly Message[] => [
  textMessage("user", "Read it."),
  ...answers.flatMap((answer) => [answer, resultsOf(answer)]),
];

const ANOTHERS: Message = {
  role: "assistant",
  parts: [{ kind: "toolCall", callId: toolCallId("toolu_1"), name: "read_file", inputJson: "{}" }],
};

describe("tool calls of Google's models", () => {
  /** Compares the number of requests, and the signatures of the calls in the last one. */
  const check = async (
    messages: readonly Message[],
    served: { readonly model?: string; readonly service: "google" | "openRouter"; readonly text?: string },
    expected: { readonly requests: number; readonly sent: readonly unknown[] },
  ): Promise<void> => {
    const model = { id: served.model ?? MODEL, ...LIMITS, seal: { text: "sealed", ...served } };
    const server = await startOpenAiServer({ dialect: "vllm", models: [model] });
    // OpenRouter's address selects its wire form; the requests still go to the local server.
    const host = served.service === "openRouter" ? "http://openrouter.ai" : server.url;
    const provider = guardedProvider(
      createOpenAiProvider({
        name: "openaiCompatible",
        label: "Gateway",
        baseUrl: `${host}/v1`,
        fetch: (input, init) => fetch(typeof input === "string" ? input.replace(host, server.url) : input, init),
      }),
      realClock,
    );
    const { end } = await ask(provider, modelId(model.id), prepared(messages));
    const bodies = server.requests.map(({ body }) => body);
    await server.close();
    const sent = list(bodies.at(-1), "messages").flatMap((message) =>
      list(message, "tool_calls").map((call) => member(call, "extra_content") ?? member(message, "reasoning_details")),
    );
    assert.deepEqual([nameOf(end), bodies.length, sent], ["endTurn", expected.requests, expected.sent]);
  };
  const google = (text: string): object => ({ google: { thought_signature: text } });
  const SKIP = "skip_thought_signature_validator";

  it("are sent back with Google's signature, which is stored with them", async () => {
    const answer = stored({ tool_calls: [begun("call_a", sealed), begun("call_b")] });
    assert.equal(answer.parts.length, 3);
    await check(question(answer), { service: "google" }, { requests: 1, sent: [google("sealed"), undefined] });
  });

  it("are sent back with OpenRouter's details, even when their ids change", async () => {
    const answer = stored(
      { tool_calls: [{ index: 0, ...begun("call_a") }] },
      { tool_calls: [{ index: 1, ...begun("call_b") }], reasoning_details: [{ ...detail, id: "call_a" }] },
      { reasoning_details: [detail] },
    );
    const details = [
      { ...detail, id: "call_a" },
      { ...detail, id: "call_b" },
    ];
    const again = details.map(({ id, ...rest }) => ({ ...rest, id: `${id}_2` }));
    await check(
      question(answer, answer),
      { service: "openRouter" },
      { requests: 1, sent: [details, details, again, again] },
    );
  });

  it("are marked when another model made them, once the service requires it", async () => {
    await check(question(ANOTHERS), { service: "google" }, { requests: 2, sent: [google(SKIP)] });
    const marked = [{ type: "reasoning.encrypted", data: SKIP, format: "google-gemini-v1", index: 0, id: "toolu_1" }];
    await check(question(ANOTHERS), { service: "openRouter" }, { requests: 2, sent: [marked] });
  });

  it("are sent to another model without the signature", async () => {
    const answer = stored({ tool_calls: [begun("call_a", sealed)] });
    const served = { model: "google/gemini-4", service: "google", text: "other" } as const;
    await check(question(answer), served, { requests: 2, sent: [google(SKIP)] });
  });

  it("are sent back without a signature that the service has forgotten", async () => {
    const answer = stored({ tool_calls: [begun("call_a", sealed)] });
    await check(question(answer), { service: "google", text: "new" }, { requests: 3, sent: [google(SKIP)] });
  });

  it("are marked at once at Google's own address, for models that require it", async () => {
    const sentTo = async (baseUrl: string, model: string): Promise<unknown> => {
      const bodies: unknown[] = [];
      const fetch = (_input: unknown, init?: RequestInit): Promise<Response> => {
        if (typeof init?.body === "string") bodies.push(JSON.parse(init.body));
        return Promise.resolve(new Response("", { status: 401 }));
      };
      const provider = createOpenAiProvider({ name: "openaiCompatible", label: "Google", baseUrl, fetch });
      await ask(provider, modelId(model), prepared(question(ANOTHERS)));
      return member(list(list(bodies[0], "messages")[1], "tool_calls")[0], "extra_content");
    };
    const address = "https://generativelanguage.googleapis.com/v1beta/openai/";
    assert.deepEqual(await sentTo(address, "gemini-3-pro-preview"), google(SKIP));
    assert.deepEqual(await sentTo(address, "models/gemini-flash-latest"), google(SKIP));
    assert.deepEqual(
      await sentTo("https://aiplatform.googleapis.com/v1/openapi", "google/gemini-3.8-flash"),
      google(SKIP),
    );
    assert.equal(await sentTo(address, "gemini-2.5-flash"), undefined);
    assert.equal(await sentTo("https://gateway.example/v1", "gemini-3-pro-preview"), undefined);
  });

  it("send their signature to no other service", () => {
    const { parts } = stored({ tool_calls: [begun("call_a", sealed)], reasoning_details: [detail] });
    const signatures = parts.flatMap((part) => (part.kind === "thinking" ? [part.signature ?? ""] : []));
    assert.deepEqual(
      signatures.map((signature) => [isAnthropicSignature(signature), readOpenAiSignature(signature)]),
      [
        [false, undefined],
        [false, undefined],
      ],
    );
    assert.deepEqual([isAnthropicSignature("EqQB"), isAnthropicSignature("")], [true, false]);
  });

  it("are required for a signature to be stored", () => {
    assert.deepEqual(stored({ content: "a", reasoning_details: [detail] }).parts, [{ kind: "text", text: "a" }]);
  });
});
