/** Error messages about a request or answer that is too long, and the limits in tokens that they name. */

import { unavailable, type ServiceUnavailable } from "../../core/errors.ts";

export function saysContextOverflow(text: string): boolean {
  return OVERFLOW.some((pattern) => pattern.test(text));
}

/** True if one request alone has more tokens than a minute allows, so that waiting cannot help: OpenAI, Groq. */
export function saysTooLargeForRate(message: string): boolean {
  return /request too large for\b|(?:input or output tokens must be reduced|reduce your message size)/i.test(message);
}

/**
 * Anthropic; OpenAI and vLLM; llama.cpp; LM Studio; Ollama; Copilot; Gemini; xAI; Kimi; Bedrock; Together; Cloudflare;
 * Qwen; GLM; DeepInfra; Hugging Face; Cohere; watsonx; LiteLLM and other gateways.
 */
const OVERFLOW: readonly RegExp[] = [
  /prompt (?:is )?too long|prompt 超长|prompt exceeds max(?:imum)? length/i,
  /input length and `?max_tokens`? exceed/i,
  /context_(?:length|window)_exceeded|ContextWindowExceeded/i,
  /maximum context length/i,
  /exceed(?:s|ed)? (?:(?:the|this) )?(?:available |model(?:'?s)? )?(?:maximum )?context/i,
  /exceed_context_size/i,
  /context (?:window|length|size)\b.{0,60}\bexceed/i,
  /(?:greater|longer) than the (?:model'?s )?context length/i,
  // Not "encoder prompt": that is an image that is too large.
  /decoder prompt\b.{0,40}\blonger than the maximum model length/i,
  /context (?:the )?overflows/i,
  /model_max_prompt_tokens_exceeded/i,
  /prompt token count of \d+ exceeds/i,
  /input token count (?:\(\d+\) |of \d+ )?exceeds/i,
  /maximum prompt length/i,
  /exceeded model token limit/i,
  /input is too long for/i,
  /input length [\d,]+ exceeds (?:the )?maximum|range of input length should be/i,
  /input tokens (?:exceeds? (?:the configured limit|maximum length)|[\d,]+ cannot exceed)/i,
  /`inputs` (?:tokens \+ `max_new_tokens` must be <=|must have less than)/i,
  /total number of tokens in the prompt (?:cannot exceed|exceeds)/i,
  /configured context size is/i,
  /reduce the length of the (?:messages|prompt|input)/i,
  // SiliconFlow and others on the same engine; vLLM, which subtracts the prompt from the window; SGLang; TGI; MiniMax.
  /prompt_tokens \(\d+\) must be less than max_seq_len/i,
  /max_(?:completion_)?tokens must be at least 1, got -\d/i,
  /requested token count exceeds|tokens? limit exceeded\. max|tokens_limit_reached|(?:total )?tokens\b.{0,40}\bexceed max message tokens|input \(\d+ tokens\) is longer than/i,
  /must be less than (?:the )?(?:model'?s )?(?:max(?:imum)?[ _])?(?:context|sequence|seq|model)[ _]?len/i,
  /(?:prompt|input|request|conversation|messages?)\b.{0,60}(?:exceeds?|longer than|larger than|greater than|too (?:long|large) for|over) (?:the |this )?(?:model'?s )?(?:max(?:imum)? )?(?:context|(?:sequence|token|input|prompt) (?:length|limit))/i,
  /(?:input|prompt|request)\b.{0,40}\bmax_(?:model_len|seq_len|position_embeddings|input_tokens|prompt_tokens|context)/i,
  /(?:prompt|input|request)\b.{0,40}\btokens\b.{0,20}\bmodel supports (?:at most|up to|only)/i,
  /number of (?:input |prompt )?tokens\b.{0,60}\b(?:exceed|greater|larger|above)/i,
  /too many (?:input |prompt )?tokens(?!\s*(?:per\b|\/))(?:: (?:total|the total|the number|size|prompt)|\s?(?:in|for) (?:the |your )?(?:prompt|input|request|model))/i,
  /(?:输入|上下文|提示词?|prompt|请求).{0,20}(?:超长|过长|超出|超过).{0,20}(?:长度|限制|上限|$)/i,
  // Not tokens per minute: that is a rate limit.
  /exceeds? the (?:limit|maximum) of \d+ (?:input )?tokens(?!\s*(?:per\b|\/|an?\b))/i,
];

export interface RequestSize {
  /** As counted before sending, for vLLM, which names only by how much the window is exceeded. */
  readonly sentTokens?: number | undefined;
  /** Where it is told outside the message. */
  readonly windowTokens?: number | undefined;
}

/** `detail` must have gone through `errorDetail`. */
export function contextOverflow(provider: string, detail: string, size: RequestSize = {}): ServiceUnavailable {
  const excess = Number(/max_(?:completion_)?tokens must be at least 1, got -(\d+)/i.exec(detail)?.[1]);
  const inferred = (size.sentTokens ?? 0) - excess;
  const told = size.windowTokens ?? windowIn(detail);
  const windowTokens = told ?? (inferred >= MIN_WINDOW_TOKENS ? inferred : undefined);
  const error = unavailable(provider, "contextOverflow", detail);
  return windowTokens === undefined ? error : { ...error, windowTokens };
}

/** In tokens. */
function windowIn(message: string): number | undefined {
  for (const pattern of WINDOW_PATTERNS) {
    const told = Number(pattern.exec(message)?.[1]?.replaceAll(/[,_]/g, ""));
    if (Number.isSafeInteger(told) && told >= MIN_WINDOW_TOKENS) return told;
  }
  return undefined;
}

/** No server is configured with a smaller window; a smaller number means something else. */
const MIN_WINDOW_TOKENS = 512;

/**
 * OpenAI, vLLM and many more; Together; Mistral; vLLM; LM Studio; llama.cpp; another; Cloudflare; Anthropic, twice;
 * Kimi; xAI; Gemini; Qwen; GLM and DeepInfra; Hugging Face; Cohere; watsonx; OpenAI; Cerebras; Copilot and gateways.
 */
const WINDOW_PATTERNS: readonly RegExp[] = [
  /maximum context length (?:is|of) ([\d,_]+)/i,
  /model'?s context length \(([\d,_]+) tokens\)/i,
  /model with ([\d,_]+) maximum context length/i,
  /maximum model length of ([\d,_]+)/i,
  /context length of (?:only )?([\d,_]+)/i,
  /context size \(([\d,_]+) tokens\)/i,
  /configured context size is ([\d,_]+)/i,
  /context window limit \(([\d,_]+)\)/i,
  /tokens > ([\d,_]+) maximum/i,
  /exceed context limit: [\d,_]+ \+ [\d,_]+ > ([\d,_]+)/i,
  /token limit: ([\d,_]+)/i,
  /maximum prompt length is ([\d,_]+)/i,
  /maximum number of tokens allowed \(([\d,_]+)\)/i,
  /range of input length should be \[\d+, ?([\d,_]+)\]/i,
  /maximum (?:allowed )?input length (?:of )?([\d,_]+)/i,
  /`max_new_tokens` must be <= ([\d,_]+)/i,
  /tokens in the prompt cannot exceed ([\d,_]+)/i,
  /total tokens limit ([\d,_]+)/i,
  /exceed the configured limit of ([\d,_]+) tokens/i,
  /current length is [\d,_]+ while limit is ([\d,_]+)/i,
  // SiliconFlow; llama.cpp; SambaNova; SGLang; Bedrock; NVIDIA; gateways.
  /max_seq_len (?:\(|is |= ?)([\d,_]+)/i,
  /n_ctx\W{1,3}([\d,_]+)/i,
  /max size: ([\d,_]+) tokens/i,
  /max(?:imum)? (?:allowed )?(?:token|input|sequence|prompt) (?:size|length) (?:of |is )?([\d,_]+)/i,
  /(?:must have less than|exceeds the model'?s (?:context |token )?limit \(?|limit exceeded\. max:?|length exceeded: [\d,_]+ >) ?([\d,_]+)/i,
  /maximum context length of [\w.:/-]{1,80} is ([\d,_]+)/i,
  /(?:longer|larger|greater) than the model'?s (?:maximum )?context length (?:of )?\(?([\d,_]+)/i,
  /(?:max_model_len|max_position_embeddings|max_input_tokens|max_prompt_tokens|context[_ ](?:window|length|size))(?: is| of|=|:)? ?\(?=?([\d,_]+)/i,
  /(?:maximum|limit|at most|up to|supports|only) (?:of |is )?([\d,_]{4,12}) (?:input |prompt |context )?tokens(?!\s*(?:per\b|\/))/i,
  /[\d,_]+ (?:input |prompt )?tokens? (?:exceeds?|>|is greater than|is larger than) (?:the )?(?:limit|maximum|max)(?: of|:)? ?([\d,_]+)/i,
  /exceeds? the (?:limit|maximum) of ([\d,_]+)\b(?! (?:input )?tokens\s*(?:per\b|\/|an?\b))/i,
];

/** Output limit in tokens that a refusal of a larger one names; `undefined` when it names none. */
export function outputLimitIn(message: string): number | undefined {
  for (const pattern of OUTPUT_LIMIT_PATTERNS) {
    const told = Number(pattern.exec(message)?.[1]);
    if (Number.isSafeInteger(told) && told > 0) return told;
  }
  return undefined;
}

/** DeepSeek; OpenAI; Groq and many more; Anthropic. */
const OUTPUT_LIMIT_PATTERNS: readonly RegExp[] = [
  /valid range of max_tokens is \[\d+, ?(\d+)\]/i,
  /supports at most (\d+) (?:completion|output) tokens/i,
  /max_(?:completion_|output_)?tokens\b.{0,60}(?:less than or equal to|at most|<=)\W{0,3}(\d+)/i,
  /max_tokens: \d+ > (\d+), which is the maximum/i,
];

export interface PlannedTokens {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/**
 * Output tokens for which a refusal leaves room. `undefined` when it does not say, when the window is smaller than
 * planned, or when so little is left that the conversation has to be shortened.
 */
export function remainingOutputTokens(message: string, planned: PlannedTokens): number | undefined {
  for (const pattern of SIZE_PATTERNS) {
    const { window, input, total = input, output = "0" } = pattern.exec(message)?.groups ?? {};
    const windowTokens = countOf(window);
    const room = windowTokens - (countOf(total) - countOf(output));
    const isWorthIt = room < planned.maxOutputTokens && room >= planned.maxOutputTokens / MIN_ROOM_DIVISOR;
    if (windowTokens >= planned.contextWindow && isWorthIt) return room;
  }
  return undefined;
}

/** With less than a quarter of the planned output, answers would often be cut. */
const MIN_ROOM_DIVISOR = 4;

/** OpenAI and many more, OpenRouter; vLLM; Anthropic. */
const SIZE_PATTERNS: readonly RegExp[] = [
  /maximum context length is (?<window>[\d,]+) tokens.{0,20}\byou requested (?:about )?(?<total>[\d,]+) tokens \(.{0,80}?(?<output>[\d,]+) in the (?:completion|output)/i,
  /maximum context length is (?<window>[\d,]+) tokens and your request has (?<input>[\d,]+) input tokens/i,
  /exceed context limit: (?<input>[\d,]+) \+ [\d,]+ > (?<window>[\d,]+)/i,
];

function countOf(told = ""): number {
  return told === "" ? Number.NaN : Number(told.replaceAll(",", ""));
}
