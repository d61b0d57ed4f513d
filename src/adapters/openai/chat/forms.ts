/** Variable parts of a Chat Completions request, by the service's address and by what it has refused. */

import type { ModelId } from "../../../core/ids.ts";
import type { StreamOptions } from "../../../core/stream/provider.ts";
import type { ReportedError } from "../../http/httpFailure.ts";
import { outputLimitIn, remainingOutputTokens } from "../../http/lengthErrors.ts";
import { AnswerEnding, goesOnByName, type GoesOn } from "../../http/continuation.ts";
import { OptionalParameters } from "../../http/optionalParameters.ts";
import type { ChatForm, EncodingDefault, ChatParameter } from "./encode.ts";
import { apiAddress, type OpenAiSettings } from "../openAiClient.ts";

/** Form of one request, adjusted after each refusal. */
export class ChatForms {
  readonly #settings: OpenAiSettings;
  readonly #options: StreamOptions;
  readonly #parameters: OptionalParameters<ChatParameter>;
  readonly #defaults: OptionalParameters<EncodingDefault>;
  readonly #contextWindow: number;
  readonly #asksProgress: boolean;
  readonly ending: AnswerEnding;
  /** Output tokens that the window has room for, for this request only. */
  #remainingOutput = Infinity;

  /** `contextWindow`: in tokens, as planned. `asksProgress`: of reading, which only llama.cpp reports. */
  constructor(settings: OpenAiSettings, options: StreamOptions, contextWindow = Infinity, asksProgress = false) {
    this.#asksProgress = asksProgress;
    this.#settings = settings;
    this.#options = options;
    this.#contextWindow = contextWindow;
    this.#parameters = new OptionalParameters(options.model, settings.refused, PARAMETERS);
    // A server's requirements may change, so they are remembered only as long as the provider lives.
    this.#defaults = new OptionalParameters(options.model, settings.refusedDefaults, DEFAULT_REFUSALS);
    this.ending = new AnswerEnding(options.model, settings.refused, goesOnFor(settings, options.model));
  }

  /** Output limit clamped to the model's known limit and to the remaining room. */
  get options(): StreamOptions {
    const largest = this.#settings.outputLimits.get(this.#options.model) ?? Infinity;
    return {
      ...this.#options,
      maxOutputTokens: Math.min(this.#options.maxOutputTokens, largest, this.#remainingOutput),
    };
  }

  get form(): ChatForm {
    const { hostname } = new URL(apiAddress(this.#settings));
    const unwanted = refusedDefaultsOf(hostname, this.#options.model);
    return {
      dialect: this.#settings.name,
      accepts: this.#parameters.accepts.bind(this.#parameters),
      allows: (habit) => !unwanted.has(habit) && this.#defaults.accepts(habit),
      signatureService: isHostOf(hostname, "openrouter.ai") ? "openrouter" : "google",
      givesLast: this.ending.givesLast.bind(this.ending),
      asksProgress: this.#asksProgress && this.#parameters.accepts("return_progress"),
    };
  }

  /** Whether the request can be retried in another form. */
  learn(said: ReportedError): boolean {
    const refusal = isRefusal(said) ? { ...said, status: 400 } : said;
    const isLearned = [
      this.#learnRoom(refusal),
      this.#learnLargest(refusal),
      this.#parameters.learn(refusal),
      this.#defaults.learn(refusal),
    ].includes(true);
    return isLearned || this.ending.learn(refusal);
  }

  #learnRoom({ message }: ReportedError): boolean {
    const { maxOutputTokens } = this.options;
    const remainingOutput = remainingOutputTokens(message, { contextWindow: this.#contextWindow, maxOutputTokens });
    this.#remainingOutput = remainingOutput ?? this.#remainingOutput;
    return remainingOutput !== undefined;
  }

  #learnLargest({ status, message }: ReportedError): boolean {
    const largest = status === 400 || status === 422 ? outputLimitIn(message) : undefined;
    if (largest === undefined || largest >= this.options.maxOutputTokens) return false;
    this.#settings.outputLimits.set(this.#options.model, largest);
    return true;
  }
}

/**
 * vLLM and llama.cpp without the flags for it; models without a template for it; OpenRouter without such a host; Groq;
 * Google and Mistral; OpenAI; Novita.
 */
export const TOOLS_REFUSED =
  /tool choice requires|tools? param requires|(?:not support|without|found that support) (?:tools|tool use|tool call|function call)|(?<!parallel )\b(?:tools|tool use|tool calls|tool calling|function calling)\W? (?:is|are) not (?:supported|enabled|available|allowed)|function calling not support/i;

const PARAMETERS: Readonly<Record<ChatParameter, RegExp>> = {
  // Only a refusal of the parameter itself: one for a value that is too large names it, too.
  max_tokens: /use\W{1,3}max_completion_tokens|unsupported parameter\W{1,4}max_tokens/i,
  // The last two are Google's and OpenRouter's, for models that always think.
  reasoning_effort: /reasoning_effort|reasoning\W{0,3}effort|only works in thinking mode|reasoning is mandatory/i,
  verbosity: /verbosity/i,
  stream_options: /stream_options|include_usage/i,
  tools: TOOLS_REFUSED,
  return_progress: /return_progress/i,
  continue_final_message: /continue_final_message|add_generation_prompt/i,
  // llama.cpp, for models that may think.
  thoughtInRest: /incompatible with enable_thinking/i,
};

const DEFAULT_REFUSALS: Readonly<Record<EncodingDefault, RegExp>> = {
  // DeepSeek and Kimi. Other servers refuse this very field when it is sent.
  thinkingLeftOut: /reasoning_content\b.{0,60}(?:must be|missing|required)|missing\b.{0,20}reasoning_content/i,
  // Mistral's models, on any host.
  usualCallIds: /tool call ids?\b.{0,120}\blength (?:of )?9\b/i,
  userAfterResults: /unexpected role \W?user\W? after role \W?tool|roles must alternate/i,
  // Google's models, on any host.
  unsignedCalls: /missing an? \W?thought_signature|reasoning details to be preserved/i,
  ownSignatures: /(?:corrupted|invalid)\b.{0,20}\bthought.signature|thought.signature\b.{0,20}\b(?:not valid|invalid)/i,
  // Gemma: its chat template, and Google's API.
  systemRole: /system (?:role|messages?|prompts?)\b.{0,20}\bnot supported|developer instruction is not enabled/i,
  // llama.cpp, twice; DeepSeek; vLLM, twice; OpenAI; Groq; OpenRouter; gateways.
  images:
    /image input is not supported|content part type\W{1,3}image_url|unknown variant\W{1,3}image_url|not a multimodal model|at most 0 image|image_url is only supported by|content\W{0,3} must be a string|found that support image|not support (?:images?|vision)\b|images? (?:inputs? )?are not supported/i,
};

/** llama.cpp fails with a 500 on what it does not support; OpenRouter answers with a 404 when no host supports it. */
function isRefusal({ status, message }: ReportedError): boolean {
  if (status === 404) return /no endpoints found that support/i.test(message);
  return (
    status === 500 &&
    /\bjinja\b|\btemplate\b|prefill|enable_thinking|assistant messages at the end|tool call ids?\b|roles must alternate|system role|image input|content part type/i.test(
      message,
    )
  );
}

/** Known by the address, which saves a first refusal. */
function refusedDefaultsOf(hostname: string, model: ModelId): ReadonlySet<EncodingDefault> {
  if (isHostOf(hostname, "mistral.ai")) return new Set(["usualCallIds", "userAfterResults"]);
  const wantsSignatures = isHostOf(hostname, "googleapis.com") && /gemini-(?:[3-9]|\d\d|[a-z-]+-latest)/i.test(model);
  return new Set(wantsSignatures ? ["unsignedCalls"] : []);
}

/** OpenAI's own service begins a new message. */
export function goesOnFor({ name, baseUrl }: OpenAiSettings, model: ModelId): GoesOn {
  return name === "openai" && isHostOf(new URL(baseUrl).hostname, "openai.com") ? "no" : goesOnByName(model);
}

function isHostOf(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
