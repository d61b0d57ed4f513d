/**
 * A local server for Ollama's own protocol (`POST /api/chat`, `/api/show`, `GET /api/tags`, `/api/ps`). Like the real
 * one it holds only `num_ctx` tokens, and silently cuts longer prompts unless `truncate` is false.
 */

import { isObjectJson } from "./openaiRules.ts";
import { startModelServer } from "./modelServer.ts";
import type { ModelServer, PlainAnswer, Protocol, RecordedRequest, ServedModel, ServerOptions } from "./protocol.ts";
import { estimateTokens, lastUserText, list, member, pieces, text } from "./wireJson.ts";
import type { Answer } from "./script.ts";
import type { WireEvent } from "./streamWriter.ts";

/** `contextWindow` is the most that the model can hold. */
export interface OllamaModel extends ServedModel {
  /** `completion` and `tools` by default. */
  readonly capabilities?: readonly string[];
  /** `num_ctx` of its Modelfile. */
  readonly ownContext?: number;
}

export interface OllamaOptions extends ServerOptions {
  readonly models?: readonly OllamaModel[];
  /** Most tokens of context that the server reserves, whatever the request. */
  readonly mostContext?: number;
}

export const OLLAMA_MODELS: readonly OllamaModel[] = [
  { id: "qwen3:8b", contextWindow: 40_960, maxOutput: 40_960, capabilities: ["completion", "tools", "thinking"] },
  { id: "llama3.2:3b", contextWindow: 131_072, maxOutput: 131_072 },
  { id: "gemma3:4b", contextWindow: 131_072, maxOutput: 131_072, capabilities: ["completion", "vision"] },
  { id: "tiny:latest", contextWindow: 2_048, maxOutput: 2_048 },
  { id: "nomic-embed-text:latest", contextWindow: 2_048, maxOutput: 2_048, capabilities: ["embedding"] },
];

/** Context of a request without `num_ctx`, in tokens. */
const USUAL_CONTEXT = 4_096;

export function startOllamaServer(options: OllamaOptions = {}): Promise<ModelServer> {
  const models = options.models ?? OLLAMA_MODELS;
  const allocated = new Map<string, number>();
  const allocate = (body: unknown, model: OllamaModel): number => {
    const asked = member(member(body, "options"), "num_ctx") ?? model.ownContext ?? USUAL_CONTEXT;
    const context = Math.min(Number(asked), model.contextWindow, options.mostContext ?? Infinity);
    allocated.set(model.id, context);
    return context;
  };
  const protocol: Protocol = {
    chatPath: "/api/chat",
    format: "ndjson",
    refuse: (request) => refuse(request, models, options.key, allocate),
    lastUserText: (body) => lastUserText(body, "messages", "text"),
    events: (answer, body) => eventsOf(answer, body, allocated.get(text(body, "model")) ?? USUAL_CONTEXT),
    errorEvent: (_, message) => ({ data: JSON.stringify({ error: message }), isContent: false }),
    errorBody: (_, message) => ({ error: message }),
    other: (request) => other(request, models, allocated),
  };
  return startModelServer(protocol, options);
}

function refuse(
  { path, headers, body }: RecordedRequest,
  models: readonly OllamaModel[],
  key: string | undefined,
  allocate: (body: unknown, model: OllamaModel) => number,
): PlainAnswer | undefined {
  if (key !== undefined && headers.authorization !== `Bearer ${key}`) return error(401, "unauthorized");
  if (path !== "/api/chat") return undefined;
  const name = text(body, "model");
  const model = models.find(({ id }) => id === name);
  if (model === undefined) return error(404, `model "${name}" not found, try pulling it first`);
  const can = model.capabilities ?? USUAL_CAPABILITIES;
  if (!can.includes("completion")) return error(400, `"${name}" does not support chat`);
  if (list(body, "tools").length > 0 && !can.includes("tools")) return error(400, `"${name}" does not support tools`);
  const think = member(body, "think");
  if (think !== undefined && think !== false && !can.includes("thinking"))
    return error(400, `"${name}" does not support thinking`);
  const problem = refuseOllamaMessages(list(body, "messages"), can.includes("vision"));
  if (problem !== undefined) return error(400, problem);
  const context = allocate(body, model);
  const isTooLong = estimateTokens(list(body, "messages")) > context;
  if (isTooLong && member(body, "truncate") === false) return error(400, "the input length exceeds the context length");
  return undefined;
}

const USUAL_CAPABILITIES = ["completion", "tools"];

function error(status: number, message: string): PlainAnswer {
  return { status, body: { error: message } };
}

/** Error message of many models' chat templates. */
export function refuseOllamaMessages(messages: readonly unknown[], seesImages: boolean): string | undefined {
  if (messages.length === 0) return "no messages";
  const roles = messages.map((message) => text(message, "role"));
  if (roles.indexOf("system", 1) > 0) return "system message must be at the beginning";
  const spoken = roles.filter((role) => role === "user" || role === "assistant");
  if (spoken[0] !== "user") return "the first message must be the user's";
  if (roles.at(-1) === "assistant") return "the last message must not be the assistant's";
  let open: readonly string[] = [];
  for (const [index, message] of messages.entries()) {
    const role = roles[index] ?? "";
    if (!["system", "user", "assistant", "tool"].includes(role)) return `unknown role ${role}`;
    if (list(message, "images").length > 0 && !seesImages) return "this model does not see images";
    const id = text(message, "tool_call_id");
    if (role === "tool") {
      if (!open.includes(id) || text(message, "tool_name") === "") return `a tool message without its call: ${id}`;
      open = open.filter((other) => other !== id);
      continue;
    }
    if (open.length > 0) return `calls without results: ${open.join(", ")}`;
    if (role === roles[index - 1]) return "roles must alternate";
    open = list(message, "tool_calls").map((call) => text(call, "id"));
    if (role !== "assistant" && text(message, "content") === "" && list(message, "images").length === 0) return "empty";
    const inputs = list(message, "tool_calls").map((call) => member(member(call, "function"), "arguments"));
    if (inputs.some((input) => !isObjectJson(JSON.stringify(input)))) return "arguments must be an object";
  }
  return open.length > 0 ? `calls without results: ${open.join(", ")}` : undefined;
}

function other(
  { path, body }: RecordedRequest,
  models: readonly OllamaModel[],
  allocated: ReadonlyMap<string, number>,
): PlainAnswer | undefined {
  switch (path) {
    case "/api/tags":
      return { status: 200, body: { models: models.map(({ id }) => ({ name: id, model: id, size: 1_000_000_000 })) } };
    case "/api/ps": {
      const loaded = [...allocated].map(([name, context_length]) => ({ name, model: name, context_length }));
      return { status: 200, body: { models: loaded } };
    }
    case "/api/version":
      return { status: 200, body: { version: "0.33.3" } };
    case "/api/show": {
      const model = models.find(({ id }) => id === text(body, "model"));
      if (model === undefined) return error(404, `model '${text(body, "model")}' not found`);
      return { status: 200, body: shown(model) };
    }
    default:
      return undefined;
  }
}

function shown({ contextWindow, ownContext, capabilities = USUAL_CAPABILITIES }: OllamaModel): object {
  return {
    parameters: `temperature                    0.7${ownContext === undefined ? "" : `\nnum_ctx                        ${String(ownContext)}`}`,
    details: { family: "local", parameter_size: "8B" },
    model_info: { "general.architecture": "local", "local.context_length": contextWindow },
    capabilities,
  };
}

function eventsOf(answer: Answer, body: unknown, context: number): readonly WireEvent[] {
  const { thinking = "", text: words = "", toolCalls = [], usage } = answer;
  const line = (message: object, isContent: boolean, extra: object = {}): WireEvent => ({
    isContent,
    data: JSON.stringify({
      model: text(body, "model"),
      created_at: "2026-11-21T10:00:00Z",
      message: { role: "assistant", content: "", ...message },
      done: false,
      ...extra,
    }),
  });
  const sentTokens = estimateTokens(list(body, "messages"));
  const counts = {
    prompt_eval_count: usage?.inputTokens ?? Math.min(sentTokens, context),
    ...(usage?.cacheReadTokens === undefined ? {} : { prompt_eval_cached_count: usage.cacheReadTokens }),
    eval_count: usage?.outputTokens ?? estimateTokens(thinking + words) + 10 * toolCalls.length,
  };
  return [
    ...pieces(thinking, answer).map((piece) => line({ thinking: piece }, true)),
    ...pieces(words, answer).map((piece) => line({ content: piece }, true)),
    ...toolCalls.map((call, index) => {
      const input: unknown = JSON.parse(call.inputJson);
      return line({ tool_calls: [{ id: call.id, function: { index, name: call.name, arguments: input } }] }, true);
    }),
    line({}, false, {
      done: true,
      done_reason: STOPS[answer.stop ?? "endTurn"],
      total_duration: 5,
      ...counts,
      ...answer.extra,
    }),
  ];
}

/** Ollama has no stop reason for refusals: a model that declines says so in its text. */
const STOPS = { endTurn: "stop", maxTokens: "length", refusal: "stop", contextFull: "length" } as const;
