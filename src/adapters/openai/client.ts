/**
 * Raw provider for OpenAI's Responses API and for every server with Chat Completions: vLLM, llama.cpp, LM Studio,
 * OpenRouter and many more; wrap it in `guardedProvider`.
 */

import type { Provider } from "../../core/stream/provider.ts";
import { exchangeStream, type Exchange } from "../http/exchange.ts";
import { LocalWork } from "../http/localWork.ts";
import type { ReportedError } from "../http/httpFailure.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";
import { chatExchange, requestBody, responsesExchange, type OpenAiRequest } from "./exchanges.ts";
import { LocalWindows } from "./localWindows.ts";
import { listModels } from "./models.ts";
import { apiAddress, openAiSettings, type OpenAiOptions, type Wire } from "./openAiClient.ts";

/** Opens no connection until it is used. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const settings = openAiSettings(options);
  const windows = new LocalWindows(settings);
  const work = new LocalWork(apiAddress(settings), options.onSpeed);
  let { wire } = settings;
  return {
    name: settings.name,
    label: settings.label,
    stream(prepared, streamOptions, cancel) {
      const live = new AbortController();
      const onComplete = (): void => void windows.learn(streamOptions.model);
      const { contextWindow } = prepared.limits;
      const promptTokens = prepared.usage().usedTokens;
      const tellsProgress = windows.isLlama;
      const server = { work, promptTokens, tellsProgress };
      const request = { settings, options: streamOptions, contextWindow, live, server, onComplete };
      const switchToChat = (): void => {
        wire = "chat";
      };
      return exchangeStream(prepared, cancel, live, exchangeOf(wire, request, switchToChat));
    },
    listModels: (cancel) => listModels(settings, windows, cancel),
    ...(settings.name === "openai"
      ? {}
      : {
          countTokens: (context, model, cancel) => {
            const options = { model, maxOutputTokens: 1 };
            return windows.countTokens(requestBody("chat", context, { settings, options }), cancel);
          },
        }),
    requestBody: (context, streamOptions) =>
      Promise.resolve(
        requestBody(wire === "chat" ? "chat" : "responses", context, { settings, options: streamOptions }),
      ),
  };
}

function exchangeOf(wire: Wire, request: OpenAiRequest, switchToChat: () => void): Exchange<readonly StreamEvent[]> {
  if (wire === "chat") return decodedExchange(chatExchange(request));
  const responses = decodedExchange(responsesExchange(request));
  return wire === "responses"
    ? responses
    : withFallback(responses, decodedExchange(chatExchange(request)), switchToChat);
}

/** Decodes events while they are read, so that both protocols have the same type. */
function decodedExchange<Event>(exchange: Exchange<Event>): Exchange<readonly StreamEvent[]> {
  async function* decoded(events: AsyncIterable<Event>): AsyncGenerator<readonly StreamEvent[]> {
    for await (const event of events) yield exchange.decode(event);
  }
  return {
    ...exchange,
    async open(context, onBytes, tell) {
      const answer = await exchange.open(context, onBytes, tell);
      return { ...answer, read: (response) => decoded(answer.read(response)) };
    },
    eventsOfWhole: (body) => exchange.eventsOfWhole?.(body)?.map((event) => exchange.decode(event)),
    decode: (events) => events,
  };
}

/** Switches to `second` if the address of `first` does not exist; calls `switched` once `second` is answered. */
function withFallback<Event>(first: Exchange<Event>, second: Exchange<Event>, switched: () => void): Exchange<Event> {
  let current = first;
  return {
    facts: first.facts,
    readError: (thrown) => current.readError(thrown),
    async open(context, onBytes, tell) {
      const answer = await current.open(context, onBytes, tell);
      if (current === second) switched();
      return answer;
    },
    adjust(said) {
      if (current === second || !saysNoSuchAddress(said)) return current.adjust?.(said) === true;
      current = second;
      return true;
    },
    get ending() {
      return current.ending;
    },
    eventsOfWhole: (body) => current.eventsOfWhole?.(body),
    decode: (event) => current.decode(event),
    flush: () => current.flush?.() ?? [],
    end: () => current.end(),
  };
}

/** A missing model is a 404, too, and no reason to switch. */
function saysNoSuchAddress({ status, type, message }: ReportedError): boolean {
  if (status !== 404 && status !== 405 && status !== 501) return false;
  return type !== "model_not_found" && !/\bmodel\b/i.test(message);
}
