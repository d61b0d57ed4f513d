/** Requests to Ollama's native API. They send exactly our headers and follow no redirect. */

import { tryParseJson } from "../../core/json.ts";
import { reportedError, type RequestFacts, type ReportedError } from "../http/httpFailure.ts";
import { boundedResponse, type OnBytes } from "../http/boundedResponse.ts";
import { bodyText } from "../http/responseBody.ts";
import { allowedHeaders } from "../http/allowedHeaders.ts";

export const PROVIDER = "ollama";

export interface OllamaAddress {
  /** "http://127.0.0.1:11434" */
  readonly baseUrl: string;
  /** Not needed for a local server. */
  readonly apiKey?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Error response of the server. */
export class OllamaError extends Error {
  readonly reported: ReportedError;

  constructor(reported: ReportedError) {
    super(reported.message);
    this.reported = reported;
  }
}

const STREAMS: ReadonlySet<string> = new Set(["/api/chat", "/api/pull"]);

/** Resolves once the headers of a successful response have arrived, else rejects with an {@link OllamaError}. */
export async function sendRequest(
  address: OllamaAddress,
  path: `/api/${string}`,
  request: {
    readonly body?: unknown;
    /** Default: GET without a body, POST with one. */
    readonly method?: "DELETE";
    readonly signal: AbortSignal;
    readonly onBytes?: OnBytes;
  },
): Promise<Response> {
  const received = await (address.fetch ?? fetch)(origin(address) + path, {
    headers: allowedHeaders({ style: "bearer", apiKey: address.apiKey }),
    redirect: "manual",
    signal: request.signal,
    ...(request.body === undefined ? {} : { method: request.method ?? "POST", body: JSON.stringify(request.body) }),
  });
  const response = boundedResponse(received, STREAMS.has(path) ? "lines" : "list", request.onBytes);
  if (response.ok) return response;
  const body = await bodyText(response);
  const { status, headers } = response;
  throw new OllamaError(reportedError(tryParseJson(body), { status, fallback: body, headers }));
}

/** `undefined` for a failed connection. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  if (thrown instanceof OllamaError) return thrown.reported;
  return thrown instanceof Error && thrown.name === "AbortError" ? "cancelled" : undefined;
}

export function factsOf({ apiKey }: OllamaAddress): RequestFacts {
  return { provider: PROVIDER, secrets: apiKey === undefined ? [] : [apiKey] };
}

/** Users paste addresses with the paths of either API. */
function origin({ baseUrl }: OllamaAddress): string {
  return baseUrl
    .trim()
    .replace(/\/+$/, "")
    .replace(/\/(?:v1|api)(?:\/chat)?$/, "");
}
