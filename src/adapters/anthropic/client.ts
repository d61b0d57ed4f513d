/** Raw provider for Anthropic's models over the Messages API; wrap it in `guardedProvider`. */

import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelId } from "../../core/ids.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { Provider, StreamOptions } from "../../core/stream/provider.ts";
import { exchangeStream, type Exchange } from "../http/exchange.ts";
import { outputLimitIn, remainingOutputTokens } from "../http/lengthErrors.ts";
import type { ReportedError } from "../http/httpFailure.ts";
import { AnswerEnding } from "../http/continuation.ts";
import { OptionalParameters } from "../http/optionalParameters.ts";
import { AnthropicDecoder } from "./decode.ts";
import { encodeRequest } from "./encode.ts";
import { PROVIDER, readError } from "./errors.ts";
import { messageEvents, eventsOfWholeMessage } from "./messageEvents.ts";
import { MessagesClient, type AnthropicSettings } from "./messagesClient.ts";
import { listModels } from "./models.ts";
import {
  betasOf,
  earlierThinkingAfter,
  goesOnForModel,
  holdsForAllConversations,
  REFUSALS,
  type EarlierThinking,
} from "./thinking.ts";

/** Opens no connection until it is used. */
export function createAnthropicProvider(settings: AnthropicSettings): Provider {
  const learned: LearnedFacts = {
    refused: settings.refused ?? new RefusedParameters(),
    earlier: new Map(),
    outputLimits: new Map(),
    cacheMarksRefused: new Set(),
  };
  return {
    name: PROVIDER,
    label: "Anthropic",
    stream(prepared, options, cancel) {
      const live = new AbortController();
      const request = { options, contextWindow: prepared.limits.contextWindow, signal: live.signal };
      return exchangeStream(prepared, cancel, live, exchangeOf(settings, learned, request));
    },
    listModels: (cancel) => listModels(settings, cancel),
    requestBody(context, options) {
      const { model } = options;
      const parameters = new OptionalParameters(model, learned.refused, REFUSALS);
      const earlier = learned.earlier.get(model) ?? "all";
      const form = {
        accepts: parameters.accepts.bind(parameters),
        earlier,
        omitsCacheMarks: learned.cacheMarksRefused.has(model),
        givesLast: new AnswerEnding(model, learned.refused, goesOnForModel(model)).givesLast(context.messages),
      };
      return Promise.resolve(encodeRequest(context, withinOutputLimit(options, learned), form));
    },
  };
}

/** What responses have shown about the models; lives as long as the provider. */
interface LearnedFacts {
  readonly refused: RefusedParameters;
  /** Models that refused their complete earlier thinking. */
  readonly earlier: Map<ModelId, EarlierThinking>;
  /** Output limits in tokens of models that refused a larger one. */
  readonly outputLimits: Map<ModelId, number>;
  /** Models whose gateway rejects cache marks. Not persisted: without the marks every request costs more. */
  readonly cacheMarksRefused: Set<ModelId>;
}

/** Clamps the output limit to what the model is known to accept. */
function withinOutputLimit(options: StreamOptions, { outputLimits }: LearnedFacts): StreamOptions {
  const largest = outputLimits.get(options.model) ?? Infinity;
  return { ...options, maxOutputTokens: Math.min(options.maxOutputTokens, largest) };
}

/** Remembers the output limit that a refusal names; false when it is not lower than the one sent. */
function learnOutputLimit({ status, message }: ReportedError, options: StreamOptions, learned: LearnedFacts): boolean {
  const largest = status === 400 || status === 422 ? outputLimitIn(message) : undefined;
  if (largest === undefined || largest >= withinOutputLimit(options, learned).maxOutputTokens) return false;
  learned.outputLimits.set(options.model, largest);
  return true;
}

/** Remembers that a gateway rejects cache marks. */
function learnCacheMarksRefused(
  { status, message }: ReportedError,
  { model }: StreamOptions,
  { cacheMarksRefused }: LearnedFacts,
): boolean {
  const isRefused = (status === 400 || status === 422) && CACHE_REFUSED.test(message);
  if (!isRefused || cacheMarksRefused.has(model)) return false;
  cacheMarksRefused.add(model);
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
  learned: LearnedFacts,
  { options: requested, contextWindow, signal }: MessageRequest,
): Exchange<RawMessageStreamEvent> {
  let options = requested;
  const decoder = new AnthropicDecoder();
  const parameters = new OptionalParameters(options.model, learned.refused, REFUSALS);
  const accepts = parameters.accepts.bind(parameters);
  const ending = new AnswerEnding(options.model, learned.refused, goesOnForModel(options.model));
  let earlier = learned.earlier.get(options.model) ?? "all";
  return {
    ending,
    facts: { provider: PROVIDER, model: options.model, secrets: [settings.apiKey] },
    readError,
    async open(context, onBytes) {
      const omitsCacheMarks = learned.cacheMarksRefused.has(options.model);
      const form = { accepts, earlier, omitsCacheMarks, givesLast: ending.givesLast(context.messages) };
      const body = encodeRequest(context, withinOutputLimit(options, learned), form);
      const client = new MessagesClient(settings, { kind: "events", onBytes, betas: betasOf(body.thinking) });
      const response = await client.messages.create(body, { signal }).asResponse();
      return { response, read: messageEvents };
    },
    adjust(reported) {
      const room = remainingOutputTokens(reported.message, { ...withinOutputLimit(options, learned), contextWindow });
      if (room !== undefined) {
        options = { ...options, maxOutputTokens: room };
        return true;
      }
      if (learnOutputLimit(reported, options, learned) || learnCacheMarksRefused(reported, options, learned))
        return true;
      const next = earlierThinkingAfter(reported, earlier);
      if (next === undefined) return parameters.learn(reported) || ending.learn(reported);
      earlier = next;
      if (holdsForAllConversations(next, options.model, reported)) learned.earlier.set(options.model, next);
      return true;
    },
    decode: (event) => decoder.decode(event),
    eventsOfWhole: eventsOfWholeMessage,
    end: () => decoder.end(),
  };
}
