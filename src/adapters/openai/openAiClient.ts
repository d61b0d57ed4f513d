/**
 * The official library's client, cut off from the environment. The library reads a dozen variables, some of which become
 * headers or addresses; so every request leaves through a fetch that sends headers of our own making and follows no
 * redirect.
 */

import { OpenAI } from "openai/client";
import type { ModelId } from "../../core/ids.ts";
import { RefusedParameters } from "../../core/models/refusedParameters.ts";
import { observedResponse, type OnBytes } from "../http/responseBody.ts";
import { baseAddress, allowedHeaders } from "../http/allowedHeaders.ts";

/** The protocol: Responses, Chat Completions, or Responses until the server turns out not to know them. */
export type Wire = "responses" | "chat" | "either";

/** Where and as whom to ask. */
export interface OpenAiOptions {
  /** `openai` for the service itself; its dialect differs in small things from that of compatible servers. */
  readonly name: "openai" | "openaiCompatible";
  /** For the user: "OpenAI", or the host of a compatible server. */
  readonly label: string;
  /** Local servers need none. */
  readonly apiKey?: string;
  /** "https://api.openai.com/v1", "http://localhost:1234". */
  readonly baseUrl: string;
  /** Left out: chosen by name and address. */
  readonly wire?: Wire;
  /** Parameters that models have refused; absent: remembered as long as the provider. */
  readonly refused?: RefusedParameters;
  /** A server has told what it really set aside for a model, of which nothing was known before. */
  readonly onWindow?: (model: ModelId, contextWindow: number) => void;
  /** Sends the requests; the global one by default. */
  readonly fetch?: typeof fetch;
}

/** The same with nothing left open. */
export type OpenAiSettings = OpenAiOptions & {
  readonly refused: RefusedParameters;
  /** What models want otherwise than it is done; known as long as the provider. */
  readonly unwanted: RefusedParameters;
  /** Tokens that models write at most, where they refused to write more. */
  readonly largestAnswers: Map<ModelId, number>;
  /** Models that do not stream to this user. */
  readonly unstreamed: Set<ModelId>;
  readonly wire: Wire;
};

/** Fills in what was left out. */
export function openAiSettings(options: OpenAiOptions): OpenAiSettings {
  return {
    ...options,
    wire: options.wire ?? usualWire(options),
    refused: options.refused ?? new RefusedParameters(),
    unwanted: new RefusedParameters(),
    largestAnswers: new Map(),
    unstreamed: new Set(),
  };
}

/** At OpenAI's own address nothing else is tried; a gateway before it may know only the older protocol. */
function usualWire(options: OpenAiOptions): Wire {
  if (options.name === "openaiCompatible") return "chat";
  return new URL(apiAddress(options)).host === "api.openai.com" ? "responses" : "either";
}

/** The address under which `/responses` and `/chat/completions` lie. */
export function apiAddress(settings: OpenAiOptions): string {
  return baseAddress(settings.baseUrl, ["/chat/completions", "/responses", "/models"], "/v1");
}

/** One client serves one request or one list; `onBytes` is told of every piece of a body that arrives. */
export function openAiClient(settings: OpenAiSettings, onBytes: OnBytes = () => undefined): OpenAI {
  return new OpenAI({
    // The library insists on one; the real key is put in by the fetch, if there is one.
    apiKey: "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: apiAddress(settings),
    logLevel: "off",
    maxRetries: 0,
    fetch: async (input, init) => observedResponse(await ownFetch(settings, input, init), onBytes),
  });
}

/** Sends a request with our headers only, to where it says and nowhere else. */
export function ownFetch(
  settings: OpenAiSettings,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const headers = allowedHeaders({ style: "bearer", apiKey: settings.apiKey });
  return (settings.fetch ?? fetch)(input, { ...init, headers, redirect: "manual" });
}
