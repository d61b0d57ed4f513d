/**
 * The official library's client, cut off from the environment. The library reads a dozen variables, some of which become
 * headers or addresses; so every request leaves through a fetch that sends headers of our own making and follows no
 * redirect.
 */

import { OpenAI } from "openai/client";
import { baseAddress, sealedHeaders } from "../../core/stream/sealedHeaders.ts";

/** Where and as whom to ask. */
export interface OpenAiSettings {
  /** `openai` for the service itself; its dialect differs in small things from that of compatible servers. */
  readonly name: "openai" | "openaiCompatible";
  /** For the user: "OpenAI", or the host of a compatible server. */
  readonly label: string;
  /** Local servers need none. */
  readonly apiKey?: string;
  /** "https://api.openai.com/v1", "http://localhost:1234". */
  readonly baseUrl: string;
}

/** The address under which `/chat/completions` lies. */
export function apiAddress(settings: OpenAiSettings): string {
  return baseAddress(settings.baseUrl, ["/chat/completions", "/models"], "/v1");
}

/** One client serves one request or one list; `onBytes` is told of every piece of a body that arrives. */
export function openAiClient(settings: OpenAiSettings, onBytes: () => void = () => undefined): OpenAI {
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
    fetch: async (input, init) => heard(await sealedFetch(settings, input, init), onBytes),
  });
}

/** Sends a request with our headers only, to where it says and nowhere else. */
export function sealedFetch(
  settings: OpenAiSettings,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const headers = sealedHeaders({ style: "bearer", apiKey: settings.apiKey });
  return fetch(input, { ...init, headers, redirect: "manual" });
}

function heard(response: Response, onBytes: () => void): Response {
  if (response.body === null) return response;
  const listening = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes();
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(listening), response);
}
