/**
 * Table of the words of services for the failures that need different remedies. Statuses alone do not tell them apart: no
 * credit is a 402, 403, 412 or 429, and a 400 with Anthropic; an unknown model is a 400, 403, 404 or 503.
 */

import { saysContextOverflow, saysTooLargeForRate } from "./lengthErrors.ts";

export type FailureKind =
  | "wrongCountry"
  | "noCredit"
  | "tooLong"
  | "loading"
  | "overloaded"
  | "tooFast"
  | "refused"
  | "unknownModel"
  | "wrongKey";

/** An error as far as it matters here. */
export interface SaidFailure {
  /** Absent for an error in mid-stream, and in a success. */
  readonly status?: number | undefined;
  /** The service's words and numbers for it. */
  readonly types: readonly string[];
  readonly message: string;
  /** True if it says when to try again. */
  readonly namesDelay: boolean;
}

/** The first row that fits; `undefined` when the failure has no remedy of its own. */
export function failureKind(said: SaidFailure): FailureKind | undefined {
  const types = said.types.map((type) => type.toLowerCase());
  return ROWS.find((row) => fits(row, said, types))?.kind;
}

interface Row {
  readonly kind: FailureKind;
  /** Types and codes, in lower case. */
  readonly types?: readonly string[];
  /** A function is given the types before the message. */
  readonly says?: RegExp | ((text: string) => boolean);
  /** Statuses in which `says` counts; `undefined` is one in a success or in mid-stream. Absent: any. */
  readonly within?: readonly (number | undefined)[];
  /** Statuses that mean this by themselves. */
  readonly statuses?: readonly number[];
  /** Not if the service says when to try again: then it is about speed. */
  readonly unlessDelayed?: true;
}

function fits(row: Row, { status, message, namesDelay }: SaidFailure, types: readonly string[]): boolean {
  if (row.unlessDelayed === true && namesDelay) return false;
  if (status !== undefined && row.statuses?.includes(status) === true) return true;
  if (row.types?.some((type) => types.includes(type)) === true) return true;
  if (row.says === undefined || row.within?.includes(status) === false) return false;
  return typeof row.says === "function" ? row.says(`${types.join(" ")} ${message}`) : row.says.test(message);
}

const ROWS: readonly Row[] = [
  {
    kind: "wrongCountry",
    types: ["unsupported_country_region_territory", "unsupported_country", "region_not_supported"],
    // OpenAI; Google; Anthropic and Bedrock; OpenRouter, xAI and Copilot; Cloudflare's page in front of many.
    says: /country, region, or territory not supported|user location is not supported|not allowed from unsupported countries|(?:not|n't) (?:currently )?(?:available|supported|offered|allowed) (?:in|from) (?:your|this) (?:current )?(?:country|region|location|territory)|(?:country|region|territory) (?:is |are )?(?:not|n't) (?:supported|allowed|available)|(?:banned|blocked) (?:the|your|from this|in your|from your) (?:country|region)/i,
    within: [undefined, 400, 401, 403, 404, 451],
  },
  { kind: "noCredit", statuses: [402] },
  {
    kind: "noCredit",
    types: [
      // OpenAI and many more; Anthropic; Moonshot; gateways; Qwen; Novita; Bedrock; new-api, twice; LiteLLM; Vertex.
      "insufficient_quota",
      "billing_error",
      "exceeded_current_quota_error",
      "insufficient_credits",
      "insufficient_balance",
      "arrearage",
      "prepaidbilloverdue",
      "postpaidbilloverdue",
      "allocationquota.freetieronly",
      "not_enough_balance",
      "payment_required",
      "insufficient_user_quota",
      "pre_consume_token_quota_failed",
      "budget_exceeded",
      "billing_not_active",
      "billing_hard_limit_reached",
      "billing_disabled",
      // GLM; MiniMax; SiliconFlow.
      "1113",
      "1008",
      "30001",
    ],
    unlessDelayed: true,
  },
  {
    // Anthropic with 400; OpenRouter; DeepSeek; xAI; GLM; SiliconFlow; Hugging Face; Together; Fireworks; Vertex; LiteLLM;
    // Novita; one-api.
    kind: "noCredit",
    says: /credit balance is too low|(?:insufficient|not enough|no|more) (?:account )?(?:credits?|balance|funds)\b(?! card)|balance (?:is |was )?(?:insufficient|not enough|too low|exhausted)|doesn't have any credits|used all available credits|(?:reached|exceeded|hit) (?:its|your|the) (?:monthly|weekly) (?:spending limit|included credits)|credit limit exceeded|monthly spending limit|past invoices|requires billing to be enabled|billing (?:details )?(?:is |are )?(?:not active|disabled)|please (?:recharge|top up)|top up your (?:balance|account)|budget has been exceeded|in good standing|credits are depleted|out of (?:credits?|funds)|(?:credits?|balance) (?:has been |have been |is |are )?(?:exhausted|used up|negative|empty)|key limit exceeded|(?:add|enter|no valid) (?:a )?payment method|free tier of the model has been exhausted|(?:余额|额度)不足|欠费|充值/i,
    unlessDelayed: true,
  },
  // Google's word for any allowance, which mostly is one per minute or day.
  { kind: "tooFast", types: ["resource_exhausted"] },
  // OpenAI's words, where a gateway drops the code.
  { kind: "noCredit", says: /exceeded your current quota/i, unlessDelayed: true },
  { kind: "tooLong", says: saysTooLargeForRate, within: [413, 429] },
  {
    // llama.cpp and Ollama; Hugging Face; gateways in front of both. A model that cannot be loaded is none of these.
    kind: "loading",
    says: /(?<!error |failed |while |when )\bloading (?:the )?model\b(?! failed)|\bmodels?\b.{0,120}?\b(?:is|are) (?:still |currently )?(?:loading|being loaded)\b|\bmodel is (?:not (?:yet )?ready|warming up)\b/i,
    within: [undefined, 503],
  },
  {
    // Moonshot; Anthropic; GLM; Mistral; Bedrock; Gemini; Groq's flexible tier.
    kind: "overloaded",
    statuses: [498, 529],
    types: [
      "engine_overloaded_error",
      "overloaded_error",
      "1305",
      "3505",
      "modelnotreadyexception",
      "server_overloaded",
    ],
    says: /\b(?:currently|temporarily) overloaded|model (?:is )?overloaded|capacity exceeded for this model|at capacity/i,
    within: [undefined, 429, 500, 502, 503],
  },
  {
    kind: "tooFast",
    statuses: [429],
    types: [
      // OpenAI, Anthropic and many more, in three spellings; Azure; Bedrock; Qwen; GLM; MiniMax;
      // SiliconFlow.
      "rate_limit_error",
      "rate_limit_exceeded",
      "rate_limit_reached_error",
      "rate_limit_reached",
      "ratelimitreached",
      "too_many_requests",
      "throttlingexception",
      "throttling",
      "throttling.ratequota",
      "throttling.allocationquota",
      "throttling.burstrate",
      "limit_requests",
      "1302",
      "1303",
      "1304",
      "1308",
      "1039",
      "20054",
    ],
  },
  {
    // The types and the first words are those of an allowance with a time of renewal; GitHub; MiniMax.
    kind: "tooFast",
    types: ["insufficient_quota", "exceeded_current_quota_error"],
    says: /exceeded your current quota|\brate.?limit\w{0,3}\b.{0,60}(?:exceed|reach|hit)|(?:exceed|reach|hit)\w{0,4}\b.{0,60}\brate.?limit|too many requests/i,
    within: [undefined, 400, 403, 503],
  },
  {
    kind: "refused",
    types: [
      // OpenAI; Azure; Qwen; GLM; MiniMax, twice.
      "content_filter",
      "content_policy_violation",
      "responsibleaipolicyviolation",
      "data_inspection_failed",
      "datainspectionfailed",
      "invalid_prompt",
      "1301",
      "1026",
      "1027",
      "sensitive_words_detected",
    ],
  },
  {
    // OpenRouter and OpenAI; DeepSeek; xAI; Qwen; Anthropic; Azure; Moonshot; GLM; MiniMax.
    kind: "refused",
    says: /\bflagged\b|content exists risk|violates usage guidelines|may contain inappropriate content|blocked by content filtering|content management policy|considered high risk|sensitive words detected|input new_sensitive|output new_sensitive|our safety system|violates? our usage polic|敏感内容/i,
    within: [undefined, 400, 403, 451],
  },
  {
    kind: "tooLong",
    statuses: [413],
    // GLM; MiniMax.
    types: [
      "context_length_exceeded",
      "1261",
      "2045",
      "contextwindowexceedederror",
      "model_max_prompt_tokens_exceeded",
    ],
  },
  {
    kind: "unknownModel",
    types: [
      // OpenAI and many more; Azure; Mistral and Perplexity; GitHub, twice; Together; Hugging Face; Groq; Qwen; GLM; new-api.
      "model_not_found",
      "deploymentnotfound",
      "invalid_model",
      "unknown_model",
      "no_access",
      "model_not_available",
      "model_not_supported",
      "model_decommissioned",
      "modelnotfound",
      "1211",
      "20012",
      "get_channel_failed",
    ],
  },
  {
    // DeepSeek; Moonshot; xAI; vLLM; Bedrock, twice; LiteLLM; MiniMax; Groq; Hugging Face; one-api, twice; LM Studio; GLM.
    kind: "unknownModel",
    says: /\bmodel\b.{0,120}?\b(?:does not|doesn't|not) exist|not found the model|not a valid model\b|\bmodel(?: ['"`][^'"`]{1,200}['"`])? not found|(?:unknown|invalid) model\b(?!.{0,20}(?:param|setting|input|output|state|weights|format))|model identifier is invalid|access to the model with|no access to model|\bmodel\b.{0,120}?(?:has been decommissioned|has been deprecated|is not supported by any)|no available channels?\b.{0,40}\bmodel|无可用渠道|模型不存在|\bmodel\b.{0,120}?\bnot available on this server|unsupported model: |the requested model is not supported|no models? (?:is |are )?(?:currently )?loaded|^function \S{1,60}: not found/i,
    within: [undefined, 400, 403, 404, 422, 500, 503],
  },
  // An unknown model and a wrong address are both 404; only the message tells them apart. The last words are OpenRouter's,
  // when no host of the model supports the request.
  { kind: "unknownModel", says: /\bmodels?\b|no endpoints found for/i, within: [404] },
  {
    kind: "wrongKey",
    statuses: [401, 403],
    types: [
      // Anthropic; OpenAI; Qwen; Google; Bedrock; MiniMax, twice; LiteLLM, for a key that it does not know.
      "authentication_error",
      "permission_error",
      "invalid_api_key",
      "invalidapikey",
      "unauthenticated",
      "permission_denied",
      "unrecognizedclientexception",
      "accessdeniedexception",
      "1004",
      "2049",
      "no_db_connection",
    ],
  },
  {
    // xAI; Google; LiteLLM; Bedrock; one-api.
    kind: "wrongKey",
    says: /\b(?:incorrect|invalid|expired) api key|\bapi key (?:is )?(?:not valid|invalid|expired)|invalid proxy server token|security token included in the request is invalid|无效的令牌/i,
    within: [undefined, 400],
  },
  { kind: "tooLong", says: saysContextOverflow },
  { kind: "overloaded", statuses: [503] },
];
