/** Token counts of answers as services report them. */

import type { ProviderUsage } from "../../../src/core/stream/streamEvent.ts";
import { chatStream, delta, end, rightAnswer, type DialectCase, type Protocol } from "./dialectCase.ts";

interface UsageRow {
  readonly service: string;
  readonly source: string;
  readonly title: string;
  /** Chunks after the text, or the chunks of the answer in another protocol. */
  readonly chunks: readonly object[];
  readonly protocol?: Exclude<Protocol, "chat">;
  readonly usage: Partial<ProviderUsage> | undefined;
}

const NOTHING: ProviderUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** A last chunk without choices. */
function last(usage: object): object {
  return { id: "c", object: "chat.completion.chunk", choices: [], usage };
}

function message(start: object, ending: object): readonly object[] {
  return [
    { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], usage: start } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "Yes." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: ending },
    { type: "message_stop" },
  ];
}

function response(usage: object): readonly object[] {
  const item = { type: "message", id: "m", content: [{ type: "output_text", text: "Yes." }] };
  return [
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { status: "completed", output: [item], usage } },
  ];
}

const ROWS: readonly UsageRow[] = [
  {
    service: "OpenAI",
    source: "",
    title: "reasoning and cache inside, in the last chunk without choices",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920 },
        completion_tokens_details: { reasoning_tokens: 192 },
      }),
    ],
    usage: { inputTokens: 2006, outputTokens: 300, cacheReadTokens: 1920, reasoningTokens: 192 },
  },
  {
    service: "xAI",
    source: "sub2api#5771",
    title: "reasoning beside the completion",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 10_120,
        completion_tokens: 1499,
        total_tokens: 14_428,
        prompt_tokens_details: { cached_tokens: 128 },
        completion_tokens_details: { reasoning_tokens: 2809 },
      }),
    ],
    usage: { inputTokens: 10_120, outputTokens: 4308, cacheReadTokens: 128, reasoningTokens: 2809 },
  },
  {
    service: "xAI",
    source: "ai#12425",
    title: "reasoning beside a completion that is larger than it",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 279,
        completion_tokens: 89,
        total_tokens: 374,
        completion_tokens_details: { reasoning_tokens: 6 },
      }),
    ],
    usage: { inputTokens: 279, outputTokens: 95, reasoningTokens: 6 },
  },
  {
    service: "xAI",
    source: "omni-llm-provider#49",
    title: "more reasoning than completion, without a total",
    chunks: [
      end("stop"),
      last({ prompt_tokens: 32, completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 94 } }),
    ],
    usage: { inputTokens: 32, outputTokens: 103, reasoningTokens: 94 },
  },
  {
    service: "Gemini",
    source: "clarifai-python#978",
    title: "thoughts only in the total",
    chunks: [end("stop"), last({ prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 })],
    usage: { inputTokens: 20, outputTokens: 996, reasoningTokens: 572 },
  },
  {
    service: "CLIProxyAPI",
    source: "CLIProxyAPI#5733",
    title: "only reasoning, and a completion of 0",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 21,
        completion_tokens: 0,
        total_tokens: 81,
        completion_tokens_details: { reasoning_tokens: 60 },
      }),
    ],
    usage: { inputTokens: 21, outputTokens: 60, reasoningTokens: 60 },
  },
  {
    service: "DeepSeek",
    source: "",
    title: "hits and misses of the cache",
    chunks: [
      {
        ...end("stop"),
        usage: {
          prompt_tokens: 1000,
          completion_tokens: 50,
          total_tokens: 1050,
          prompt_cache_hit_tokens: 896,
          prompt_cache_miss_tokens: 104,
        },
      },
    ],
    usage: { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 896 },
  },
  {
    service: "DeepSeek",
    source: "",
    title: "hits and misses alone",
    chunks: [
      { ...end("stop"), usage: { completion_tokens: 50, prompt_cache_hit_tokens: 896, prompt_cache_miss_tokens: 104 } },
    ],
    usage: { inputTokens: 1000, outputTokens: 50, cacheReadTokens: 896 },
  },
  {
    service: "Moonshot",
    source: "",
    title: "in the choice, with cached tokens at the top",
    chunks: [
      {
        ...delta({}),
        choices: [
          {
            index: 0,
            delta: {},
            finish_reason: "stop",
            usage: { prompt_tokens: 500, completion_tokens: 20, total_tokens: 520, cached_tokens: 256 },
          },
        ],
      },
    ],
    usage: { inputTokens: 500, outputTokens: 20, cacheReadTokens: 256 },
  },
  {
    service: "Groq",
    source: "",
    title: "in x_groq",
    chunks: [
      {
        ...end("stop"),
        x_groq: { id: "req_1", usage: { prompt_tokens: 80, completion_tokens: 12, total_tokens: 92, total_time: 0.1 } },
      },
    ],
    usage: { inputTokens: 80, outputTokens: 12 },
  },
  {
    service: "Qwen",
    source: "",
    title: "writes of the cache among the prompt's details",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 3019,
        completion_tokens: 104,
        total_tokens: 3123,
        prompt_tokens_details: { cached_tokens: 2048, cache_creation_input_tokens: 900 },
      }),
    ],
    usage: { inputTokens: 3019, outputTokens: 104, cacheReadTokens: 2048, cacheWriteTokens: 900 },
  },
  {
    service: "OpenRouter",
    source: "",
    title: "writes of the cache, and null",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 194,
        completion_tokens: 2,
        total_tokens: 196,
        cost: 0.95,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 100, audio_tokens: null },
        completion_tokens_details: { reasoning_tokens: null },
      }),
    ],
    usage: { inputTokens: 194, outputTokens: 2, cacheWriteTokens: 100 },
  },
  {
    service: "LiteLLM",
    source: "",
    title: "Anthropic's names beside OpenAI's, which include them",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 5010,
        completion_tokens: 7,
        total_tokens: 5017,
        prompt_tokens_details: { cached_tokens: 4000 },
        cache_read_input_tokens: 4000,
        cache_creation_input_tokens: 1000,
      }),
    ],
    usage: { inputTokens: 5010, outputTokens: 7, cacheReadTokens: 4000, cacheWriteTokens: 1000 },
  },
  {
    service: "new-api",
    source: "",
    title: "Anthropic's counts in a Chat Completions stream",
    chunks: [
      end("stop"),
      last({
        input_tokens: 12,
        output_tokens: 40,
        cache_read_input_tokens: 14_000,
        cache_creation_input_tokens: 420,
      }),
    ],
    usage: { inputTokens: 14_432, outputTokens: 40, cacheReadTokens: 14_000, cacheWriteTokens: 420 },
  },
  {
    service: "a gateway",
    source: "ollama#16428",
    title: "a prompt without what was cached, told by the total",
    chunks: [
      end("stop"),
      last({
        prompt_tokens: 12,
        completion_tokens: 40,
        total_tokens: 14_472,
        prompt_tokens_details: { cached_tokens: 14_420 },
      }),
    ],
    usage: { inputTokens: 14_432, outputTokens: 40, cacheReadTokens: 14_420 },
  },
  {
    service: "llama.cpp",
    source: "",
    title: "usage, and the cache in the timings",
    chunks: [
      {
        ...end("stop"),
        usage: { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930 },
        timings: { cache_n: 880, prompt_n: 20, predicted_n: 30, prompt_ms: 11.2 },
      },
    ],
    usage: { inputTokens: 900, outputTokens: 30, cacheReadTokens: 880 },
  },
  {
    service: "llama.cpp",
    source: "",
    title: "timings alone",
    chunks: [{ ...end("stop"), timings: { cache_n: 880, prompt_n: 20, predicted_n: 30 } }],
    usage: { inputTokens: 900, outputTokens: 30, cacheReadTokens: 880 },
  },
  {
    service: "llama.cpp",
    source: "",
    title: "timings that do not tell the prompt's size",
    chunks: [{ ...end("stop"), timings: { prompt_n: 20, predicted_n: 30 } }],
    usage: { outputTokens: 30 },
  },
  {
    service: "vLLM",
    source: "",
    title: "with each chunk, of all so far",
    chunks: [
      { ...delta({ content: "" }), usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 } },
      { ...delta({ content: "" }), usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 } },
      { ...end("stop"), usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 } },
    ],
    usage: { inputTokens: 100, outputTokens: 3 },
  },
  {
    service: "Perplexity",
    source: "",
    title: "with each chunk, and zeros in the last",
    chunks: [
      { ...delta({ content: "" }), usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 } },
      { ...end("stop"), usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } },
    ],
    usage: { inputTokens: 100, outputTokens: 3 },
  },
  {
    service: "a gateway",
    source: "",
    title: "the prompt at the start, the rest at the end",
    chunks: [
      { ...delta({ content: "" }), usage: { prompt_tokens: 100 } },
      { ...end("stop"), usage: { completion_tokens: 3 } },
    ],
    usage: { inputTokens: 100, outputTokens: 3 },
  },
  {
    service: "a gateway",
    source: "",
    title: "the prompt and the total only",
    chunks: [end("stop"), last({ prompt_tokens: 100, total_tokens: 130 })],
    usage: { inputTokens: 100, outputTokens: 30 },
  },
  {
    service: "a gateway",
    source: "",
    title: "the completion and the total only",
    chunks: [end("stop"), last({ completion_tokens: 30, total_tokens: 130 })],
    usage: { inputTokens: 100, outputTokens: 30 },
  },
  {
    service: "a gateway",
    source: "",
    title: "figures in text",
    chunks: [
      end("stop"),
      last({ prompt_tokens: "100", completion_tokens: "30", prompt_tokens_details: { cached_tokens: "64" } }),
    ],
    usage: { inputTokens: 100, outputTokens: 30, cacheReadTokens: 64 },
  },
  {
    service: "a gateway",
    source: "",
    title: "null, and figures that are none",
    chunks: [
      { ...delta({ content: "" }), usage: null },
      { ...end("stop"), usage: { prompt_tokens: -1, completion_tokens: null, total_tokens: 1.5 } },
    ],
    usage: undefined,
  },
  {
    service: "Gemini",
    source: "",
    title: "Google's own names through a gateway",
    chunks: [
      {
        ...end("stop"),
        usageMetadata: {
          promptTokenCount: 21,
          candidatesTokenCount: 10,
          thoughtsTokenCount: 60,
          cachedContentTokenCount: 16,
          totalTokenCount: 91,
        },
      },
    ],
    usage: { inputTokens: 21, outputTokens: 70, cacheReadTokens: 16, reasoningTokens: 60 },
  },
  {
    service: "OpenAI",
    source: "",
    protocol: "responses",
    title: "the names of Responses",
    chunks: response({
      input_tokens: 328,
      input_tokens_details: { cached_tokens: 128 },
      output_tokens: 52,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 380,
    }),
    usage: { inputTokens: 328, outputTokens: 52, cacheReadTokens: 128, reasoningTokens: 20 },
  },
  {
    service: "Anthropic",
    source: "",
    protocol: "messages",
    title: "fresh input beside the cache",
    chunks: message(
      { input_tokens: 21, cache_creation_input_tokens: 188, cache_read_input_tokens: 14_000, output_tokens: 1 },
      { output_tokens: 393 },
    ),
    usage: { inputTokens: 14_209, outputTokens: 393, cacheReadTokens: 14_000, cacheWriteTokens: 188 },
  },
  {
    service: "Anthropic",
    source: "",
    protocol: "messages",
    title: "writes of the cache by their time to live only",
    chunks: message(
      {
        input_tokens: 21,
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 50 },
        output_tokens: 1,
      },
      { output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } },
    ),
    usage: { inputTokens: 171, outputTokens: 40, cacheWriteTokens: 150, reasoningTokens: 30 },
  },
  {
    service: "a gateway",
    source: "",
    protocol: "messages",
    title: "figures in text",
    chunks: message({ input_tokens: "21", cache_read_input_tokens: "79", output_tokens: "1" }, { output_tokens: "9" }),
    usage: { inputTokens: 100, outputTokens: 9, cacheReadTokens: 79 },
  },
  {
    service: "Ollama",
    source: "",
    protocol: "ollama",
    title: "the counts of the last line",
    chunks: [
      { message: { role: "assistant", content: "Yes." }, done: false },
      {
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: "stop",
        prompt_eval_count: 26,
        eval_count: 9,
      },
    ],
    usage: { inputTokens: 26, outputTokens: 9 },
  },
];

function bodyOf({ protocol, chunks }: UsageRow): string {
  switch (protocol) {
    case undefined:
      return chatStream(delta({ content: "Yes." }), ...chunks);
    case "ollama":
      return chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join("");
    default:
      return chunks
        .map((chunk) => `event: ${String(Reflect.get(chunk, "type"))}\ndata: ${JSON.stringify(chunk)}\n\n`)
        .join("");
  }
}

export const usage: readonly DialectCase[] = ROWS.map((row) => ({
  kind: "usage",
  service: row.service,
  source: row.source,
  title: row.title,
  protocol: row.protocol ?? "chat",
  wire: [{ body: bodyOf(row) }],
  right: rightAnswer({ text: "Yes.", usage: row.usage === undefined ? undefined : { ...NOTHING, ...row.usage } }),
}));
