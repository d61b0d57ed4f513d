/** A local server for OpenAI's Responses API (`POST /v1/responses`, `GET /v1/models`), as strict as the real one. */

import { startModelServer } from "./modelServer.ts";
import type { ModelServer, Protocol, ServerOptions } from "./protocol.ts";
import { estimateTokens, lastUserText, pieces, text } from "./wireJson.ts";
import { OPENAI_MODELS, openAiErrorBody, openAiModelList, refuseOpenAi } from "./openaiServer.ts";
import { refuseResponses, SEAL } from "./responsesRules.ts";
import type { Answer, ScriptedUsage } from "./script.ts";
import type { WireEvent } from "./streamWriter.ts";

export function startResponsesServer(options: ServerOptions = {}): Promise<ModelServer> {
  const models = options.models ?? OPENAI_MODELS;
  const protocol: Protocol = {
    chatPath: "/v1/responses",
    format: "sse",
    refuse: (request) => refuseOpenAi(request, models, options.key, refuseResponses),
    lastUserText: (body) => lastUserText(body, "input", "input_text"),
    events: eventsOf,
    errorEvent: (code, message) => numbered([{ type: "error", code, message, param: null }], 1_000_000)[0] ?? NOTHING,
    errorBody: openAiErrorBody,
    other: ({ path }) => (path === "/v1/models" ? openAiModelList(models, "openai") : undefined),
  };
  return startModelServer(protocol, options);
}

const NOTHING: WireEvent = { data: "{}", isContent: false };

/** A complete item of the answer, with the events that stream it. */
interface Item {
  readonly begun: object;
  readonly whole: object;
  readonly events: readonly Event[];
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

function eventsOf(answer: Answer, body: unknown): readonly WireEvent[] {
  const { thinking, text: words, toolCalls = [] } = answer;
  const items = [
    ...(thinking === undefined ? [] : [reasoningItem(thinking, answer)]),
    ...(words === undefined ? [] : [messageItem(words, answer.stop === "refusal", answer)]),
    ...toolCalls.map((call) => callItem(call, answer)),
  ];
  const response = { id: "resp_local", object: "response", created_at: 1_780_000_000, model: text(body, "model") };
  const begun = { ...response, status: "in_progress", error: null, incomplete_details: null, output: [], usage: null };
  const isCut = answer.stop === "maxTokens" || answer.stop === "contextFull";
  const ended = {
    ...response,
    status: isCut ? "incomplete" : "completed",
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: items.map(({ whole }) => whole),
    usage: usageOf(answer, body),
  };
  return numbered([
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(({ begun: item, whole, events }, output_index) => [
      { type: "response.output_item.added", output_index, item },
      ...events.map((event) => ({ ...event, output_index })),
      { type: "response.output_item.done", output_index, item: whole },
    ]),
    { type: isCut ? "response.incomplete" : "response.completed", response: ended },
  ]);
}

function numbered(events: readonly Event[], from = 0): readonly WireEvent[] {
  return events.map((event, index) => ({
    event: event.type,
    data: JSON.stringify({ ...event, sequence_number: from + index }),
    isContent: event.type.endsWith(".delta"),
  }));
}

function reasoningItem(words: string, answer: Answer): Item {
  const id = "rs_local";
  const at = { item_id: id, summary_index: 0 };
  const part = { type: "summary_text", text: words };
  return {
    begun: { id, type: "reasoning", summary: [], encrypted_content: "unfinished" },
    whole: { id, type: "reasoning", summary: [part], encrypted_content: `${SEAL}${String(words.length)}` },
    events: [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      ...pieces(words, answer).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text: words },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ],
  };
}

function messageItem(words: string, isRefusal: boolean, answer: Answer): Item {
  const id = "msg_local";
  const at = { item_id: id, content_index: 0 };
  const partOf = (said: string): object =>
    isRefusal ? { type: "refusal", refusal: said } : { type: "output_text", text: said, annotations: [], logprobs: [] };
  const name = isRefusal ? "response.refusal" : "response.output_text";
  const item = { id, type: "message", role: "assistant" };
  return {
    begun: { ...item, status: "in_progress", content: [] },
    whole: { ...item, status: "completed", content: [partOf(words)] },
    events: [
      { type: "response.content_part.added", ...at, part: partOf("") },
      ...pieces(words, answer).map((delta) => ({ type: `${name}.delta`, ...at, delta, logprobs: [] })),
      { type: `${name}.done`, ...at, [isRefusal ? "refusal" : "text"]: words, logprobs: [] },
      { type: "response.content_part.done", ...at, part: partOf(words) },
    ],
  };
}

function callItem(call: { id: string; name: string; inputJson: string }, answer: Answer): Item {
  const id = `fc_${call.id}`;
  const item = { id, type: "function_call", call_id: call.id, name: call.name };
  return {
    begun: { ...item, status: "in_progress", arguments: "" },
    whole: { ...item, status: "completed", arguments: call.inputJson },
    events: [
      ...pieces(call.inputJson, answer).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: id,
        delta,
      })),
      { type: "response.function_call_arguments.done", item_id: id, name: call.name, arguments: call.inputJson },
    ],
  };
}

function usageOf({ usage, thinking = "", text: words = "", toolCalls = [] }: Answer, body: unknown): object {
  const billed: ScriptedUsage = usage ?? {
    inputTokens: estimateTokens(body),
    outputTokens: estimateTokens(thinking + words) + 10 * toolCalls.length,
  };
  return {
    input_tokens: billed.inputTokens,
    input_tokens_details: {
      cached_tokens: billed.cacheReadTokens ?? 0,
      cache_write_tokens: billed.cacheWriteTokens ?? 0,
    },
    output_tokens: billed.outputTokens,
    output_tokens_details: { reasoning_tokens: billed.reasoningTokens ?? 0 },
    total_tokens: billed.inputTokens + billed.outputTokens,
  };
}
