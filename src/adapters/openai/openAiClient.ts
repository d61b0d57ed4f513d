/**
 * The official library's client, isolated from the environment. The library reads a dozen variables, some of which
 * become headers or addresses; so a fetch of our own sets exactly our headers and follows no redirect.
 */

import { OpenAI } from "openai/client";
import { APIError } from "openai/core/error";
import type { ModelId } from "../../core/ids.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import { boundedResponse, type BodyKind, type OnBytes } from "../http/boundedResponse.ts";
import type { OnSpeed } from "../http/localWork.ts";
import { LONGEST_WAIT_MS } from "../http/libraryTimeout.ts";
import { baseAddress, allowedHeaders } from "../http/allowedHeaders.ts";

/** `either`: Responses until the server turns out not to support them, then Chat Completions. */
export type Wire = "responses" | "chat" | "either";

export interface OpenAiOptions {
  /** `openai` for the service itself; its dialect differs slightly from that of compatible servers. */
  readonly name: "openai" | "openaiCompatible";
  /** For the user: "OpenAI", or the host of a compatible server. */
  readonly label: string;
  /** Not needed for a local server. */
  readonly apiKey?: string;
  /** "https://api.openai.com/v1", "http://localhost:1234". */
  readonly baseUrl: string;
  /** Default: by name and address. */
  readonly wire?: Wire;
  /** Absent: refusals are forgotten with the provider. */
  readonly refused?: RefusedParameters;
  /** Called when a server reports the window that it allocated for a model, after planning with a guess. */
  readonly onWindow?: (model: ModelId, contextWindow: number) => void;
  /** Called with the speed of each request to a server on the user's machines. */
  readonly onSpeed?: OnSpeed;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options with all defaults filled in, and what responses have shown about the models. */
export type OpenAiSettings = OpenAiOptions & {
  readonly refused: RefusedParameters;
  /** Default forms of encoding that models refuse; remembered as long as the provider lives. */
  readonly refusedDefaults: RefusedParameters;
  /** Output limits in tokens of models that refused a larger one. */
  readonly outputLimits: Map<ModelId, number>;
  /** Models that do not stream for this user. */
  readonly streamingRefused: Set<ModelId>;
  readonly wire: Wire;
};

export function openAiSettings(options: OpenAiOptions): OpenAiSettings {
  return {
    ...options,
    wire: options.wire ?? defaultWire(options),
    refused: options.refused ?? new RefusedParameters(),
    refusedDefaults: new RefusedParameters(),
    outputLimits: new Map(),
    streamingRefused: new Set(),
  };
}

/** OpenAI itself supports Responses; a gateway in front of it may know only the older protocol. */
function defaultWire(options: OpenAiOptions): Wire {
  if (options.name === "openaiCompatible") return "chat";
  return new URL(apiAddress(options)).host === "api.openai.com" ? "responses" : "either";
}

/** Base address of `/responses` and `/chat/completions`. */
export function apiAddress(settings: OpenAiOptions): string {
  return baseAddress(settings.baseUrl, ["/chat/completions", "/responses", "/models"], "/v1");
}

/** Errors have the whole body: the library reads only what is in `error`. */
class CompatibleClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return APIError.generate(status, body === undefined ? undefined : { error: body }, message, headers);
  }
}

/** For one request or one list. */
export function openAiClient(settings: OpenAiSettings, kind: BodyKind, onBytes?: OnBytes): OpenAI {
  return new CompatibleClient({
    // Required by the library; `isolatedFetch` sets the real key, if any.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: apiAddress(settings),
    logLevel: "off",
    maxRetries: 0,
    timeout: LONGEST_WAIT_MS,
    fetch: (input, init) => isolatedFetch(settings, input, init, kind, onBytes),
  });
}

export async function isolatedFetch(
  settings: OpenAiSettings,
  input: string | URL | Request,
  init: RequestInit | undefined,
  kind: BodyKind,
  onBytes?: OnBytes,
): Promise<Response> {
  const headers = allowedHeaders({ style: "bearer", apiKey: settings.apiKey });
  const response = await (settings.fetch ?? fetch)(input, { ...init, headers, redirect: "manual" });
  return boundedResponse(response, kind, onBytes);
}
