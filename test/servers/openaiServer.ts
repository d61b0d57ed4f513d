/**
 * A local server for Chat Completions (`POST /v1/chat/completions`, `GET /v1/models`) in the dialect of OpenAI or of a
 * compatible server, and as strict.
 */

import { startModelServer } from "./modelServer.ts";
import type { ModelServer, PlainAnswer, Protocol, RecordedRequest, ServedModel, ServerOptions } from "./protocol.ts";
import { estimateTokens, lastUserText, member, pieces, text } from "./wireJson.ts";
import { refuseChat, type Refusal } from "./openaiRules.ts";
import type { Answer } from "./script.ts";
import type { WireEvent } from "./streamWriter.ts";

/** Decides how the server lists context windows, and how strict its chat template is. */
export type Dialect = "openai" | "vllm" | "lmStudio" | "lmStudioNewer" | "llamaCpp" | "openRouter" | "groq";

/** Default models; a test can fill the window of the last one. */
export const OPENAI_MODELS: readonly ServedModel[] = [
  { id: "gpt-6.1-sol", contextWindow: 1_050_000, maxOutput: 128_000 },
  { id: "gpt-6.1-terra", contextWindow: 1_050_000, maxOutput: 128_000 },
  { id: "gpt-6-luna", contextWindow: 1_050_000, maxOutput: 128_000 },
  { id: "gpt-tiny-test", contextWindow: 6_000, maxOutput: 1_000 },
];

export function startOpenAiServer(options: ServerOptions & { readonly dialect?: Dialect } = {}): Promise<ModelServer> {
  const models = options.models ?? OPENAI_MODELS;
  const dialect = options.dialect ?? "openai";
  const protocol: Protocol = {
    chatPath: "/v1/chat/completions",
    format: "sse",
    refuse: (request) =>
      refuseOpenAi(request, models, options.key, (body, model) => refuseChat(body, model, dialect !== "openai")),
    lastUserText: (body) => lastUserText(body, "messages", "text"),
    events: (answer, body) => eventsOf(answer, body, dialect),
    errorEvent: (type, message) => ({ data: JSON.stringify(openAiErrorBody(type, message)), isContent: false }),
    errorBody: openAiErrorBody,
    other: (request) => other(request, models, dialect),
  };
  return startModelServer(protocol, options);
}

/** Refusals of OpenAI's service by key and model, then those of `rules`. */
export function refuseOpenAi(
  { method, headers, body }: RecordedRequest,
  models: readonly ServedModel[],
  key: string | undefined,
  rules: (body: unknown, model: ServedModel) => Refusal | undefined,
): PlainAnswer | undefined {
  const given = headers.authorization?.replace(/^Bearer /, "");
  if (key !== undefined && given !== key) {
    return error(401, { code: "invalid_api_key", message: `Incorrect API key provided: ${String(given)}.` });
  }
  if (method !== "POST") return undefined;
  const model = models.find(({ id }) => id === text(body, "model"));
  if (model === undefined) {
    const message = `The model \`${text(body, "model")}\` does not exist or you do not have access to it.`;
    return error(404, { code: "model_not_found", message });
  }
  const problem = rules(body, model);
  return problem === undefined ? undefined : error(400, problem);
}

function error(
  status: number,
  { code, message, param = null }: Omit<Refusal, "param"> & { readonly param?: string | null },
): PlainAnswer {
  return { status, body: openAiErrorBody(code, message, param) };
}

/** An error body in OpenAI's form. */
export function openAiErrorBody(code: string, message: string, param: string | null = null): unknown {
  return { error: { message, type: "invalid_request_error", param, code } };
}

/** The list of models in this dialect. */
export function openAiModelList(models: readonly ServedModel[], dialect: Dialect): PlainAnswer {
  return { status: 200, body: { object: "list", data: models.map((model, index) => listed(model, index, dialect)) } };
}

function other(request: RecordedRequest, models: readonly ServedModel[], dialect: Dialect): PlainAnswer | undefined {
  switch (request.path) {
    case "/v1/models":
      return openAiModelList(models, dialect);
    case "/api/v0/models":
      if (dialect !== "lmStudio") return undefined;
      return { status: 200, body: { data: models.map(studioRow) } };
    case "/api/v1/models":
      if (dialect !== "lmStudioNewer") return undefined;
      return { status: 200, body: { models: models.map(newerStudioRow) } };
    case "/props":
      if (dialect !== "llamaCpp") return undefined;
      return { status: 200, body: { default_generation_settings: { n_ctx: models[0]?.contextWindow } } };
    default:
      return undefined;
  }
}

const STUDIO_TOKENS = 262_144;

function studioRow({ id, contextWindow, loadedTokens = contextWindow }: ServedModel): object {
  const row = { id, max_context_length: STUDIO_TOKENS };
  if (loadedTokens === 0) return { ...row, state: "not-loaded" };
  return { ...row, state: "loaded", loaded_context_length: loadedTokens };
}

function newerStudioRow({ id, contextWindow, loadedTokens = contextWindow }: ServedModel): object {
  const loaded_instances = loadedTokens === 0 ? [] : [{ id, config: { context_length: loadedTokens } }];
  const capabilities = { vision: false, trained_for_tool_use: true };
  return { type: "llm", key: id, max_context_length: STUDIO_TOKENS, loaded_instances, capabilities };
}

/** `owned_by` in the list of models. */
const OWNERS: Readonly<Record<Dialect, string>> = {
  openai: "openai",
  vllm: "vllm",
  lmStudio: "organization_owner",
  lmStudioNewer: "organization_owner",
  llamaCpp: "llamacpp",
  openRouter: "openrouter",
  groq: "Meta",
};

function listed({ id, contextWindow, maxOutput, refuses = [] }: ServedModel, index: number, dialect: Dialect): object {
  const plain = { id, object: "model", created: 1_780_000_000 - index, owned_by: OWNERS[dialect] };
  if (dialect === "vllm") return { ...plain, max_model_len: contextWindow };
  if (dialect === "groq") return { ...plain, context_window: contextWindow, max_completion_tokens: maxOutput };
  if (dialect === "openRouter") {
    const taken = ["max_tokens", "tools", "reasoning"].filter((name) => !refuses.includes(name));
    const top_provider = { max_completion_tokens: maxOutput };
    return { ...plain, context_length: contextWindow, top_provider, supported_parameters: taken };
  }
  return plain;
}

function eventsOf(answer: Answer, body: unknown, dialect: Dialect): readonly WireEvent[] {
  const { thinking = "", text: words = "", toolCalls = [], usage } = answer;
  const reasoningName = dialect === "openRouter" ? "reasoning" : "reasoning_content";
  const deltas: readonly object[] = [
    { role: "assistant", content: "" },
    ...pieces(thinking, answer).map((piece) => ({ [reasoningName]: piece })),
    ...pieces(words, answer).map((piece) => ({ content: piece })),
    ...toolCalls.flatMap((call, index) => [
      {
        tool_calls: [
          { index, id: call.id, type: "function", function: { name: call.name, arguments: "" }, ...call.extra },
        ],
      },
      ...pieces(call.inputJson, answer).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ];
  const stop = answer.stop === undefined && toolCalls.length > 0 ? "tool_calls" : STOPS[answer.stop ?? "endTurn"];
  const promptTokens = usage?.inputTokens ?? estimateTokens(body);
  const completionTokens = usage?.outputTokens ?? estimateTokens(thinking + words) + 10 * toolCalls.length;
  const billed = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage?.cacheReadTokens ?? 0,
      cache_write_tokens: usage?.cacheWriteTokens ?? 0,
    },
    completion_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
  };
  const chunk = (choices: readonly object[], extra: object = {}, isContent = false): WireEvent => ({
    isContent,
    data: JSON.stringify({
      id: "chatcmpl-local",
      object: "chat.completion.chunk",
      created: 1_780_000_000,
      model: text(body, "model"),
      choices,
      ...extra,
    }),
  });
  const asked = member(member(body, "stream_options"), "include_usage") === true;
  return [
    ...deltas.map((delta, index) => chunk([{ index: 0, delta, finish_reason: null }], {}, index > 0)),
    chunk([{ index: 0, delta: {}, finish_reason: stop }]),
    ...(asked ? [chunk([], { usage: billed })] : []),
    { data: "[DONE]", isContent: false },
  ];
}

const STOPS = { endTurn: "stop", maxTokens: "length", refusal: "content_filter", contextFull: "length" } as const;
