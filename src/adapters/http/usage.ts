/** Token counts of an answer, in the forms in which services report them, as `ProviderUsage`. Pure. */

import { countIn, listIn, member } from "../../core/json.ts";
import type { ProviderUsage } from "../../core/stream/streamEvent.ts";

/**
 * Counts of one answer, collected from its chunks. Most services report once, at the end; some with every chunk, always
 * of all so far, and with zeros, or only a part, in the last.
 */
export class UsageCounts {
  #counts: Counts = {};

  /** Counts after this chunk or response; `undefined` if it has no counts. */
  add(chunk: unknown): ProviderUsage | undefined {
    const found = countsIn(chunk);
    if (Object.keys(found).length === 0) return undefined;
    this.#counts = { ...this.#counts, ...found };
    return this.soFar;
  }

  /** Zeros before anything is known. */
  get soFar(): ProviderUsage {
    return usageOf(this.#counts);
  }
}

/** As reported; zeros are absent. */
interface Counts {
  readonly prompt?: number;
  readonly completion?: number;
  readonly total?: number;
  readonly reasoning?: number;
  readonly cacheRead?: number;
  readonly cacheMiss?: number;
  readonly cacheWrite?: number;
  /** `prompt` lacks what was read from the cache or written to it, as Anthropic counts. */
  readonly isFreshOnly?: true;
}

/** Names in the order in which they are believed. A path has dots. */
const NAMES = {
  // Chat Completions; Responses; Gemini.
  prompt: ["prompt_tokens", "input_tokens", "promptTokenCount"],
  completion: ["completion_tokens", "output_tokens", "candidatesTokenCount"],
  total: ["total_tokens", "totalTokenCount"],
  // Chat Completions; Responses; Anthropic; Gemini; gateways.
  reasoning: [
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "output_tokens_details.thinking_tokens",
    "thoughtsTokenCount",
    "reasoning_tokens",
  ],
  // Chat Completions; Responses; DeepSeek; Moonshot; Anthropic; Gemini.
  cacheRead: [
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_cache_hit_tokens",
    "cached_tokens",
    "cache_read_input_tokens",
    "cachedContentTokenCount",
  ],
  cacheMiss: ["prompt_cache_miss_tokens"],
  // OpenAI, twice; Qwen and OpenRouter; Anthropic.
  cacheWrite: [
    "prompt_tokens_details.cache_write_tokens",
    "input_tokens_details.cache_write_tokens",
    "prompt_tokens_details.cache_creation_input_tokens",
    "prompt_tokens_details.cache_creation_tokens",
    "cache_creation_input_tokens",
  ],
} as const satisfies Partial<Record<keyof Counts, readonly string[]>>;

function countsIn(chunk: unknown): Counts {
  const [choice] = listIn(chunk, "choices");
  // Groq; Moonshot, once; Gemini.
  const holders = [
    member(chunk, "usage"),
    member(member(chunk, "x_groq"), "usage"),
    member(choice, "usage"),
    member(chunk, "usageMetadata"),
  ];
  const told = holders.map(reportedIn).reduceRight((counts, earlier) => ({ ...counts, ...earlier }), {});
  const timings = timingsIn(member(chunk, "timings"));
  return Object.keys(told).length === 0 ? timings : { ...pick(timings, "cacheRead"), ...told };
}

function reportedIn(usage: unknown): Counts {
  const found = Object.entries(NAMES).flatMap(([kind, paths]) => {
    const count = paths.map((path) => figureAt(usage, path)).find((figure) => figure > 0);
    return count === undefined ? [] : [[kind, count] as const];
  });
  const counts: Counts = Object.fromEntries(found);
  const written = figureAt(usage, "cache_creation.ephemeral_5m_input_tokens");
  const writtenLonger = figureAt(usage, "cache_creation.ephemeral_1h_input_tokens");
  const isAnthropic =
    figureAt(usage, "prompt_tokens") === 0 &&
    (member(usage, "cache_read_input_tokens") !== undefined ||
      member(usage, "cache_creation_input_tokens") !== undefined ||
      member(usage, "cache_creation") !== undefined);
  return {
    ...counts,
    ...(counts.cacheWrite === undefined && written + writtenLonger > 0 ? { cacheWrite: written + writtenLonger } : {}),
    ...(isAnthropic && found.length > 0 ? { isFreshOnly: true } : {}),
  };
}

/** llama.cpp's own counts, which it also sends without usage. Without `cache_n` the prompt's size is unknown. */
function timingsIn(timings: unknown): Counts {
  const cacheRead = figureAt(timings, "cache_n");
  const isPromptKnown = member(timings, "cache_n") !== undefined;
  const prompt = isPromptKnown ? figureAt(timings, "prompt_n") + cacheRead : 0;
  const completion = figureAt(timings, "predicted_n");
  return {
    ...(prompt > 0 ? { prompt } : {}),
    ...(completion > 0 ? { completion } : {}),
    ...(cacheRead > 0 ? { cacheRead } : {}),
  };
}

function pick(counts: Counts, name: "cacheRead"): Counts {
  const count = counts[name];
  return count === undefined ? {} : { [name]: count };
}

/** Some gateways send counts as text. */
function figureAt(holder: unknown, path: string): number {
  const names = path.split(".");
  const last = names.pop() ?? "";
  return figureIn(
    names.reduce((value, name) => member(value, name), holder),
    last,
  );
}

/** A count, also one in digits; 0 when it is missing or no count. */
export function figureIn(holder: unknown, name: string): number {
  const found = member(holder, name);
  return typeof found === "string" && /^\s*\d{1,15}\s*$/.test(found) ? Number(found) : countIn(holder, name);
}

/**
 * Whether the prompt includes cached tokens, and the output the reasoning, differs between services; the total tells it.
 * Without one, what is larger than the whole cannot be a part of it.
 */
function usageOf(counts: Counts): ProviderUsage {
  const { completion = 0, total = 0, reasoning = 0, cacheRead = 0, cacheMiss = 0, cacheWrite = 0 } = counts;
  const prompt = counts.prompt ?? (cacheMiss > 0 ? cacheMiss + cacheRead : 0);
  const cached = cacheRead + cacheWrite;
  const withCache = prompt + cached + completion;
  const isCacheBeside =
    counts.isFreshOnly === true || cacheRead > prompt || total === withCache || total === withCache + reasoning;
  const input = prompt + (isCacheBeside ? cached : 0);
  const isReasoningBeside = reasoning > completion || (input > 0 && total >= input + completion + reasoning);
  const output = completion + (isReasoningBeside ? reasoning : 0);
  // What the total has beyond its parts: all of one that is missing, or thinking.
  const rest = Math.max(0, total - input - output);
  return {
    inputTokens: input === 0 && output > 0 ? rest : input,
    outputTokens: input === 0 ? output : output + rest,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: reasoning > 0 || input === 0 || completion === 0 ? reasoning : rest,
  };
}
