/**
 * The official library's client, cut down to what is used and cut off from the environment. The library reads a dozen
 * variables and credential files, some of which become headers or addresses; so every request leaves through a fetch
 * that sends headers of our own making and follows no redirect.
 */

import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { Messages } from "@anthropic-ai/sdk/resources/messages/messages";
import { Models } from "@anthropic-ai/sdk/resources/models";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import { observedResponse, type OnBytes } from "../http/responseBody.ts";
import { baseAddress, allowedHeaders, type KeyHeader } from "../http/allowedHeaders.ts";

/** Where and as whom to ask. */
export interface AnthropicSettings {
  readonly apiKey: string;
  /** "https://api.anthropic.com", or a gateway that speaks the same protocol. */
  readonly baseUrl: string;
  /** How the key travels: `bearer` (the default) as the library does it, `xApiKey` for gateways that know only that. */
  readonly headerStyle?: KeyHeader["style"];
  /** Parameters that models have refused; absent: remembered as long as the provider. */
  readonly refused?: RefusedParameters;
  /** Sends the requests; the global one by default. */
  readonly fetch?: typeof fetch;
}

/** Versions of the wire protocol: the one that the library speaks, and the one that older gateways know. */
export const API_VERSIONS: Readonly<Record<KeyHeader["style"], string>> = {
  bearer: "2026-10-21",
  xApiKey: "2023-06-01",
};

/** What is particular about one request. */
export interface MessagesRequest {
  /** Is told of every piece of a body that arrives. */
  readonly onBytes?: OnBytes;
  /** Values of the header `anthropic-beta`. */
  readonly betas?: readonly string[];
}

/** One client serves one request or one list. */
export class MessagesClient extends BaseAnthropic {
  readonly messages: Messages;
  readonly models: Models;

  constructor(settings: AnthropicSettings, request: MessagesRequest = {}) {
    super({
      apiKey: null,
      authToken: null,
      webhookKey: null,
      baseURL: baseAddress(settings.baseUrl, ["/v1/messages", "/v1"], ""),
      // Null: "no such header", which also keeps the library from looking for credentials of its own.
      defaultHeaders: { Authorization: null },
      logLevel: "off",
      openTelemetry: false,
      maxRetries: 0,
      fetch: (input, init) => ownFetch(settings, request, input, init),
    });
    this.messages = new Messages(this);
    this.models = new Models(this);
  }

  protected override _shouldResolveDefaultCredentials(): boolean {
    return false;
  }
}

async function ownFetch(
  settings: AnthropicSettings,
  { onBytes = () => undefined, betas = [] }: MessagesRequest,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const style = settings.headerStyle ?? "bearer";
  const headers = allowedHeaders(
    { style, apiKey: settings.apiKey },
    { "anthropic-version": API_VERSIONS[style], ...(betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }) },
  );
  const response = await (settings.fetch ?? fetch)(input, { ...init, headers, redirect: "manual" });
  return observedResponse(response, onBytes);
}
