/**
 * The official library's client, reduced and isolated from the environment. The library reads a dozen variables and
 * credential files, some of which become headers or addresses; so each request goes through a fetch that sets exactly
 * our headers and follows no redirect.
 */

import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { Messages } from "@anthropic-ai/sdk/resources/messages/messages";
import { Models } from "@anthropic-ai/sdk/resources/models";
import type { RefusedParameters } from "../../core/models/refusedParameters.ts";
import { boundedResponse, type BodyKind, type OnBytes } from "../http/boundedResponse.ts";
import { LONGEST_WAIT_MS } from "../http/libraryTimeout.ts";
import { baseAddress, allowedHeaders, type KeyHeader } from "../http/allowedHeaders.ts";

export interface AnthropicSettings {
  readonly apiKey: string;
  /** "https://api.anthropic.com", or a gateway that speaks the same protocol. */
  readonly baseUrl: string;
  /** Header of the key: `bearer` (default) as the library does it, `xApiKey` for gateways that only know that. */
  readonly headerStyle?: KeyHeader["style"];
  /** Absent: refusals are forgotten with the provider. */
  readonly refused?: RefusedParameters;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Protocol versions: the library's own for `bearer`, the one that older gateways know for `xApiKey`. */
export const API_VERSIONS: Readonly<Record<KeyHeader["style"], string>> = {
  bearer: "2026-10-21",
  xApiKey: "2023-06-01",
};

export interface MessagesRequest {
  readonly kind: BodyKind;
  /** Called with each received chunk of the body. */
  readonly onBytes?: OnBytes;
  /** Values of the header `anthropic-beta`. */
  readonly betas?: readonly string[];
}

/** For one request or one list. */
export class MessagesClient extends BaseAnthropic {
  readonly messages: Messages;
  readonly models: Models;

  constructor(settings: AnthropicSettings, request: MessagesRequest) {
    super({
      apiKey: null,
      authToken: null,
      webhookKey: null,
      baseURL: baseAddress(settings.baseUrl, ["/v1/messages", "/v1"], ""),
      // Null means "no such header", and also stops the library from looking for credentials of its own.
      defaultHeaders: { Authorization: null },
      logLevel: "off",
      openTelemetry: false,
      maxRetries: 0,
      timeout: LONGEST_WAIT_MS,
      fetch: (input, init) => isolatedFetch(settings, request, input, init),
    });
    this.messages = new Messages(this);
    this.models = new Models(this);
  }

  protected override _shouldResolveDefaultCredentials(): boolean {
    return false;
  }
}

async function isolatedFetch(
  settings: AnthropicSettings,
  { kind, onBytes, betas = [] }: MessagesRequest,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const style = settings.headerStyle ?? "bearer";
  const headers = allowedHeaders(
    { style, apiKey: settings.apiKey },
    { "anthropic-version": API_VERSIONS[style], ...(betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }) },
  );
  const response = await (settings.fetch ?? fetch)(input, { ...init, headers, redirect: "manual" });
  return boundedResponse(response, kind, onBytes);
}
