import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { CONTINUE_TEXT } from "../../../src/adapters/http/wireMessages.ts";
import { createOllamaProvider } from "../../../src/adapters/ollama/client.ts";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { modelId } from "../../../src/core/ids.ts";
import { listIn, member, stringField } from "../../../src/core/json.ts";
import { textMessage } from "../../../src/core/message.ts";
import { RefusedParameters } from "../../../src/core/models/refusedParameters.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { ask, nameOf, prepared } from "../../support/models/providerRequests.ts";

const TALE = "Once there was a ship, and she was called the";

/** A server's answer to a request: text in pieces, or a refusal. */
type Reply = readonly string[] | { readonly status: number; readonly message: string };

interface Wire {
  readonly provider: (fetch: typeof globalThis.fetch, refused: RefusedParameters) => Provider;
  readonly stream: (pieces: readonly string[]) => string;
  /** Requests for an answer, of which there may be others. */
  readonly path: string;
}

const sse = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");

const WIRES: Readonly<Record<"chat" | "openai" | "responses" | "messages" | "ollama", Wire>> = {
  chat: {
    path: "/chat/completions",
    provider: (fetch, refused) =>
      createOpenAiProvider({ name: "openaiCompatible", label: "x", baseUrl: "http://localhost:1/v1", fetch, refused }),
    stream: (pieces) =>
      sse([
        ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        "[DONE]",
      ]),
  },
  openai: {
    path: "/responses",
    provider: (fetch, refused) =>
      createOpenAiProvider({
        name: "openai",
        label: "x",
        apiKey: "k",
        baseUrl: "https://api.openai.com",
        fetch,
        refused,
      }),
    stream: (pieces) => WIRES.responses.stream(pieces),
  },
  responses: {
    path: "/responses",
    provider: (fetch, refused) =>
      createOpenAiProvider({
        ...{ name: "openai", label: "x", baseUrl: "http://localhost:1/v1", wire: "responses" },
        ...{ fetch, refused },
      }),
    stream: (pieces) =>
      sse([
        ...pieces.map((delta) => ({ type: "response.output_text.delta", output_index: 0, item_id: "m", delta })),
        { type: "response.completed", response: { status: "completed" } },
      ]),
  },
  messages: {
    path: "/messages",
    provider: (fetch, refused) =>
      createAnthropicProvider({ apiKey: "k", baseUrl: "http://localhost:1", fetch, refused }),
    stream: (pieces) =>
      sse([
        { type: "message_start", message: { usage: { input_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        ...pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn" } },
        { type: "message_stop" },
      ]),
  },
  ollama: {
    path: "/api/chat",
    provider: (fetch, refused) => createOllamaProvider({ baseUrl: "http://localhost:1", fetch, refused }),
    stream: (pieces) =>
      [...pieces.map((content) => ({ message: { content } })), { done: true, done_reason: "stop" }]
        .map((line) => JSON.stringify(line))
        .join("\n"),
  },
};

/** How a request asks for the rest: by the answer at its end, with the parameters for that, or in words. */
function endingOf(body: unknown): string {
  const messages = [...listIn(body, "messages"), ...listIn(body, "input")];
  const last = messages.at(-1);
  const content =
    stringField(last, "content") ||
    listIn(last, "content")
      .map((part) => stringField(part, "text"))
      .join("|");
  if (stringField(last, "role") === "user") return content === CONTINUE_TEXT ? "words" : content;
  const extras = [
    member(body, "continue_final_message") === true && member(body, "add_generation_prompt") === false ? " +flags" : "",
    member(member(body, "chat_template_kwargs"), "enable_thinking") === false ? " +noThinking" : "",
    member(body, "thinking") === undefined ? "" : " +thinking",
  ];
  return content.replace(TALE, "TALE") + extras.join("");
}

interface Case {
  readonly title: string;
  readonly wire: keyof typeof WIRES;
  readonly model?: string;
  /** The answer so far; TALE by default. */
  readonly answer?: string;
  readonly replies: readonly Reply[];
  /** Ends of the requests. */
  readonly sent: readonly string[];
  /** Text of the rest, of each time that it was asked for. */
  readonly rests: readonly string[];
}

const ECHO = [`${TALE} "`, "Queen", '".'];
const REST = [" Queen", " of the Seas."];
const JOINED = " Queen of the Seas.";
const refusal = (message: string, status = 400): Reply => ({ status, message });

const CASES: readonly Case[] = [
  { title: "llama.cpp repeats it", wire: "chat", replies: [ECHO], sent: ["TALE +flags"], rests: [' "Queen".'] },
  { title: "llama.cpp repeats it", wire: "responses", replies: [ECHO], sent: ["TALE"], rests: [' "Queen".'] },
  {
    title: "llama.cpp repeats it",
    wire: "messages",
    model: "smollm",
    replies: [ECHO],
    sent: ["TALE"],
    rests: [' "Queen".'],
  },
  { title: "vLLM goes on", wire: "chat", replies: [REST], sent: ["TALE +flags"], rests: [JOINED] },
  { title: "Ollama goes on", wire: "ollama", replies: [REST], sent: ["TALE"], rests: [JOINED] },
  {
    title: "an older Claude goes on",
    wire: "messages",
    model: "claude-sonnet-4-5",
    replies: [REST],
    sent: ["TALE"],
    rests: [JOINED],
  },
  {
    ...{ title: "white space at the end is not sent", wire: "messages", model: "claude-haiku-4-5" },
    ...{ answer: `${TALE}\n\n`, replies: [["\n\nQueen."]], sent: ["TALE"], rests: ["Queen."] },
  },
  {
    ...{ title: "a newer Claude is asked in words", wire: "messages", model: "claude-opus-5-5" },
    ...{ replies: [["the Queen of the Seas."]], sent: ["words"], rests: [JOINED] },
  },
  {
    ...{ title: "OpenAI is asked in words", wire: "openai", model: "gpt-6-luna" },
    ...{ replies: [["and she was called the Queen of the Seas."]], sent: ["words"], rests: [JOINED] },
  },
  {
    ...{ title: "OpenAI's model by another service is asked in words", wire: "chat", model: "openai/gpt-6-luna" },
    ...{ replies: [["Queen of the Seas."]], sent: ["words"], rests: [JOINED] },
  },
  {
    ...{ title: "a refusal of it is learned", wire: "chat" },
    replies: [refusal("Prefill is not supported by this model."), ["Queen of the Seas."], ["Queen."]],
    ...{ sent: ["TALE +flags", "words", "words"], rests: [JOINED, " Queen."] },
  },
  {
    ...{ title: "a refusal of it is learned", wire: "messages", model: "claude-next" },
    replies: [
      refusal("This model does not support assistant message prefill. The conversation must end with a user message."),
      ["Queen of the Seas."],
      ["Queen."],
    ],
    ...{ sent: ["TALE", "words", "words"], rests: [JOINED, " Queen."] },
  },
  {
    ...{ title: "a refusal of it is learned", wire: "responses" },
    replies: [refusal("The last message must have role user", 422), ["Queen of the Seas."], ["Queen."]],
    ...{ sent: ["TALE", "words", "words"], rests: [JOINED, " Queen."] },
  },
  {
    ...{ title: "a refusal in unknown words is learned", wire: "chat" },
    replies: [refusal("Invalid sequence."), ["Queen of the Seas."], ["Queen."]],
    ...{ sent: ["TALE +flags", "words", "words"], rests: [JOINED, " Queen."] },
  },
  {
    ...{ title: "a refusal of the parameters alone is learned", wire: "chat" },
    replies: [refusal("Extra inputs are not permitted: continue_final_message"), REST, REST],
    ...{ sent: ["TALE +flags", "TALE", "TALE"], rests: [JOINED, JOINED] },
  },
  {
    ...{ title: "llama.cpp goes on if it is not to think", wire: "chat" },
    replies: [refusal("Assistant response prefill is incompatible with enable_thinking.", 500), ECHO, ECHO],
    ...{
      sent: ["TALE +flags", "TALE +flags +noThinking", "TALE +flags +noThinking"],
      rests: [' "Queen".', ' "Queen".'],
    },
  },
  {
    ...{ title: "a new answer instead of the rest is learned", wire: "chat" },
    replies: [["A tale", " of a ship."], ["the Queen of the Seas."]],
    ...{ sent: ["TALE +flags", "words"], rests: [" A tale of a ship.", JOINED] },
  },
];

describe("the rest of a cut answer", () => {
  for (const { title, wire, model = "m", answer = TALE, replies, sent, rests } of CASES) {
    it(`L1 ${wire}: ${title}`, async () => {
      const { provider, stream, path }: Wire = WIRES[wire];
      const bodies: unknown[] = [];
      const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
        const address = input instanceof Request ? input.url : String(input);
        if (!address.includes(path)) return Promise.resolve(Response.json({}));
        const reply = replies[bodies.length];
        bodies.push(JSON.parse(typeof init?.body === "string" ? init.body : "{}"));
        assert.ok(reply !== undefined, "no further request");
        if ("message" in reply) {
          return Promise.resolve(Response.json({ error: { message: reply.message } }, { status: reply.status }));
        }
        const type = wire === "ollama" ? "application/x-ndjson" : "text/event-stream";
        return Promise.resolve(new Response(stream(reply), { headers: { "content-type": type } }));
      };
      const refused = new RefusedParameters();
      const context = [textMessage("user", "Tell a tale."), textMessage("assistant", answer)];
      const received: string[] = [];
      while (received.length < rests.length) {
        // Another provider, as in another window: what was learned is stored.
        const { text, end } = await ask(provider(fetch, refused), modelId(model), prepared(context));
        assert.equal(nameOf(end), "endTurn");
        received.push(text);
      }
      assert.deepEqual({ sent: bodies.map(endingOf), rests: received }, { sent, rests });
    });
  }
});
