/** OpenAI's two protocols as exchanges: Responses, and Chat Completions, which every compatible server speaks. */

import type { StreamOptions, WireContext } from "../../core/stream/provider.ts";
import type { Exchange, OpenResponse } from "../http/exchange.ts";
import type { AskedPrompt, LocalWork } from "../http/localWork.ts";
import { listIn, member } from "../../core/json.ts";
import { OptionalParameters } from "../http/optionalParameters.ts";
import { ChatDecoder } from "./chat/decode.ts";
import { AnswerEnding } from "../http/continuation.ts";
import { ChatForms, goesOnFor, TOOLS_REFUSED } from "./chat/forms.ts";
import { encodeRequest } from "./chat/encode.ts";
import { factsOf, readError } from "./errors.ts";
import { openAiClient, type OpenAiSettings } from "./openAiClient.ts";
import { ResponsesDecoder, eventsOfWholeResponse } from "./responses/decode.ts";
import { encodeResponses, type ResponsesParameter } from "./responses/encode.ts";
import { serverEvents } from "./serverEvents.ts";
import { learnStreamingRefused, streamedIfSupported } from "./streaming.ts";

export interface OpenAiRequest {
  readonly settings: OpenAiSettings;
  readonly options: StreamOptions;
  /** In tokens, as planned. */
  readonly contextWindow: number;
  readonly server: AskedPrompt & { readonly work: LocalWork };
  /** Aborts the request. */
  readonly live: AbortController;
  /** Called when a Chat Completions answer is complete. */
  readonly onComplete: () => void;
}

export function responsesExchange({ settings, options, live, server }: OpenAiRequest): Exchange<unknown> {
  const facts = { ...factsOf(settings), model: options.model };
  const decoder = new ResponsesDecoder(facts);
  const parameters = responsesParameters({ settings, options });
  const ending = new AnswerEnding(options.model, settings.refused, goesOnFor(settings, options.model));
  let withReasoning = true;
  return {
    facts,
    readError,
    ending,
    async open(context, onBytes, tell) {
      server.work.begins(options.model, context, server, tell);
      const givesLast = ending.givesLast(context.messages);
      const form = { accepts: parameters.accepts.bind(parameters), withReasoning, givesLast };
      const body = streamedIfSupported(encodeResponses(context, options, form), { settings, options });
      const created = openAiClient(settings, "events", onBytes).responses.create(body, { signal: live.signal });
      return opened(await created.asResponse(), live);
    },
    adjust(said) {
      if (learnStreamingRefused(said, { settings, options }) || parameters.learn(said)) return true;
      // Another key or model encrypted the reasoning: retry without it.
      const isAboutReasoning = /encrypted.content|reasoning.{0,3}item|'reasoning'/i.test(
        `${said.type} ${said.message}`,
      );
      if (said.status !== 400 || !isAboutReasoning || !withReasoning) return ending.learn(said);
      withReasoning = false;
      return true;
    },
    decode: (event) => [...server.work.eventsIn(event, options.model), ...decoder.decode(event)],
    eventsOfWhole: eventsOfWholeResponse,
    end: () => [],
  };
}

export function chatExchange(request: OpenAiRequest): Exchange<unknown> {
  const { settings, options, contextWindow, live, server, onComplete } = request;
  const facts = { ...factsOf(settings), model: options.model };
  const decoder = new ChatDecoder(facts);
  const forms = new ChatForms(settings, options, contextWindow, server.tellsProgress);
  return {
    facts,
    readError,
    async open(context, onBytes, tell) {
      server.work.begins(options.model, context, server, tell);
      const body = streamedIfSupported(encodeRequest(context, forms.options, forms.form), { settings, options });
      const created = openAiClient(settings, "events", onBytes).chat.completions.create(body, { signal: live.signal });
      return opened(await created.asResponse(), live, () => {
        decoder.markEnded();
      });
    },
    ending: forms.ending,
    adjust: (said) => learnStreamingRefused(said, { settings, options }) || forms.learn(said),
    decode: (chunk) => [...server.work.eventsIn(chunk, options.model), ...decoder.decode(chunk)],
    flush: () => decoder.flush(),
    eventsOfWhole(body) {
      if (member(listIn(body, "choices")[0], "message") === undefined) return undefined;
      decoder.markEnded();
      return [body];
    },
    end() {
      const end = decoder.end();
      if (end.length > 0) onComplete();
      return end;
    },
  };
}

export function requestBody(wire: "responses" | "chat", context: WireContext, request: RequestForm): object {
  const { settings, options } = request;
  if (wire === "responses") {
    const parameters = responsesParameters(request);
    const ending = new AnswerEnding(options.model, settings.refused, goesOnFor(settings, options.model));
    const givesLast = ending.givesLast(context.messages);
    const form = { accepts: parameters.accepts.bind(parameters), withReasoning: true, givesLast };
    return streamedIfSupported(encodeResponses(context, options, form), request);
  }
  const forms = new ChatForms(settings, options);
  return streamedIfSupported(encodeRequest(context, forms.options, forms.form), request);
}

type RequestForm = Pick<OpenAiRequest, "settings" | "options">;

function responsesParameters({ settings, options }: RequestForm): OptionalParameters<ResponsesParameter> {
  return new OptionalParameters<ResponsesParameter>(options.model, settings.refused, {
    "reasoning.summary": /reasoning\W{0,3}summar|generate reasoning/i,
    "reasoning.effort": /reasoning\W{0,3}effort|'reasoning'/i,
    include: /\binclude\b|encrypted content is not supported/i,
    "text.verbosity": /verbosity/i,
    tools: TOOLS_REFUSED,
  });
}

function opened(response: Response, live: AbortController, ended: () => void = () => undefined): OpenResponse<unknown> {
  return { response, read: (body) => serverEvents(body, live, ended) };
}
