/** Failures as services report them: status, headers and body, and what each must become. */

import type { ForgeError } from "../../../src/core/errors.ts";
import { modelId } from "../../../src/core/ids.ts";
import type { DialectCase, Protocol, RightError } from "./dialectCase.ts";
import { rightAnswer } from "./dialectCase.ts";

/** The code of a failure, or the reason of an unavailable service. */
type FailureName =
  | "COUNTRY_REFUSED"
  | "NO_CREDIT"
  | "RATE_LIMITED"
  | "REFUSED"
  | "MODEL_UNKNOWN"
  | "AUTH_FAILED"
  | "contextOverflow"
  | "overloaded"
  | "serverError"
  | "badRequest"
  | "notAStream";

interface ErrorRow {
  readonly service: string;
  /** Public page or report that shows the form. */
  readonly source: string;
  /** Default: `chat`. */
  readonly wire?: Protocol;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** An object is sent as JSON; a text as it is. */
  readonly body: object | string;
  readonly expected: {
    readonly name: FailureName;
    readonly windowTokens?: number;
    readonly retryAfterMs?: number;
  };
}

const openAi = (message: string, type: string, code: string | number | null = null): object => ({
  error: { message, type, param: null, code },
});
const google = (code: number, status: string, message: string, details: readonly object[] = []): object => ({
  error: { code, message, status, details },
});
const anthropic = (type: string, message: string): object => ({ type: "error", error: { type, message } });
const event = (data: object | string): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** No credit. */
const NO_CREDIT: readonly ErrorRow[] = [
  {
    service: "OpenRouter",
    source: "",
    status: 402,
    body: {
      error: { code: 402, message: "Insufficient credits. Add more using https://openrouter.ai/settings/credits" },
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "OpenRouter",
    source: "qwen-code#73",
    status: 402,
    body: {
      error: {
        code: 402,
        message:
          "This request requires more credits, or fewer max_tokens. You requested up to 225702 tokens, but can only afford 92985.",
      },
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "OpenRouter",
    source: "forgecode#571",
    status: 200,
    body: { error: { error: { message: "More credits are required to run this request.", code: 402 }, code: 402 } },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "OpenAI",
    source: "",
    status: 429,
    body: openAi(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      "insufficient_quota",
    ),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Azure OpenAI",
    source: "",
    status: 429,
    body: { error: { code: "insufficient_quota", message: "The account has no quota left for this deployment." } },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 400,
    body: anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "DeepSeek",
    source: "",
    status: 402,
    body: openAi("Insufficient Balance", "unknown_error", "invalid_request_error"),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Moonshot",
    source: "",
    status: 429,
    body: openAi("You exceeded your current quota, please check your plan", "exceeded_current_quota_error"),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "GLM",
    source: "continue#11823",
    status: 429,
    body: { error: { code: "1113", message: "余额不足或无可用资源包,请充值。" } },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "GLM",
    source: "claude-code#9201",
    wire: "messages",
    status: 429,
    body: anthropic("1113", "Insufficient balance or no resource package. Please recharge."),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Qwen",
    source: "",
    status: 400,
    body: {
      code: "Arrearage",
      message: "Access denied, please make sure your account is in good standing.",
      request_id: "r",
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Qwen",
    source: "",
    status: 403,
    body: openAi(
      "The free tier of the model has been exhausted.",
      "AllocationQuota.FreeTierOnly",
      "AllocationQuota.FreeTierOnly",
    ),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "MiniMax",
    source: "",
    status: 200,
    body: { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "xAI",
    source: "",
    status: 403,
    body: {
      code: "The caller does not have permission to execute the specified operation",
      error: "Your newly created team doesn't have any credits yet. You can purchase credits on https://console.x.ai.",
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "xAI",
    source: "",
    status: 429,
    body: {
      code: "Some resource has been exhausted",
      error: "Your team 7 has either used all available credits or reached its monthly spending limit.",
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Perplexity",
    source: "",
    status: 401,
    body: openAi(
      "You exceeded your current quota, please check your plan and billing details.",
      "insufficient_quota",
      401,
    ),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Hugging Face",
    source: "",
    status: 402,
    body: {
      error:
        "You have exceeded your monthly included credits for Inference Providers. Subscribe to PRO to get 20x more.",
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Together",
    source: "",
    status: 402,
    body: openAi("Credit limit exceeded, please navigate to billing to add credits.", "credit_limit", null),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Fireworks",
    source: "",
    status: 412,
    body: {
      error:
        "Account a is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.",
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Novita",
    source: "",
    status: 403,
    body: { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "not enough balance", metadata: {} },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "SiliconFlow",
    source: "",
    status: 403,
    body: { code: 30001, message: "Sorry, your account balance is insufficient", data: null },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "DeepInfra",
    source: "",
    status: 402,
    body: { detail: { error: "inference prohibited, please enter a payment method" } },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Cerebras",
    source: "",
    status: 402,
    body: { message: "Payment required.", type: "payment_required_error", param: "quota", code: "payment_required" },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "NVIDIA",
    source: "",
    status: 402,
    contentType: "application/problem+json",
    body: {
      status: 402,
      title: "Payment Required",
      detail: "Account 'a': Cloud credits expired - Please contact NVIDIA",
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Vertex",
    source: "",
    status: 403,
    body: [
      google(
        403,
        "PERMISSION_DENIED",
        "This API method requires billing to be enabled. Please enable billing on project #7.",
      ),
    ],
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "Gemini",
    source: "",
    status: 429,
    body: [
      google(
        429,
        "RESOURCE_EXHAUSTED",
        "Your prepayment credits are depleted. Please go to AI Studio to manage your project.",
      ),
    ],
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "LiteLLM",
    source: "",
    status: 400,
    body: openAi("Budget has been exceeded! Current cost: 1.2, Max budget: 1.0", "budget_exceeded", "400"),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "one-api",
    source: "",
    status: 403,
    body: {
      error: { message: "用户额度不足, 剩余额度: ＄0.00", type: "one_api_error", code: "insufficient_user_quota" },
    },
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "new-api",
    source: "",
    status: 403,
    body: openAi(
      "token quota is not enough, token remain quota: ＄0.01",
      "new_api_error",
      "pre_consume_token_quota_failed",
    ),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "a gateway",
    source: "openclaude#1528",
    status: 402,
    body: openAi("Insufficient credits — top up your balance", "insufficient_quota", "insufficient_credits"),
    expected: { name: "NO_CREDIT" },
  },
  {
    service: "a gateway",
    source: "langchainjs#1929",
    status: 429,
    body: { message: "You exceeded your current quota, please check your plan and billing details." },
    expected: { name: "NO_CREDIT" },
  },
];

const WRONG_COUNTRY: readonly ErrorRow[] = [
  {
    service: "OpenAI",
    source: "one-api#1692",
    status: 403,
    body: openAi(
      "Country, region, or territory not supported",
      "request_forbidden",
      "unsupported_country_region_territory",
    ),
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "OpenAI, through a proxy without the wrapper",
    source: "continue#11449",
    status: 403,
    body: {
      code: "unsupported_country_region_territory",
      message: "Country, region, or territory not supported",
      param: null,
      type: "request_forbidden",
    },
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "OpenAI Responses",
    source: "core#120072",
    wire: "responses",
    status: 403,
    body: openAi(
      "Country, region, or territory not supported",
      "request_forbidden",
      "unsupported_country_region_territory",
    ),
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "Gemini",
    source: "",
    status: 400,
    body: [google(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")],
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "Bedrock",
    source: "",
    status: 400,
    body: {
      message: "Access to Anthropic models is not allowed from unsupported countries, regions, or territories.",
      __type: "ValidationException",
    },
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "OpenRouter",
    source: "",
    status: 403,
    body: { error: { code: 403, message: "This model is not available in your region." } },
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "xAI",
    source: "",
    status: 403,
    body: { code: "permission-denied", error: "The model grok-4 is not available in your region." },
    expected: { name: "COUNTRY_REFUSED" },
  },
  {
    service: "Cloudflare in front of a service",
    source: "",
    status: 403,
    contentType: "text/html",
    body: "<html><body><h1>Error 1009</h1><p>The owner of this website has banned the country or region your IP address is in.</p></body></html>",
    expected: { name: "COUNTRY_REFUSED" },
  },
];

/** Too fast, with the delay that the service names. */
const TOO_FAST: readonly ErrorRow[] = [
  {
    service: "OpenAI",
    source: "",
    status: 429,
    body: openAi(
      "Rate limit reached for m on requests per min (RPM): Limit 3. Please try again in 20s.",
      "requests",
      "rate_limit_exceeded",
    ),
    expected: { name: "RATE_LIMITED", retryAfterMs: 20_000 },
  },
  {
    service: "OpenAI",
    source: "",
    status: 429,
    headers: {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1m30s",
      "x-ratelimit-remaining-tokens": "149984",
      "x-ratelimit-reset-tokens": "6h0m0s",
    },
    body: openAi("Rate limit reached.", "requests", "rate_limit_exceeded"),
    expected: { name: "RATE_LIMITED", retryAfterMs: 90_000 },
  },
  {
    service: "OpenAI",
    source: "ruby_llm#850",
    status: 429,
    headers: { "x-ratelimit-reset-requests": "76ms", "x-ratelimit-reset-tokens": "7.66s" },
    body: openAi("Rate limit reached.", "tokens", "rate_limit_exceeded"),
    expected: { name: "RATE_LIMITED", retryAfterMs: 7_660 },
  },
  {
    service: "Azure OpenAI",
    source: "",
    status: 429,
    headers: { "retry-after-ms": "1250", "retry-after": "2" },
    body: { error: { code: "429", message: "Requests have exceeded call rate limit. Please retry after 3 seconds." } },
    expected: { name: "RATE_LIMITED", retryAfterMs: 1_250 },
  },
  {
    service: "Azure OpenAI",
    source: "",
    status: 429,
    body: { error: { code: "429", message: "Requests have exceeded call rate limit. Please retry after 3 seconds." } },
    expected: { name: "RATE_LIMITED", retryAfterMs: 3_000 },
  },
  {
    service: "Groq",
    source: "",
    status: 429,
    body: openAi(
      "Rate limit reached for model `m` on tokens per day (TPD): Limit 100000, Used 99000. Please try again in 7m12.5s.",
      "tokens",
      "rate_limit_exceeded",
    ),
    expected: { name: "RATE_LIMITED", retryAfterMs: 432_500 },
  },
  {
    service: "Groq",
    source: "Repo2Readme#183",
    status: 429,
    body: openAi("Rate limit reached. Please try again in 1h2m3.5s.", "tokens", "rate_limit_exceeded"),
    expected: { name: "RATE_LIMITED", retryAfterMs: 3_723_500 },
  },
  {
    service: "GitHub Models",
    source: "",
    status: 429,
    body: {
      error: {
        code: "RateLimitReached",
        message: "Rate limit of 10 per 60s exceeded for UserByModelByMinute. Please wait 3 seconds before retrying.",
      },
    },
    expected: { name: "RATE_LIMITED", retryAfterMs: 3_000 },
  },
  {
    service: "Copilot",
    source: "copilot-release#2593",
    status: 429,
    body: openAi(
      "You have been rate limited. Please try again in 6 minutes and 30 seconds.",
      "user_global_rate_limited",
    ),
    expected: { name: "RATE_LIMITED", retryAfterMs: 390_000 },
  },
  {
    service: "Gemini",
    source: "OmniRoute#4738",
    status: 429,
    body: [
      google(
        429,
        "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing details.",
        [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" }],
      ),
    ],
    expected: { name: "RATE_LIMITED", retryAfterMs: 17_000 },
  },
  {
    service: "Gemini",
    source: "CLIProxyAPI#449",
    status: 429,
    body: google(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", [{ metadata: { quotaResetDelay: "373.801628ms" } }]),
    expected: { name: "RATE_LIMITED", retryAfterMs: 374 },
  },
  {
    service: "Gemini",
    source: "CLIProxyAPI#449",
    status: 429,
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "You have exhausted your capacity on this model. Your quota will reset after 2h7m23s.",
    ),
    expected: { name: "RATE_LIMITED", retryAfterMs: 7_643_000 },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 429,
    headers: { "retry-after": "3600" },
    body: anthropic(
      "rate_limit_error",
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    ),
    expected: { name: "RATE_LIMITED", retryAfterMs: 3_600_000 },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 429,
    headers: {
      date: "Fri, 27 Nov 2026 10:00:00 GMT",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-11-27T10:00:41Z",
      "anthropic-ratelimit-tokens-remaining": "9000",
      "anthropic-ratelimit-tokens-reset": "2026-11-27T11:00:00Z",
    },
    body: anthropic("rate_limit_error", "Number of requests has exceeded your rate limit."),
    expected: { name: "RATE_LIMITED", retryAfterMs: 41_000 },
  },
  {
    service: "OpenRouter",
    source: "",
    status: 429,
    headers: {
      date: "Fri, 27 Nov 2026 10:00:00 GMT",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1795773620000",
    },
    body: { error: { code: 429, message: "Rate limit exceeded: free-models-per-day." } },
    expected: { name: "RATE_LIMITED", retryAfterMs: 20_000 },
  },
  {
    service: "OpenRouter",
    source: "",
    status: 200,
    contentType: "text/event-stream",
    body: event({
      error: {
        code: 429,
        message: "Provider returned error",
        metadata: { raw: '{"error":{"message":"Slow down. Retry after 12 s."}}' },
      },
    }),
    expected: { name: "RATE_LIMITED", retryAfterMs: 12_000 },
  },
  {
    service: "Mistral",
    source: "",
    status: 429,
    headers: {
      "ratelimitbysize-reset": "33",
      "retry-after": "Fri, 27 Nov 2026 10:00:33 GMT",
      date: "Fri, 27 Nov 2026 10:00:00 GMT",
    },
    body: { object: "error", message: "Requests rate limit exceeded", type: "rate_limited", param: null, code: "1300" },
    expected: { name: "RATE_LIMITED", retryAfterMs: 33_000 },
  },
  {
    service: "Cohere",
    source: "",
    status: 429,
    body: { message: "You are using a Trial key, which is limited to 20 API calls / minute." },
    expected: { name: "RATE_LIMITED" },
  },
  {
    service: "Cerebras",
    source: "",
    status: 429,
    headers: { "x-ratelimit-remaining-tokens-minute": "0", "x-ratelimit-reset-tokens-minute": "11.38" },
    body: {
      message: "Requests per minute limit exceeded",
      type: "too_many_requests_error",
      param: "quota",
      code: "request_quota_exceeded",
    },
    expected: { name: "RATE_LIMITED", retryAfterMs: 11_380 },
  },
  {
    service: "GLM",
    source: "llm-for-zotero#17",
    status: 429,
    body: { error: { code: "1302", message: "您的账户已达到速率限制，请您控制请求频率，请在 30 秒后重试" } },
    expected: { name: "RATE_LIMITED", retryAfterMs: 30_000 },
  },
  {
    service: "Qwen",
    source: "",
    status: 429,
    body: {
      code: "Throttling.RateQuota",
      message: "Requests rate limit exceeded, please try again later.",
      request_id: "r",
    },
    expected: { name: "RATE_LIMITED" },
  },
  {
    service: "Bedrock",
    source: "",
    status: 400,
    body: { __type: "ThrottlingException", message: "Too many tokens, please wait before trying again." },
    expected: { name: "RATE_LIMITED" },
  },
  {
    service: "Together",
    source: "",
    status: 429,
    headers: { "x-ratelimit-reset": "2" },
    body: openAi("You have reached the rate limit specific to this model", "rate_limit", "model_rate_limit"),
    expected: { name: "RATE_LIMITED", retryAfterMs: 2_000 },
  },
  {
    service: "Codex",
    source: "holon#2720",
    wire: "responses",
    status: 429,
    headers: { "retry-after": "13" },
    body: { detail: "Rate limit exceeded" },
    expected: { name: "RATE_LIMITED", retryAfterMs: 13_000 },
  },
  {
    service: "ChatGPT plans",
    source: "",
    status: 429,
    body: {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_in_seconds: 5400,
      },
    },
    expected: { name: "RATE_LIMITED", retryAfterMs: 5_400_000 },
  },
  {
    service: "MiniMax",
    source: "",
    status: 200,
    body: { base_resp: { status_code: 1002, status_msg: "rate limit exceeded, please retry later" } },
    expected: { name: "RATE_LIMITED" },
  },
];

const TOO_LONG: readonly ErrorRow[] = [
  {
    service: "SiliconFlow",
    source: "dify#19394",
    status: 400,
    body: {
      code: 20015,
      message: "length of prompt_tokens (48322) must be less than max_seq_len (32768).",
      data: null,
    },
    expected: { name: "contextOverflow", windowTokens: 32_768 },
  },
  {
    service: "vLLM",
    source: "ragflow#10235",
    status: 400,
    body: {
      object: "error",
      message: "max_tokens must be at least 1, got -3197.",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    expected: { name: "contextOverflow" },
  },
  {
    service: "OpenAI",
    source: "",
    status: 400,
    body: openAi(
      "This model's maximum context length is 8192 tokens. However, you requested 9020 tokens (8520 in the messages, 500 in the completion).",
      "invalid_request_error",
      "context_length_exceeded",
    ),
    expected: { name: "contextOverflow", windowTokens: 8_192 },
  },
  {
    service: "OpenAI",
    source: "",
    status: 429,
    body: openAi(
      "Request too large for m in organization o on tokens per min (TPM): Limit 10000, Requested 14371. The input or output tokens must be reduced in order to run successfully.",
      "tokens",
      "rate_limit_exceeded",
    ),
    expected: { name: "contextOverflow" },
  },
  {
    service: "Groq",
    source: "",
    status: 413,
    body: openAi(
      "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9341, please reduce your message size and try again.",
      "tokens",
      "rate_limit_exceeded",
    ),
    expected: { name: "contextOverflow" },
  },
  {
    service: "llama.cpp",
    source: "",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 9000,
        n_ctx: 4096,
      },
    },
    expected: { name: "contextOverflow", windowTokens: 4_096 },
  },
  {
    service: "llama.cpp",
    source: "",
    status: 400,
    body: {
      error: {
        code: 400,
        message: "input exceeds the available context size (n_ctx = 16384)",
        type: "invalid_request_error",
      },
    },
    expected: { name: "contextOverflow", windowTokens: 16_384 },
  },
  {
    service: "SambaNova",
    source: "OpenHands#9252",
    status: 400,
    body: openAi(
      "The maximum context length of DeepSeek-V3-0324 is 32768. However, answering your request will take 39732 tokens. Please reduce the length of the messages.",
      "invalid_request_error",
    ),
    expected: { name: "contextOverflow", windowTokens: 32_768 },
  },
  {
    service: "SGLang",
    source: "",
    status: 400,
    body: {
      object: "error",
      message: "The input (9120 tokens) is longer than the model's context length (8192 tokens).",
      type: "BadRequestError",
      code: 400,
    },
    expected: { name: "contextOverflow", windowTokens: 8_192 },
  },
  {
    service: "SGLang",
    source: "",
    status: 400,
    body: {
      object: "error",
      message:
        "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 40000 tokens.",
      code: 400,
    },
    expected: { name: "contextOverflow", windowTokens: 32_768 },
  },
  {
    service: "NVIDIA",
    source: "free-claude-code#391",
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 196608 tokens. However, your messages resulted in 199906 tokens.",
        type: "Bad Request",
        code: 400,
      },
    },
    expected: { name: "contextOverflow", windowTokens: 196_608 },
  },
  {
    service: "TGI",
    source: "",
    status: 422,
    body: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 500 `max_new_tokens`",
      error_type: "validation",
    },
    expected: { name: "contextOverflow", windowTokens: 4_096 },
  },
  {
    service: "LM Studio",
    source: "",
    status: 200,
    contentType: "text/event-stream",
    body: `event: error\n${event({ error: { message: "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9000>= n_ctx: 4096)." } })}`,
    expected: { name: "contextOverflow", windowTokens: 4_096 },
  },
  {
    service: "Ollama",
    source: "",
    wire: "ollama",
    status: 400,
    body: { error: "prompt too long; exceeded max context length by 4 tokens" },
    expected: { name: "contextOverflow" },
  },
  {
    service: "LocalAI",
    source: "",
    status: 500,
    body: {
      error: {
        code: 500,
        message:
          "rpc error: code = Internal desc = the request exceeds the available context size, try increasing the context size",
        type: "",
      },
    },
    expected: { name: "contextOverflow" },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 400,
    body: anthropic("invalid_request_error", "prompt is too long: 205668 tokens > 200000 maximum"),
    expected: { name: "contextOverflow", windowTokens: 200_000 },
  },
  {
    service: "Bedrock",
    source: "",
    status: 400,
    body: { __type: "ValidationException", message: "Input is too long for requested model." },
    expected: { name: "contextOverflow" },
  },
  {
    service: "GLM",
    source: "",
    status: 400,
    body: { error: { code: "1261", message: "Prompt 超长" } },
    expected: { name: "contextOverflow" },
  },
  {
    service: "Qwen",
    source: "",
    status: 400,
    body: openAi("Range of input length should be [1, 129024]", "invalid_request_error", "invalid_parameter_error"),
    expected: { name: "contextOverflow", windowTokens: 129_024 },
  },
  {
    service: "Moonshot",
    source: "",
    status: 400,
    body: openAi("Invalid request: Your request exceeded model token limit: 262144", "invalid_request_error"),
    expected: { name: "contextOverflow", windowTokens: 262_144 },
  },
];

const UNKNOWN_MODEL: readonly ErrorRow[] = [
  {
    service: "OpenAI",
    source: "",
    status: 404,
    body: openAi(
      "The model `m` does not exist or you do not have access to it.",
      "invalid_request_error",
      "model_not_found",
    ),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Azure OpenAI",
    source: "",
    status: 404,
    body: { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "OpenRouter",
    source: "nodetool#5755",
    status: 200,
    body: { error: { code: 404, message: "No endpoints found for any/thing." } },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "OpenRouter",
    source: "",
    status: 400,
    body: { error: { code: 400, message: "any/thing is not a valid model ID" } },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "DeepSeek",
    source: "",
    status: 400,
    body: openAi("Model Not Exist", "invalid_request_error", "invalid_request_error"),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Moonshot",
    source: "",
    status: 404,
    body: openAi("Not found the model m or Permission denied", "resource_not_found_error"),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Mistral",
    source: "",
    status: 400,
    body: { object: "error", message: "Invalid model: m", type: "invalid_model", param: null, code: "1500" },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Perplexity",
    source: "",
    status: 400,
    body: openAi("Invalid model 'm'. Permitted models can be found in the documentation.", "invalid_model", 400),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "GitHub Models",
    source: "",
    status: 400,
    body: { error: { code: "unknown_model", message: "Unknown model: m", details: "Unknown model: m" } },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Groq",
    source: "",
    status: 400,
    body: openAi(
      "The model `m` has been decommissioned and is no longer supported.",
      "invalid_request_error",
      "model_decommissioned",
    ),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "LiteLLM without a database",
    source: "",
    status: 400,
    body: { error: { message: "No connected db.", type: "no_db_connection", param: null, code: "400" } },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "llama.cpp's router",
    source: "",
    status: 400,
    body: { error: { code: 400, message: "model 'no-such-model' not found", type: "invalid_request_error" } },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "SiliconFlow",
    source: "",
    status: 400,
    body: { code: 20012, message: "Model does not exist. Please check it carefully.", data: null },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "GLM",
    source: "",
    status: 400,
    body: { error: { code: "1211", message: "模型不存在，请检查模型代码。" } },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Bedrock",
    source: "",
    status: 400,
    body: { __type: "ValidationException", message: "The provided model identifier is invalid." },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Hugging Face",
    source: "",
    status: 400,
    body: openAi(
      "The requested model 'm' is not supported by any provider you have enabled.",
      "invalid_request_error",
      "model_not_supported",
    ),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "NVIDIA",
    source: "",
    status: 404,
    contentType: "application/problem+json",
    body: { status: 404, title: "Not Found", detail: "Function 'f-1': Not found for account 'a-1'" },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "new-api",
    source: "",
    status: 503,
    body: openAi(
      "No available channel for model m under group default (distributor)",
      "new_api_error",
      "model_not_found",
    ),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "one-api",
    source: "",
    status: 503,
    body: openAi("当前分组 default 下对于模型 m 无可用渠道 (request id: 1)", "one_api_error"),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "LiteLLM",
    source: "",
    status: 400,
    body: openAi(
      "/chat/completions: Invalid model name passed in model=m. Call `/v1/models` to view available models for your key.",
      "invalid_request_error",
      "400",
    ),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "LM Studio",
    source: "",
    status: 404,
    body: openAi(
      "No models loaded. Please load a model in the developer page.",
      "invalid_request_error",
      "model_not_found",
    ),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Ollama",
    source: "",
    wire: "ollama",
    status: 404,
    body: { error: 'model "m" not found, try pulling it first' },
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 404,
    body: anthropic("not_found_error", "model: m"),
    expected: { name: "MODEL_UNKNOWN" },
  },
  {
    service: "MiniMax",
    source: "",
    status: 200,
    body: { base_resp: { status_code: 2013, status_msg: "invalid params, unknown model 'm'" } },
    expected: { name: "MODEL_UNKNOWN" },
  },
];

const WRONG_KEY: readonly ErrorRow[] = [
  {
    service: "OpenRouter",
    source: "nodetool#5755",
    status: 200,
    body: { error: { code: 401, message: "User not found." } },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "OpenRouter",
    source: "nodetool#5755",
    status: 200,
    contentType: "text/event-stream",
    body: event({ error: { code: 401, message: "User not found." } }),
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "OpenAI",
    source: "",
    status: 401,
    body: openAi("Incorrect API key provided: sk-ab***yz.", "invalid_request_error", "invalid_api_key"),
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "Gemini",
    source: "",
    status: 400,
    body: [google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")],
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "xAI",
    source: "",
    status: 400,
    body: { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***ab." },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "Qwen",
    source: "",
    status: 401,
    body: { code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "r" },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "MiniMax",
    source: "",
    status: 200,
    body: { base_resp: { status_code: 1004, status_msg: "login fail: Please carry the API secret key" } },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "Bedrock",
    source: "",
    status: 403,
    body: { message: "The security token included in the request is invalid." },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "Cloudflare",
    source: "",
    status: 401,
    body: { success: false, errors: [{ code: 10000, message: "Authentication error" }] },
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "LiteLLM",
    source: "",
    status: 400,
    body: openAi(
      "Authentication Error, Invalid proxy server token passed. Received API Key = sk-...1234",
      "auth_error",
      "400",
    ),
    expected: { name: "AUTH_FAILED" },
  },
  {
    service: "SiliconFlow",
    source: "",
    status: 401,
    contentType: "application/json",
    body: '"Invalid token"',
    expected: { name: "AUTH_FAILED" },
  },
];

const OVERLOADED: readonly ErrorRow[] = [
  {
    service: "Moonshot",
    source: "",
    status: 429,
    body: openAi("The engine is currently overloaded, please try again later", "engine_overloaded_error"),
    expected: { name: "overloaded" },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 529,
    body: anthropic("overloaded_error", "Overloaded"),
    expected: { name: "overloaded" },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 200,
    contentType: "text/event-stream",
    body: `event: error\n${event(anthropic("overloaded_error", "Overloaded"))}`,
    expected: { name: "overloaded" },
  },
  {
    service: "Gemini",
    source: "",
    status: 503,
    body: [google(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")],
    expected: { name: "overloaded" },
  },
  {
    service: "Mistral",
    source: "",
    status: 429,
    body: {
      object: "error",
      message: "Service tier capacity exceeded for this model.",
      type: "service_tier_capacity_exceeded",
      code: "3505",
    },
    expected: { name: "overloaded" },
  },
  {
    service: "Hugging Face",
    source: "",
    status: 429,
    body: { error: "Model is overloaded", error_type: "overloaded" },
    expected: { name: "overloaded" },
  },
  {
    service: "DeepSeek",
    source: "",
    status: 503,
    body: "",
    contentType: "text/plain",
    expected: { name: "overloaded" },
  },
];

const REFUSED: readonly ErrorRow[] = [
  {
    service: "Azure OpenAI",
    source: "",
    status: 400,
    body: {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
      },
    },
    expected: { name: "REFUSED" },
  },
  {
    service: "DeepSeek",
    source: "",
    status: 400,
    body: openAi("Content Exists Risk", "invalid_request_error", "invalid_request_error"),
    expected: { name: "REFUSED" },
  },
  {
    service: "Qwen",
    source: "",
    status: 400,
    body: { code: "DataInspectionFailed", message: "Input data may contain inappropriate content.", request_id: "r" },
    expected: { name: "REFUSED" },
  },
  {
    service: "Moonshot",
    source: "",
    status: 400,
    body: openAi("The request was rejected because it was considered high risk", "content_filter"),
    expected: { name: "REFUSED" },
  },
  {
    service: "GLM",
    source: "",
    status: 400,
    body: {
      contentFilter: [{ level: 1, role: "user" }],
      error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" },
    },
    expected: { name: "REFUSED" },
  },
  {
    service: "MiniMax",
    source: "",
    status: 200,
    body: { base_resp: { status_code: 1026, status_msg: "input new_sensitive" } },
    expected: { name: "REFUSED" },
  },
  {
    service: "OpenRouter",
    source: "",
    status: 403,
    body: {
      error: {
        code: 403,
        message: "Your chosen model requires moderation and your input was flagged for violence",
        metadata: { reasons: ["violence"] },
      },
    },
    expected: { name: "REFUSED" },
  },
  {
    service: "Anthropic",
    source: "",
    wire: "messages",
    status: 400,
    body: anthropic("invalid_request_error", "Output blocked by content filtering policy"),
    expected: { name: "REFUSED" },
  },
];

/** None of these has a remedy of its own, however much its words resemble one that has. */
const OTHERS: readonly ErrorRow[] = [
  {
    service: "OpenAI",
    source: "",
    status: 400,
    body: openAi("Unknown parameter: 'api_key'.", "invalid_request_error", "unknown_parameter"),
    expected: { name: "badRequest" },
  },
  {
    service: "OpenAI",
    source: "",
    status: 400,
    body: openAi(
      "Invalid value: 'model'. Supported values are: 'user' and 'assistant'.",
      "invalid_request_error",
      "invalid_value",
    ),
    expected: { name: "badRequest" },
  },
  {
    service: "vLLM",
    source: "",
    status: 400,
    body: {
      object: "error",
      message: "The encoder prompt (length 5951) is longer than the maximum model length of 4096.",
      type: "BadRequestError",
      code: 400,
    },
    expected: { name: "badRequest" },
  },
  {
    service: "FastAPI",
    source: "",
    status: 404,
    body: { detail: "Not Found" },
    expected: { name: "notAStream" },
  },
  {
    service: "nginx",
    source: "",
    status: 504,
    contentType: "text/html",
    body: "<html><h1>504 Gateway Time-out</h1></html>",
    expected: { name: "serverError" },
  },
  {
    service: "a gateway",
    source: "",
    status: 200,
    body: { error: { message: "upstream closed the connection", type: "upstream_error" } },
    expected: { name: "serverError" },
  },
];

/** Failures that may be over after a second, and are tried again twice. */
const RETRIED: ReadonlySet<string> = new Set(["overloaded", "serverError"]);

const PROVIDERS: Readonly<Record<Protocol, string>> = {
  chat: "openaiCompatible",
  responses: "openaiCompatible",
  messages: "anthropic",
  ollama: "ollama",
};

function rightError({ wire = "chat", expected: { name, ...more } }: ErrorRow): RightError {
  const provider = PROVIDERS[wire];
  const named = isCode(name) ? { code: name } : { code: "SERVICE_UNAVAILABLE" as const, reason: name };
  const model = name === "MODEL_UNKNOWN" ? { model: modelId("any") } : {};
  return Object.assign(named, { provider, ...model, ...more });
}

function isCode(name: FailureName): name is ForgeError["code"] & FailureName {
  return name === name.toUpperCase();
}

function errorCase(row: ErrorRow): DialectCase {
  const { service, source, wire = "chat", status, headers, contentType = "application/json", body, expected } = row;
  const requests = RETRIED.has(expected.name) ? 3 : 1;
  return {
    kind: "errors",
    service,
    source,
    title: `${expected.name} with status ${String(status)}`,
    protocol: wire,
    wire: [
      {
        status,
        headers: { "content-type": contentType, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      },
    ],
    right: rightAnswer({ end: rightError(row), requests }),
  };
}

export const errors: readonly DialectCase[] = [
  NO_CREDIT,
  WRONG_COUNTRY,
  TOO_FAST,
  TOO_LONG,
  UNKNOWN_MODEL,
  WRONG_KEY,
  OVERLOADED,
  REFUSED,
  OTHERS,
].flatMap((rows) => rows.map(errorCase));
