/** A local server for Anthropic's Messages API (`POST /v1/messages`, `GET /v1/models`), as strict as the real one. */

import { boundSignature, refuseBinding } from "./anthropicBinding.ts";
import { refuseMessages } from "./anthropicRules.ts";
import type { PromptCache } from "./promptCache.ts";
import type { Answer } from "./script.ts";
import { startModelServer } from "./modelServer.ts";
import type { ModelServer, PlainAnswer, Protocol, RecordedRequest, ServedModel, ServerOptions } from "./protocol.ts";
import { estimateTokens, lastUserText, pieces, text } from "./wireJson.ts";
import type { WireEvent } from "./streamWriter.ts";

/** Default models; a test can fill the window of the last one. */
export const ANTHROPIC_MODELS: readonly ServedModel[] = [
  { id: "claude-opus-5-5", contextWindow: 1_000_000, maxOutput: 128_000 },
  { id: "claude-sonnet-5-5", contextWindow: 1_000_000, maxOutput: 64_000 },
  { id: "claude-haiku-5-5", contextWindow: 200_000, maxOutput: 64_000 },
  { id: "claude-tiny-test", contextWindow: 6_000, maxOutput: 1_000 },
];

export function startAnthropicServer(
  options: ServerOptions & { readonly cache?: PromptCache } = {},
): Promise<ModelServer> {
  const models = options.models ?? ANTHROPIC_MODELS;
  const protocol: Protocol = {
    chatPath: "/v1/messages",
    format: "sse",
    refuse: (request) => refuse(request, models, options.key),
    lastUserText: (body) => lastUserText(body, "messages", "text"),
    events: (answer, body) =>
      eventsOf(options.cache === undefined ? answer : cached(answer, body, options.cache), body, isBound(body, models)),
    errorEvent: (type, message) => named("error", errorBody(type, message)),
    errorBody,
    other: (request) => (request.path.startsWith("/v1/models") ? modelsPage(request.path, models) : undefined),
  };
  return startModelServer(protocol, options);
}

function refuse(
  request: RecordedRequest,
  models: readonly ServedModel[],
  key: string | undefined,
): PlainAnswer | undefined {
  const { headers, body } = request;
  const version = headers["anthropic-version"];
  const given = version === "2023-06-01" ? headers["x-api-key"] : headers.authorization?.replace(/^Bearer /, "");
  if (key !== undefined && given !== key)
    return error(401, "authentication_error", `invalid API key: ${String(given)}`);
  if (version !== "2026-10-21" && version !== "2023-06-01") {
    return error(400, "invalid_request_error", "anthropic-version: header is required");
  }
  if (request.method !== "POST") return undefined;
  const model = models.find(({ id }) => id === text(body, "model"));
  if (model === undefined) return error(404, "not_found_error", `model: ${text(body, "model")}`);
  const problem = refuseMessages(body, model) ?? (model.bindsThinking === true ? refuseBinding(request) : undefined);
  return problem === undefined ? undefined : error(400, "invalid_request_error", problem);
}

function error(status: number, type: string, message: string): PlainAnswer {
  return { status, body: errorBody(type, message) };
}

function errorBody(type: string, message: string): unknown {
  return { type: "error", error: { type, message, details: null }, request_id: "req_local" };
}

/** Splits the list into pages like the real one, to detect clients that read only the first. */
function modelsPage(path: string, models: readonly ServedModel[]): PlainAnswer {
  const query = new URL(path, "http://localhost").searchParams;
  const limit = Math.min(Number(query.get("limit") ?? 20), 2);
  const after = query.get("after_id") ?? query.get("page");
  const from = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1;
  const page = models.slice(from, from + limit);
  const hasMore = from + limit < models.length;
  const lastId = page.at(-1)?.id ?? null;
  const body = {
    data: page.map((model) => ({
      type: "model",
      id: model.id,
      display_name: model.id.replaceAll("-", " "),
      created_at: "2026-09-01T00:00:00Z",
      lifecycle: "active",
      deprecated_at: null,
      retires_at: null,
      line: null,
      capabilities: null,
      max_input_tokens: model.contextWindow,
      max_tokens: model.maxOutput,
    })),
    has_more: hasMore,
    first_id: page.at(0)?.id ?? null,
    last_id: lastId,
    next_page: hasMore ? lastId : null,
  };
  return { status: 200, body };
}

/** The answer with a bill that includes cache reads and writes. */
function cached(answer: Answer, body: unknown, cache: PromptCache): Answer {
  const { readTokens, writtenTokens } = cache.use(body);
  const inputTokens = Math.max(estimateTokens(body), readTokens + writtenTokens);
  const outputTokens = estimateTokens(answer.text ?? "");
  return {
    ...answer,
    usage: { inputTokens, outputTokens, cacheReadTokens: readTokens, cacheWriteTokens: writtenTokens },
  };
}

function isBound(body: unknown, models: readonly ServedModel[]): boolean {
  return models.find(({ id }) => id === text(body, "model"))?.bindsThinking === true;
}

function eventsOf(answer: Answer, body: unknown, isBound: boolean): readonly WireEvent[] {
  const { thinking, text: words, toolCalls = [], usage } = answer;
  const cached = (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0);
  const inputTokens = (usage?.inputTokens ?? estimateTokens(body)) - cached;
  const outputTokens = usage?.outputTokens ?? estimateTokens(`${thinking ?? ""}${words ?? ""}`) + 10 * toolCalls.length;
  const message = {
    id: "msg_local",
    type: "message",
    role: "assistant",
    model: text(body, "model"),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
      cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
      output_tokens: 1,
    },
  };
  const blocks = [
    ...(thinking === undefined ? [] : [thinkingBlock(thinking, answer, isBound ? boundSignature(body) : undefined)]),
    ...(words === undefined ? [] : [textBlock(words, answer)]),
    ...toolCalls.map((call) => toolBlock(call, answer)),
  ];
  const stop = answer.stop === undefined && toolCalls.length > 0 ? "tool_use" : STOPS[answer.stop ?? "endTurn"];
  const details =
    usage?.reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: usage.reasoningTokens } };
  return [
    named("message_start", { type: "message_start", message }),
    named("ping", { type: "ping" }),
    ...blocks.flatMap(blockEvents),
    named("message_delta", {
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: outputTokens, ...details },
    }),
    named("message_stop", { type: "message_stop" }),
  ];
}

const STOPS = {
  endTurn: "end_turn",
  maxTokens: "max_tokens",
  refusal: "refusal",
  contextFull: "model_context_window_exceeded",
} as const;

interface WireBlock {
  readonly start: object;
  readonly deltas: readonly object[];
}

function textBlock(words: string, answer: Answer): WireBlock {
  return {
    start: { type: "text", text: "", citations: null },
    deltas: pieces(words, answer).map((piece) => ({ type: "text_delta", text: piece })),
  };
}

function thinkingBlock(words: string, answer: Answer, signature = `signed:${String(words.length)}`): WireBlock {
  const said = pieces(words, answer).map((piece) => ({ type: "thinking_delta", thinking: piece }));
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [...said, { type: "signature_delta", signature }],
  };
}

function toolBlock(call: { id: string; name: string; inputJson: string }, answer: Answer): WireBlock {
  return {
    start: { type: "tool_use", id: call.id, name: call.name, input: {}, caller: { type: "direct" } },
    deltas: pieces(call.inputJson, answer).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  };
}

function blockEvents(block: WireBlock, index: number): readonly WireEvent[] {
  return [
    named("content_block_start", { type: "content_block_start", index, content_block: block.start }),
    ...block.deltas.map((delta) => named("content_block_delta", { type: "content_block_delta", index, delta })),
    named("content_block_stop", { type: "content_block_stop", index }),
  ];
}

function named(event: string, data: unknown): WireEvent {
  return { event, data: JSON.stringify(data), isContent: event === "content_block_delta" };
}
