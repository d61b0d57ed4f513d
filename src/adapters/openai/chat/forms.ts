/** What is left to choose of a request by Chat Completions: by what is known of the service, and by what it has refused. */

import type { ModelId } from "../../../core/ids.ts";
import type { StreamOptions } from "../../../core/stream/provider.ts";
import type { ReportedError } from "../../http/httpFailure.ts";
import { largestAnswerIn, roomForAnswer } from "../../http/refusedLengths.ts";
import { OptionalParameters } from "../../http/optionalParameters.ts";
import type { ChatForm, ChatHabit, ChatParameter } from "./encode.ts";
import { apiAddress, type OpenAiSettings } from "../openAiClient.ts";

/** The forms of one request, one after the other. */
export class ChatForms {
  readonly #settings: OpenAiSettings;
  readonly #options: StreamOptions;
  readonly #parameters: OptionalParameters<ChatParameter>;
  readonly #habits: OptionalParameters<ChatHabit>;
  readonly #contextWindow: number;
  /** What is left for this one answer. */
  #room = Infinity;

  /** `contextWindow` is what the request was planned with, in tokens. */
  constructor(settings: OpenAiSettings, options: StreamOptions, contextWindow = Infinity) {
    this.#settings = settings;
    this.#options = options;
    this.#contextWindow = contextWindow;
    this.#parameters = new OptionalParameters(options.model, settings.refused, PARAMETERS);
    // What a server asks for may change with the server: it is known as long as the provider, and no longer.
    this.#habits = new OptionalParameters(options.model, settings.unwanted, HABITS);
  }

  /** The options, with an answer no longer than the model writes, or than there is room for. */
  get options(): StreamOptions {
    const largest = this.#settings.largestAnswers.get(this.#options.model) ?? Infinity;
    return { ...this.#options, maxOutputTokens: Math.min(this.#options.maxOutputTokens, largest, this.#room) };
  }

  /** How the request is to be made now. */
  get form(): ChatForm {
    const { hostname } = new URL(apiAddress(this.#settings));
    const unwanted = unwantedHabits(hostname, this.#options.model);
    return {
      dialect: this.#settings.name,
      takes: this.#parameters.takes.bind(this.#parameters),
      allows: (habit) => !unwanted.has(habit) && this.#habits.takes(habit),
      signatureService: isOf(hostname, "openrouter.ai") ? "openrouter" : "google",
    };
  }

  /** Whether the request can be made otherwise after `said`. */
  learn(said: ReportedError): boolean {
    const refusal = isRefusal(said) ? { ...said, status: 400 } : said;
    return [
      this.#learnRoom(refusal),
      this.#learnLargest(refusal),
      this.#parameters.learn(refusal),
      this.#habits.learn(refusal),
    ].includes(true);
  }

  #learnRoom({ message }: ReportedError): boolean {
    const { maxOutputTokens } = this.options;
    const room = roomForAnswer(message, { contextWindow: this.#contextWindow, maxOutputTokens });
    this.#room = room ?? this.#room;
    return room !== undefined;
  }

  #learnLargest({ status, message }: ReportedError): boolean {
    const largest = status === 400 || status === 422 ? largestAnswerIn(message) : undefined;
    if (largest === undefined || largest >= this.options.maxOutputTokens) return false;
    this.#settings.largestAnswers.set(this.#options.model, largest);
    return true;
  }
}

/**
 * vLLM and llama.cpp without the flags for it, models without a template for it, OpenRouter without such a service; Groq; Google
 * and Mistral; OpenAI; Novita.
 */
export const TOOLS_REFUSED =
  /tool choice requires|tools? param requires|(?:not support|without|found that support) (?:tools|tool use|tool call|function call)|(?<!parallel )\b(?:tools|tool use|tool calls|tool calling|function calling)\W? (?:is|are) not (?:supported|enabled|available|allowed)|function calling not support/i;

const PARAMETERS: Readonly<Record<ChatParameter, RegExp>> = {
  // Only where it is refused as such: one that is too large has the same name.
  max_tokens: /use\W{1,3}max_completion_tokens|unsupported parameter\W{1,4}max_tokens/i,
  // The last two are Google's words and OpenRouter's for models that always think.
  reasoning_effort: /reasoning_effort|reasoning\W{0,3}effort|only works in thinking mode|reasoning is mandatory/i,
  verbosity: /verbosity/i,
  stream_options: /stream_options|include_usage/i,
  tools: TOOLS_REFUSED,
};

const HABITS: Readonly<Record<ChatHabit, RegExp>> = {
  // DeepSeek and Kimi. Other servers refuse the very same field, where it was sent.
  thinkingLeftOut: /reasoning_content\b.{0,60}(?:must be|missing|required)|missing\b.{0,20}reasoning_content/i,
  // Mistral, wherever its models are served.
  usualCallIds: /tool call ids?\b.{0,120}\blength (?:of )?9\b/i,
  userAfterResults: /unexpected role \W?user\W? after role \W?tool|roles must alternate/i,
  // Google's models, wherever they are served.
  unsignedCalls: /missing an? \W?thought_signature|reasoning details to be preserved/i,
  ownSignatures: /(?:corrupted|invalid)\b.{0,20}\bthought.signature|thought.signature\b.{0,20}\b(?:not valid|invalid)/i,
  // Gemma, by its template and at Google's.
  systemRole: /system (?:role|messages?|prompts?)\b.{0,20}\bnot supported|developer instruction is not enabled/i,
  // llama.cpp, twice; DeepSeek; vLLM, twice; OpenAI; Groq; OpenRouter; gateways.
  images:
    /image input is not supported|content part type\W{1,3}image_url|unknown variant\W{1,3}image_url|not a multimodal model|at most 0 image|image_url is only supported by|content\W{0,3} must be a string|found that support image|not support (?:images?|vision)\b|images? (?:inputs? )?are not supported/i,
};

/** llama.cpp stumbles over what it cannot do, rather than to refuse it; where OpenRouter has no service for it, it is a 404. */
function isRefusal({ status, message }: ReportedError): boolean {
  if (status === 404) return /no endpoints found that support/i.test(message);
  return (
    status === 500 &&
    /\bjinja\b|\btemplate\b|tool call ids?\b|roles must alternate|system role|image input|content part type/i.test(
      message,
    )
  );
}

/** What is known of a service by its address, so that it need not refuse a request first. */
function unwantedHabits(hostname: string, model: ModelId): ReadonlySet<ChatHabit> {
  if (isOf(hostname, "mistral.ai")) return new Set(["usualCallIds", "userAfterResults"]);
  const wantsSignatures = isOf(hostname, "googleapis.com") && /gemini-(?:[3-9]|\d\d|[a-z-]+-latest)/i.test(model);
  return new Set(wantsSignatures ? ["unsignedCalls"] : []);
}

function isOf(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
