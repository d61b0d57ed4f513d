/** The two protocols of OpenAI as exchanges: Responses, and the Chat Completions that every compatible server speaks. */

import type { ModelId } from "../../core/ids.ts";
import type { StreamOptions } from "../../core/ports.ts";
import type { Exchange, OpenAnswer } from "../../core/stream/exchange.ts";
import { answeredWith } from "../../core/stream/failedRequest.ts";
import { firstPieces } from "../../core/stream/httpBody.ts";
import type { SaidError } from "../../core/stream/httpFailure.ts";
import type { WireContext } from "../../core/stream/wireMessages.ts";
import { OptionalParameters } from "../../core/stream/optionalParameters.ts";
import { ChatDecoder } from "./decode.ts";
import { encodeRequest, type ChatForm, type ChatHabit, type ChatParameter } from "./encode.ts";
import { factsOf, readError } from "./errors.ts";
import { apiAddress, openAiClient, type OpenAiSettings } from "./openAiClient.ts";
import { ResponsesDecoder } from "./responsesDecode.ts";
import { encodeResponses, type ResponsesParameter } from "./responsesEncode.ts";

/** One request: to whom, how, and what ends it. */
export interface OpenAiRequest {
  readonly settings: OpenAiSettings;
  readonly options: StreamOptions;
  readonly signal: AbortSignal;
  /** Is told when an answer is whole. */
  readonly answered: () => void;
}

/** A request by the Responses API. */
export function responsesExchange({ settings, options, signal }: OpenAiRequest): Exchange<unknown> {
  const facts = { ...factsOf(settings), model: options.model };
  const decoder = new ResponsesDecoder(facts);
  const parameters = responsesParameters({ settings, options });
  let withReasoning = true;
  return {
    facts,
    readError,
    async open(context, onBytes) {
      const form = { takes: parameters.takes.bind(parameters), withReasoning };
      const body = encodeResponses(context, options, form);
      return opened(await openAiClient(settings, onBytes).responses.create(body, { signal }).withResponse());
    },
    adjust(said) {
      if (parameters.learn(said)) return true;
      // Reasoning that another key or model sealed: the conversation goes on without it.
      const isAboutReasoning = /encrypted.content|reasoning.{0,3}item|'reasoning'/i.test(
        `${said.type} ${said.message}`,
      );
      if (said.status !== 400 || !isAboutReasoning || !withReasoning) return false;
      withReasoning = false;
      return true;
    },
    decode: (event) => decoder.decode(event),
    end: () => [],
  };
}

/** A request by Chat Completions. */
export function chatExchange({ settings, options, signal, answered }: OpenAiRequest): Exchange<unknown> {
  const facts = { ...factsOf(settings), model: options.model };
  const decoder = new ChatDecoder(facts);
  const parameters = chatParameters({ settings, options });
  const habits = chatHabits({ settings, options });
  return {
    facts,
    readError,
    async open(context, onBytes) {
      const body = encodeRequest(context, options, chatForm({ settings, options }, parameters, habits));
      return opened(await openAiClient(settings, onBytes).chat.completions.create(body, { signal }).withResponse());
    },
    adjust(said) {
      const refusal = saysTemplate(said) ? { ...said, status: 400 } : said;
      return [parameters.learn(refusal), habits.learn(refusal)].includes(true);
    },
    decode: (chunk) => decoder.decode(chunk),
    end() {
      const end = decoder.end();
      if (end.length > 0) answered();
      return end;
    },
  };
}

/** The body of a request as `wire` has it. */
export function requestBody(wire: "responses" | "chat", context: WireContext, request: RequestForm): object {
  const { options } = request;
  if (wire === "responses") {
    const parameters = responsesParameters(request);
    return encodeResponses(context, options, { takes: parameters.takes.bind(parameters), withReasoning: true });
  }
  return encodeRequest(context, options, chatForm(request, chatParameters(request), chatHabits(request)));
}

type RequestForm = Pick<OpenAiRequest, "settings" | "options">;

function responsesParameters({ settings, options }: RequestForm): OptionalParameters<ResponsesParameter> {
  return new OptionalParameters<ResponsesParameter>(options.model, settings.refused, {
    "reasoning.summary": /reasoning\W{0,3}summar|generate reasoning/i,
    "reasoning.effort": /reasoning\W{0,3}effort|'reasoning'/i,
    include: /\binclude\b|encrypted content is not supported/i,
    "text.verbosity": /verbosity/i,
  });
}

function chatParameters({ settings, options }: RequestForm): OptionalParameters<ChatParameter> {
  return new OptionalParameters<ChatParameter>(options.model, settings.refused, {
    // Only where it is refused as such: one that is too large has the same name.
    max_tokens: /use\W{1,3}max_completion_tokens|unsupported parameter\W{1,4}max_tokens/i,
    reasoning_effort: /reasoning_effort|reasoning\W{0,3}effort/i,
    verbosity: /verbosity/i,
    stream_options: /stream_options|include_usage/i,
    // vLLM and llama.cpp without the flags for it, and models without a template for it.
    tools:
      /tool choice requires|tools? param requires|(?:not support|without) (?:tools|tool use|tool call|function call)/i,
  });
}

/** What a server asks for may change with the server: it is known as long as the provider, and no longer. */
function chatHabits({ settings, options }: RequestForm): OptionalParameters<ChatHabit> {
  return new OptionalParameters<ChatHabit>(options.model, settings.unwanted, {
    // DeepSeek and Kimi. Other servers refuse the very same field, where it was sent.
    thinkingLeftOut: /reasoning_content\b.{0,60}(?:must be|missing|required)|missing\b.{0,20}reasoning_content/i,
    // Mistral, wherever its models are served.
    usualCallIds: /tool call ids?\b.{0,120}\blength (?:of )?9\b/i,
    userAfterResults: /unexpected role \W?user\W? after role \W?tool|roles must alternate/i,
    // Google's models, wherever they are served.
    unsealedCalls: /missing an? \W?thought_signature|reasoning details to be preserved/i,
    ownSeals: /(?:corrupted|invalid)\b.{0,20}\bthought.signature|thought.signature\b.{0,20}\b(?:not valid|invalid)/i,
  });
}

/** llama.cpp stumbles where the model's template refuses a request, rather than to refuse it itself. */
function saysTemplate({ status, message }: SaidError): boolean {
  return status === 500 && /\bjinja\b|\btemplate\b|tool call ids?\b|roles must alternate/i.test(message);
}

function chatForm(
  { settings, options }: RequestForm,
  parameters: OptionalParameters<ChatParameter>,
  habits: OptionalParameters<ChatHabit>,
): ChatForm {
  const { hostname } = new URL(apiAddress(settings));
  const unwanted = unwantedHabits(hostname, options.model);
  return {
    dialect: settings.name,
    takes: parameters.takes.bind(parameters),
    allows: (habit) => !unwanted.has(habit) && habits.takes(habit),
    seals: isOf(hostname, "openrouter.ai") ? "openrouter" : "google",
  };
}

/** What is known of a service by its address, so that it need not refuse a request first. */
function unwantedHabits(hostname: string, model: ModelId): ReadonlySet<ChatHabit> {
  if (isOf(hostname, "mistral.ai")) return new Set(["usualCallIds", "userAfterResults"]);
  const isSealing = isOf(hostname, "googleapis.com") && /gemini-(?:[3-9]|\d\d|[a-z-]+-latest)/i.test(model);
  return new Set(isSealing ? ["unsealedCalls"] : []);
}

function isOf(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function opened<Event>({
  data,
  response,
}: {
  readonly data: AsyncIterable<Event>;
  readonly response: Response;
}): OpenAnswer<Event> {
  return {
    events: data,
    contentType: response.headers.get("content-type"),
    answered: answeredWith(response.status, response.headers),
    bodyStart: async () => Buffer.concat(await firstPieces(response)).toString("utf8"),
  };
}
