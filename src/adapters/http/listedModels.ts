/** Lists of models in the forms that servers send, and what a row says about its model. Pure. */

import { modelId } from "../../core/ids.ts";
import { listIn, member, stringField } from "../../core/json.ts";
import type { ModelLimits } from "../../core/models/modelLimits.ts";
import type { OfferedModel } from "../../core/stream/provider.ts";
import { figureIn } from "./usage.ts";

export interface ListOptions {
  /** Sorts rows, smallest first. Default: the server's order. */
  readonly rank?: (row: unknown) => number;
  /** Which rows are offered. Default: those of models that {@link canChat}. */
  readonly isOffered?: (id: string, row: unknown) => boolean;
}

/** The models of a list, each once; `undefined` when the body is no list. */
export function modelsIn(body: unknown, options: ListOptions = {}): readonly OfferedModel[] | undefined {
  const { rank = () => 0, isOffered = canChat } = options;
  const rows = rowsIn(body);
  if (rows === undefined) return undefined;
  const offered = new Map<string, OfferedModel>();
  for (const row of [...rows].sort((one, other) => rank(one) - rank(other))) {
    const id = idOf(row);
    if (id.trim() === "" || !isOffered(id, row)) continue;
    const model = offeredModel(id, { limits: limitsIn(row), callsTools: toolsIn(row), seesImages: imagesIn(row) });
    const earlier = offered.get(id);
    offered.set(id, earlier === undefined ? model : merged(earlier, model));
  }
  return [...offered.values()];
}

/** Facts that a list tells of a model; `undefined` where it tells nothing. */
export interface ModelFacts {
  readonly limits: Partial<ModelLimits>;
  readonly callsTools?: boolean | undefined;
  readonly seesImages?: boolean | undefined;
  readonly slots?: number | undefined;
}

export function offeredModel(id: string, { limits, callsTools, seesImages, slots }: ModelFacts): OfferedModel {
  return {
    id: modelId(id),
    label: id.trim(),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(callsTools === undefined ? {} : { callsTools }),
    ...(seesImages === undefined ? {} : { seesImages }),
    ...(slots === undefined ? {} : { slots }),
  };
}

/** A gateway lists a model once for each of its hosts, and any of them may answer: the smaller limits hold. */
function merged(one: OfferedModel, other: OfferedModel): OfferedModel {
  const limits = { ...one.limits };
  for (const name of ["contextWindow", "maxOutput"] as const) {
    const known = [one.limits?.[name], other.limits?.[name]].filter((count) => count !== undefined);
    if (known.length > 0) limits[name] = Math.min(...known);
  }
  const seesImages = one.seesImages ?? other.seesImages;
  return offeredModel(one.id, { limits, callsTools: one.callsTools ?? other.callsTools, seesImages });
}

/** OpenAI; Ollama and many more; Cloudflare; gateways. */
const LIST_FIELDS = ["data", "models", "result", "items", "model_list", "list"];

/** The list is the body itself with Together, a list of texts with some, and an object by id with others. */
function rowsIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body as readonly unknown[];
  const lists = LIST_FIELDS.map((name) => member(body, name));
  const list = lists.find((found) => Array.isArray(found) && found.length > 0) ?? lists.find(Array.isArray);
  if (Array.isArray(list)) return list as readonly unknown[];
  const nested = lists.find((found) => typeof found === "object" && found !== null);
  if (nested !== undefined) return rowsIn(nested) ?? rowsById(nested);
  return LIST_FIELDS.some((name) => member(body, name) === null) ? [] : undefined;
}

function rowsById(rows: unknown): readonly unknown[] | undefined {
  const entries = Object.entries(rows as object);
  const isById = entries.every(([, row]) => typeof row === "object" && row !== null);
  return isById ? entries.map(([id, row]) => ({ id, ...(row as object) })) : undefined;
}

/** Cloudflare's id is a number of its own; the name is what requests have. */
function idOf(row: unknown): string {
  if (typeof row === "string") return row;
  const name = stringField(row, "name");
  if (name.startsWith("@cf/") || name.startsWith("@hf/")) return name;
  const found = ["id", "model", "name", "key", "model_name", "slug"].map((field) => stringField(row, field));
  return found.find((text) => text !== "") ?? "";
}

/** By what the server states about the model; if it states nothing, by the words of the id. */
export function canChat(id: string, row?: unknown): boolean {
  const stated = statedKinds(row);
  if (stated.some((kind) => CHAT_KINDS.test(kind))) return true;
  if (stated.some((kind) => OTHER_KINDS.test(kind))) return false;
  return !isNamedOtherwise(id);
}

/**
 * Together, LM Studio and Copilot; LiteLLM; SiliconFlow; Hugging Face; Cloudflare; Ollama and Mistral; Cohere and new-api;
 * Google; OpenRouter.
 */
function statedKinds(row: unknown): readonly string[] {
  const capabilities = member(row, "capabilities");
  const architecture = member(row, "architecture");
  const words = [
    ...["type", "model_type", "mode", "sub_type", "task", "pipeline_tag", "kind"].map((name) => member(row, name)),
    stringField(member(row, "task"), "name"),
    stringField(member(row, "model_info"), "mode"),
    stringField(capabilities, "type"),
    ...listOf(capabilities),
    ...["endpoints", "supported_endpoint_types", "supportedGenerationMethods"].flatMap((name) => listIn(row, name)),
    member(capabilities, "completion_chat") === true ? "chat" : undefined,
    member(capabilities, "completion_chat") === false ? "embedding" : undefined,
  ];
  const outputs = [architecture, row]
    .map((holder) => listIn(holder, "output_modalities"))
    .find(({ length }) => length > 0);
  const modality = stringField(architecture, "modality").split("->")[1];
  const made = outputs ?? modality?.split("+") ?? [];
  const isText = made.includes("text");
  return [...words, ...(made.length === 0 ? [] : [isText ? "text" : "image"])].filter(
    (word) => typeof word === "string" && word !== "",
  ) as readonly string[];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const CHAT_KINDS =
  /^(?:chat(?:[-_. ]?completions?)?|llm|vlm|completions?|language|text|code|text[-_ ]generation|image[-_]text[-_]to[-_]text|conversational|any[-_]to[-_]any|multimodal|generate|generatecontent|responses|messages|openai|openai-response|anthropic|gemini|vision)$/i;
const OTHER_KINDS =
  /^(?:embed(?:dings?|content|text|s)?|text[-_ ]embeddings?|feature[-_]extraction|sentence[-_]similarity|(?:[\w]+-)?re-?rank(?:er|ing)?|moderations?|image|images|image[-_ ]generation|text[-_ ]to[-_ ](?:image|video|speech|audio)|video|audio|audio[-_]transcription|audio[-_]speech|speech|tts|stt|asr|transcri(?:be|ption)|automatic[-_ ]speech[-_ ]recognition|classify|score|predict|bidigeneratecontent)$/i;

/** Words of ids of models that embed, rank, speak, hear, draw or judge. A syllable is not enough. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  (
    "embed embeds embedding embeddings embedqa embeddinggemma rerank reranker rerankers rerankqa ranker colbert bge gte e5 " +
    "minilm mpnet nvclip whisper tts stt asr transcribe transcription realtime moderation sdxl imagen cogview cogvideox " +
    "t2i t2v i2v kolors seedream seedance"
  ).split(" "),
);

/** Names that are more than one word, or mean this only where they stand. */
const OTHER_NAMES =
  /^dall-?e\b|^(?:babbage|davinci)-\d|^sora(?:-\d|$)|^veo-\d|^(?:chat)?gpt-image|^gpt-(?:[\w.]+-)?audio|^voyage-(?:\d|code|law|finance|large|lite|multilingual|context)|^(?:stable-diffusion|sd-?\d|flux[.-]?(?:\d|pro|dev|schnell|kontext))|^clip-vit|^mistral-ocr|^text-(?:search|similarity|embedding)|^paraphrase-/i;

function isNamedOtherwise(id: string): boolean {
  const name = id.trim().replace(/\/+$/, "").split("/").at(-1) ?? "";
  return (
    OTHER_NAMES.test(name) ||
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((word) => OTHER_WORDS.has(word))
  );
}

/** OpenRouter and GitHub list parameters or features; LM Studio, Ollama, Mistral and Copilot capabilities. */
function toolsIn(row: unknown): boolean | undefined {
  const capabilities = member(row, "capabilities");
  for (const list of [member(row, "supported_parameters"), member(row, "supported_features"), capabilities]) {
    if (Array.isArray(list) && list.length > 0)
      return list.some((word) => typeof word === "string" && TOOLS.test(word));
  }
  const flags = [row, capabilities, member(capabilities, "supports"), member(row, "model_info")].flatMap((holder) =>
    TOOL_FLAGS.map((name) => member(holder, name)),
  );
  return flags.find((flag) => typeof flag === "boolean");
}

const TOOLS = /^(?:tools?|tool[-_](?:use|calls?|calling)|function[-_]?call(?:s|ing)?|functions?)$/i;
const TOOL_FLAGS = [
  "function_calling",
  "tool_calls",
  "tool_use",
  "tools",
  "trained_for_tool_use",
  "supports_tools",
  "supports_function_calling",
];

/** OpenRouter and llama.cpp's router list kinds of input; LM Studio, Mistral, Copilot and LiteLLM have a flag. */
function imagesIn(row: unknown): boolean | undefined {
  const inputs = [member(row, "architecture"), row].flatMap((holder) =>
    ["input_modalities", "supported_input_modalities"].flatMap((name) => listIn(holder, name)),
  );
  if (inputs.length > 0) return inputs.includes("image");
  const capabilities = member(row, "capabilities");
  const flags = [
    member(capabilities, "vision"),
    member(member(capabilities, "supports"), "vision"),
    member(member(row, "model_info"), "supports_vision"),
    member(row, "supports_vision"),
  ];
  return flags.find((flag) => typeof flag === "boolean");
}

/** Places in a row where limits stand. */
const HOLDERS = ["meta", "top_provider", "limits", "model_info", "config", "model_spec", "details", "metadata"];

/**
 * Fields of a window, allocated ones before possible ones: vLLM and SGLang; LM Studio; llama.cpp; OpenRouter, Together and many more;
 * Groq; Mistral; Anthropic and GitHub; Copilot; Google; gateways.
 */
const WINDOW_FIELDS = [
  "loaded_context_length",
  "max_model_len",
  "n_ctx",
  "context_length",
  "context_window",
  "max_context_length",
  "context_window_tokens",
  "max_context_window_tokens",
  "max_context_tokens",
  "max_input_tokens",
  "max_prompt_tokens",
  "inputTokenLimit",
  "input_token_limit",
  "contextLength",
  "contextWindow",
  "max_sequence_length",
  "context_size",
  "availableContextTokens",
];

const OUTPUT_FIELDS = [
  "max_completion_tokens",
  "max_output_tokens",
  "max_output_length",
  "outputTokenLimit",
  "output_token_limit",
  "maxCompletionTokens",
];

function limitsIn(row: unknown): Partial<ModelLimits> {
  const holders = [row, ...HOLDERS.map((name) => member(row, name)), member(member(row, "capabilities"), "limits")];
  const first = (names: readonly string[]): number =>
    names.flatMap((name) => holders.map((holder) => figureIn(holder, name))).find((count) => count > 0) ?? 0;
  const contextWindow = first(WINDOW_FIELDS);
  const maxOutput = first(OUTPUT_FIELDS);
  return { ...(contextWindow > 0 ? { contextWindow } : {}), ...(maxOutput > 0 ? { maxOutput } : {}) };
}
