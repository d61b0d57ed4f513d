/** The failures that every provider shares, and how they are recognised in the words of servers. */

import type { Cancelled, ForgeError, ServiceUnavailable } from "../errors.ts";

/** The user stopped it. */
export const CANCELLED: Cancelled = { code: "CANCELLED" };

/** What went wrong with a service. `detail` must have gone through `errorDetail`. */
export function unavailable(
  provider: string,
  reason: ServiceUnavailable["reason"],
  detail: string,
  retryAfterMs?: number,
): ServiceUnavailable {
  const error: ServiceUnavailable = { code: "SERVICE_UNAVAILABLE", provider, reason, detail };
  return retryAfterMs === undefined ? error : { ...error, retryAfterMs };
}

/** Whether a server's words say that the request was larger than the model's window, as the common servers put it. */
export function saysContextOverflow(text: string): boolean {
  return OVERFLOW.some((pattern) => pattern.test(text));
}

/** Whether a content type cannot be an event stream: a page, a document, a whole JSON answer. */
export function isForeignContentType(contentType: string | null): boolean {
  return (
    contentType !== null &&
    /^\s*(?:text\/html|application\/(?:xhtml\+xml|xml|json|problem\+json)|text\/xml|image\/)/i.test(contentType)
  );
}

/**
 * Anthropic; OpenAI and vLLM; llama.cpp; LM Studio; Ollama; Copilot; Gemini; xAI; Kimi; Bedrock; Together; Cloudflare; Qwen; GLM;
 * DeepInfra; Hugging Face; Cohere; watsonx; LiteLLM and other gateways.
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
  // Not one for an encoder, which is too large a picture.
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
  /reduce the length of the (?:messages|prompt)/i,
  // Not so many in a minute: that is a limit of speed.
  /exceeds? the (?:limit|maximum) of \d+ (?:input )?tokens(?!\s*(?:per\b|\/|an?\b))/i,
];

/** The model's window, where a failure for too long a request tells it; `undefined` where it does not. */
export function windowInOverflow(error: ForgeError): number | undefined {
  if (error.code !== "SERVICE_UNAVAILABLE" || error.reason !== "contextOverflow") return undefined;
  for (const pattern of TOLD_WINDOWS) {
    const told = Number(pattern.exec(error.detail)?.[1]?.replaceAll(/[,_]/g, ""));
    if (Number.isSafeInteger(told) && told >= LEAST_WINDOW) return told;
  }
  return undefined;
}

/** No server is set up with less; a smaller number is something else. */
const LEAST_WINDOW = 512;

/**
 * OpenAI, vLLM and many more; Together; Mistral; vLLM; LM Studio; llama.cpp; another; Cloudflare; Anthropic, twice; Kimi; xAI;
 * Gemini; Qwen; GLM and DeepInfra; Hugging Face; Cohere; watsonx; OpenAI; Cerebras; Copilot and gateways.
 */
const TOLD_WINDOWS: readonly RegExp[] = [
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
  /exceeds? the (?:limit|maximum) of ([\d,_]+)\b(?! (?:input )?tokens\s*(?:per\b|\/|an?\b))/i,
];

/** The longest answer, in tokens, that a model says it writes when it was asked for a longer one; `undefined` where it says none. */
export function largestAnswerIn(message: string): number | undefined {
  for (const pattern of TOLD_ANSWERS) {
    const told = Number(pattern.exec(message)?.[1]);
    if (Number.isSafeInteger(told) && told > 0) return told;
  }
  return undefined;
}

/** DeepSeek; OpenAI; Groq and many more; Anthropic. */
const TOLD_ANSWERS: readonly RegExp[] = [
  /valid range of max_tokens is \[\d+, ?(\d+)\]/i,
  /supports at most (\d+) (?:completion|output) tokens/i,
  /max_(?:completion_|output_)?tokens\b.{0,60}(?:less than or equal to|at most|<=)\W{0,3}(\d+)/i,
  /max_tokens: \d+ > (\d+), which is the maximum/i,
];
