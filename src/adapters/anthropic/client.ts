/** Anthropic's models over the Messages API. A raw provider: `guardedProvider` makes it whole. */

import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { ModelId } from "../../core/ids.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import type { Provider, StreamOptions } from "../../core/ports.ts";
import { exchangeStream, type Exchange } from "../../core/stream/exchange.ts";
import { answeredWith } from "../../core/stream/failedRequest.ts";
import { firstPieces } from "../../core/stream/httpBody.ts";
import { OptionalParameters } from "../../core/stream/optionalParameters.ts";
import { AnthropicDecoder } from "./decode.ts";
import { encodeRequest, type MessagesParameter } from "./encode.ts";
import { PROVIDER, readError } from "./errors.ts";
import { MessagesClient, type AnthropicSettings } from "./messagesClient.ts";
import { listModels } from "./models.ts";

/** Makes the provider. It opens no connection until it is used. */
export function createAnthropicProvider(settings: AnthropicSettings): Provider {
  const refused = settings.refused ?? new RefusedParameters();
  return {
    name: PROVIDER,
    label: "Anthropic",
    stream(prepared, options, cancel) {
      const live = new AbortController();
      return exchangeStream(prepared, cancel, live, exchangeOf(settings, refused, options, live.signal));
    },
    listModels: (cancel) => listModels(settings, cancel),
    requestBody(context, options) {
      const parameters = optionalParameters(options.model, refused);
      return Promise.resolve(encodeRequest(context, options, parameters.takes.bind(parameters)));
    },
  };
}

function exchangeOf(
  settings: AnthropicSettings,
  refused: RefusedParameters,
  options: StreamOptions,
  signal: AbortSignal,
): Exchange<RawMessageStreamEvent> {
  const decoder = new AnthropicDecoder();
  const parameters = optionalParameters(options.model, refused);
  const takes = parameters.takes.bind(parameters);
  return {
    facts: { provider: PROVIDER, model: options.model, secrets: [settings.apiKey] },
    readError,
    async open(context, onBytes) {
      const client = new MessagesClient(settings, onBytes);
      const created = client.messages.create(encodeRequest(context, options, takes), { signal });
      const { data: events, response } = await created.withResponse();
      return {
        events,
        contentType: response.headers.get("content-type"),
        answered: answeredWith(response.status, response.headers),
        bodyStart: async () => Buffer.concat(await firstPieces(response)).toString("utf8"),
      };
    },
    adjust: (said) => parameters.learn(said),
    decode: (event) => decoder.decode(event),
    end: () => [],
  };
}

function optionalParameters(model: ModelId, refused: RefusedParameters): OptionalParameters<MessagesParameter> {
  return new OptionalParameters<MessagesParameter>(model, refused, {
    "output_config.effort": /output_config|\beffort\b/i,
    thinking: /thinking\b.{0,60}(?:not support|unsupported|not available|not permitted|Input should|Input tag)/i,
  });
}
