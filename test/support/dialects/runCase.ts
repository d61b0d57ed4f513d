/** Runs a case with the real adapter, against a server on this machine or a given `fetch`. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createAnthropicProvider } from "../../../src/adapters/anthropic/client.ts";
import { createOllamaProvider } from "../../../src/adapters/ollama/client.ts";
import { createOpenAiProvider } from "../../../src/adapters/openai/client.ts";
import { promptContext } from "../../../src/core/context/request/promptContext.ts";
import type { PreparedContext } from "../../../src/core/context/request/preparedContext.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import { modelId } from "../../../src/core/ids.ts";
import { tryParseJson } from "../../../src/core/json.ts";
import { textMessage } from "../../../src/core/message.ts";
import { guardedProvider } from "../../../src/core/stream/guardedProvider.ts";
import type { Provider } from "../../../src/core/stream/provider.ts";
import { realClock } from "../clocks.ts";
import { ask, NEVER } from "../models/providerRequests.ts";
import type { DialectCase, Protocol, RightAnswer, RightError, RightList, WireAnswer } from "./dialectCase.ts";

/** Retries take no time. */
const LIMITS = { retryDelayMs: 1, maxRetryDelayMs: 5 };

const ANSWER_PATH = /\/(?:chat\/completions|responses|messages|api\/chat)$/;
/** Not the paths of other APIs, under which windows are looked for. */
const LIST_PATH = /^\/(?:v1\/models|api\/tags)$/;

/** The result of the case, to be compared with its `right`. */
export async function runCase(tried: DialectCase): Promise<RightAnswer | RightList> {
  const counted = { requests: 0 };
  const server = createServer((request, response) => {
    request.resume();
    const sent = answerTo(tried, new URL(request.url ?? "/", "http://localhost").pathname, counted);
    response.writeHead(sent.status ?? 200, headersOf(tried.protocol, sent));
    response.end(sent.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const baseUrl = `http://127.0.0.1:${String(address.port)}`;
  try {
    return await resultOf(tried, makeProvider(tried, { baseUrl }), counted);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The same with the bytes of each answer in chunks that end at `cuts` (any numbers; taken modulo the length). */
export async function runInChunks(tried: DialectCase, cuts: readonly number[]): Promise<RightAnswer | RightList> {
  const counted = { requests: 0 };
  const answered: typeof fetch = (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const sent = answerTo(tried, pathname, counted);
    const chunks = chunksOf(new TextEncoder().encode(sent.body), cuts);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = new Response(body, { status: sent.status ?? 200, headers: headersOf(tried.protocol, sent) });
    return Promise.resolve(response);
  };
  return resultOf(tried, makeProvider(tried, { baseUrl: "http://localhost:9", fetch: answered }), counted);
}

function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((one, other) => one - other);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function answerTo({ wire, asks = "answer" }: DialectCase, path: string, counted: { requests: number }): WireAnswer {
  const isAsked = (asks === "answer" ? ANSWER_PATH : LIST_PATH).test(path);
  if (!isAsked) return { status: 404, headers: { "content-type": "application/json" }, body: "{}" };
  const sent = wire[Math.min(counted.requests, wire.length - 1)];
  assert.ok(sent, "no answer");
  counted.requests++;
  return sent;
}

function headersOf(protocol: Protocol, { headers }: WireAnswer): Record<string, string> {
  const type = protocol === "ollama" ? "application/x-ndjson" : "text/event-stream";
  return { ...(headers ?? { "content-type": type }) };
}

interface Address {
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
}

function makeProvider({ protocol }: DialectCase, address: Address): Provider {
  const inner = (): Provider => {
    switch (protocol) {
      case "messages":
        return createAnthropicProvider({ apiKey: "key", ...address });
      case "chat":
      case "responses":
        return createOpenAiProvider({ name: "openaiCompatible", label: "Hosted", wire: protocol, ...address });
      case "ollama":
        return createOllamaProvider(address);
    }
  };
  return guardedProvider(inner(), realClock, LIMITS);
}

async function resultOf(
  { asks = "answer", context = {} }: DialectCase,
  provider: Provider,
  counted: { readonly requests: number },
): Promise<RightAnswer | RightList> {
  if (asks === "models") {
    const listed = await provider.listModels(NEVER);
    return { models: listed.ok ? listed.value : withoutWording(listed.error), requests: counted.requests };
  }
  const received = await ask(provider, modelId(context.model ?? "any"), planned(context));
  const { text, thinking, signatures, toolCalls, usage, end } = received;
  assert.ok(end !== undefined, "no end");
  return {
    text,
    thinking,
    signatures,
    toolCalls: toolCalls.map(({ name, inputJson }) => ({ name, input: tryParseJson(inputJson) ?? inputJson })),
    usage,
    end: "stopReason" in end ? end.stopReason : withoutWording(end.error),
    requests: counted.requests,
  };
}

function planned({
  contextWindow = 1_000_000,
  maxOutputTokens = 500,
  messages = [textMessage("user", "What is a clamp?")],
  model = "any",
}: NonNullable<DialectCase["context"]>): PreparedContext {
  const request = promptContext({
    model: modelId(model),
    limits: { contextWindow, maxOutput: maxOutputTokens },
    systemPrompt: "",
    messages,
    tokens: messages.map(() => ({ cl100k: 1, o200k: 1 })),
  });
  assert.ok(request.ok);
  return request.value;
}

function withoutWording(error: ForgeError): RightError {
  const { ...told }: ForgeError & { detail?: string; message?: string } = error;
  delete told.detail;
  delete told.message;
  return told;
}
