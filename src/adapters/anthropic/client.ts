/** Raw provider for Anthropic's models over the Messages API; wrap it in `guardedProvider`. */

import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelId } from "../../core/ids.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { Provider, StreamOptions } from "../../core/stream/provider.ts";
import { exchangeStream, type Exchange } from "../http/exchange.ts";
import { largestAnswerIn, roomForAnswer } from "../http/refusedLengths.ts";
import type { ReportedError } from "../http/httpFailure.ts";
import { OptionalParameters } from "../http/optionalParameters.ts";
import { AnthropicDecoder } from "./decode.ts";
import { encodeRequest } from "./encode.ts";
import { PROVIDER, readError } from "./errors.ts";
import { messageEvents, wholeMessage } from "./messageEvents.ts";
import { MessagesClient, type AnthropicSettings } from "./messagesClient.ts";
import { listModels } from "./models.ts";
import { afterRefusal, betasOf, type EarlierThinking, isForAll, REFUSALS } from "./thinking.ts";

/** Opens no connection until it is used. */
export function createAnthropicProvider(settings: AnthropicSettings): Provider {
  const known: Known = {
    refused: settings.refused ?? new RefusedParameters(),
    earlier: new Map(),
    largestAnswers: new Map(),
    unmarked: new Set(),
  };
  return {
    name: PROVIDER,
    label: "Anthropic",
    stream(prepared, options, cancel) {
      const live = new AbortController();
      const request = { options, contextWindow: prepared.limits.contextWindow, signal: live.signal };
      return exchangeStream(prepared, cancel, live, exchangeOf(settings, known, request));
    },
    listModels: (cancel) => listModels(settings, cancel),
    requestBody(context, options) {
      const { model } = options;
      const parameters = new OptionalParameters(model, known.refused, REFUSALS);
      const earlier = known.earlier.get(model) ?? "all";
      const form = { takes: parameters.takes.bind(parameters), earlier, unmarked: known.unmarked.has(model) };
      return Promise.resolve(encodeRequest(context, fitting(options, known), form));
    },
  };
}

/** What responses have shown about the models; lives as long as the provider. */
interface Known {
  readonly refused: RefusedParameters;
  /** Models that refused their complete earlier thinking. */
  readonly earlier: Map<ModelId, EarlierThinking>;
  /** Output limits in tokens of models that refused a larger one. */
  readonly largestAnswers: Map<ModelId, number>;
  /** Models whose gateway rejects cache marks. Not persisted: without the marks every request costs more. */
  readonly unmarked: Set<ModelId>;
}

/** Clamps the output limit to what the model is known to accept. */
function fitting(options: StreamOptions, { largestAnswers }: Known): StreamOptions {
  const largest = largestAnswers.get(options.model) ?? Infinity;
  return { ...options, maxOutputTokens: Math.min(options.maxOutputTokens, largest) };
}

/** Remembers the output limit that a refusal names; false when it is not lower than the one sent. */
function learnLargest({ status, message }: ReportedError, options: StreamOptions, known: Known): boolean {
  const largest = status === 400 || status === 422 ? largestAnswerIn(message) : undefined;
  if (largest === undefined || largest >= fitting(options, known).maxOutputTokens) return false;
  known.largestAnswers.set(options.model, largest);
  return true;
}

/** Remembers that a gateway rejects cache marks. */
function learnUnmarked({ status, message }: ReportedError, { model }: StreamOptions, { unmarked }: Known): boolean {
  const isRefused = (status === 400 || status === 422) && CACHE_REFUSED.test(message);
  if (!isRefused || unmarked.has(model)) return false;
  unmarked.add(model);
  return true;
}

/** Excludes thinking blocks: Forge never marks them, so such a mark is the gateway's own. */
const CACHE_REFUSED =
  /(?<!thinking\.)cache_control\b.{0,60}(?:not permitted|not support|not allowed|unsupported)|(?:unknown|unsupported|unrecognized|unexpected)\b.{0,40}cache_control/i;

interface MessageRequest {
  readonly options: StreamOptions;
  /** In tokens, as planned. */
  readonly contextWindow: number;
  readonly signal: AbortSignal;
}

function exchangeOf(
  settings: AnthropicSettings,
  known: Known,
  { options: wished, contextWindow, signal }: MessageRequest,
): Exchange<RawMessageStreamEvent> {
  let options = wished;
  const decoder = new AnthropicDecoder();
  const parameters = new OptionalParameters(options.model, known.refused, REFUSALS);
  const takes = parameters.takes.bind(parameters);
  let earlier = known.earlier.get(options.model) ?? "all";
  return {
    facts: { provider: PROVIDER, model: options.model, secrets: [settings.apiKey] },
    readError,
    async open(context, onBytes) {
      const form = { takes, earlier, unmarked: known.unmarked.has(options.model) };
      const body = encodeRequest(context, fitting(options, known), form);
      const client = new MessagesClient(settings, { onBytes, betas: betasOf(body.thinking) });
      const response = await client.messages.create(body, { signal }).asResponse();
      return { response, events: messageEvents(response) };
    },
    adjust(said) {
      const room = roomForAnswer(said.message, { ...fitting(options, known), contextWindow });
      if (room !== undefined) {
        options = { ...options, maxOutputTokens: room };
        return true;
      }
      if (learnLargest(said, options, known) || learnUnmarked(said, options, known)) return true;
      const next = afterRefusal(said, earlier);
      if (next === undefined) return parameters.learn(said);
      earlier = next;
      if (isForAll(next, options.model, said)) known.earlier.set(options.model, next);
      return true;
    },
    decode: (event) => decoder.decode(event),
    whole: wholeMessage,
    end: () => decoder.end(),
  };
}
