/** The requests that Ollama's own interface knows. They leave with headers of our own making and follow no redirect. */

import { errorInBody, reportedInAnswer, type RequestFacts, type ReportedError } from "../http/httpFailure.ts";
import { bodyText } from "../http/responseBody.ts";
import { allowedHeaders } from "../http/allowedHeaders.ts";

/** The provider's own name, in errors and settings. */
export const PROVIDER = "ollama";

/** Where Ollama is. */
export interface OllamaAddress {
  /** "http://127.0.0.1:11434" */
  readonly baseUrl: string;
  /** A server of one's own needs none. */
  readonly apiKey?: string;
  /** Sends the requests; the global one by default. */
  readonly fetch?: typeof fetch;
}

/** What a server said instead of an answer. */
export class OllamaRefusal extends Error {
  readonly said: ReportedError;

  constructor(said: ReportedError) {
    super(said.message);
    this.said = said;
  }
}

/** Sends a request; resolves with its headers when the status is good, else rejects with an {@link OllamaRefusal}. */
export async function ask(
  address: OllamaAddress,
  path: `/api/${string}`,
  request: { readonly body?: unknown; readonly signal: AbortSignal },
): Promise<Response> {
  const response = await (address.fetch ?? fetch)(origin(address) + path, {
    headers: allowedHeaders({ style: "bearer", apiKey: address.apiKey }),
    redirect: "manual",
    signal: request.signal,
    ...(request.body === undefined ? {} : { method: "POST", body: JSON.stringify(request.body) }),
  });
  if (response.ok) return response;
  const body = await bodyText(response);
  const { type, message } = errorInBody(body) ?? { type: "", message: body };
  throw new OllamaRefusal(reportedInAnswer({ status: response.status, type, message }, response.headers, Date.now()));
}

/** What a thrown value says; `undefined` for a connection that failed. */
export function readError(thrown: unknown): ReportedError | "cancelled" | undefined {
  if (thrown instanceof OllamaRefusal) return thrown.said;
  return thrown instanceof Error && thrown.name === "AbortError" ? "cancelled" : undefined;
}

/** Whom a request to this address is for. */
export function factsOf({ apiKey }: OllamaAddress): RequestFacts {
  return { provider: PROVIDER, secrets: apiKey === undefined ? [] : [apiKey] };
}

/** Addresses are pasted with the paths of either of its interfaces. */
function origin({ baseUrl }: OllamaAddress): string {
  return baseUrl
    .trim()
    .replace(/\/+$/, "")
    .replace(/\/(?:v1|api)(?:\/chat)?$/, "");
}
