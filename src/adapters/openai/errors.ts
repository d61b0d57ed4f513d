/** What the library throws and a server answers, as Forge's failures. Nothing else knows the library's errors. */

import { APIError, APIUserAbortError } from "openai/core/error";
import type { ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import { CANCELLED } from "../../core/stream/failures.ts";
import { foreignFailure, httpFailure, redirectDetail } from "../../core/stream/httpFailure.ts";
import { networkFailure, type RequestPhase } from "../../core/stream/networkFailure.ts";
import { retryAfterMs } from "../../core/stream/retryAfter.ts";
import type { OpenAiSettings } from "./openAiClient.ts";

/** What a failed request was. */
export interface FailedRequest {
  readonly settings: OpenAiSettings;
  /** Absent for a list of models. */
  readonly model?: ModelId;
}

/** Judges anything that a request threw. */
export function toForgeError(thrown: unknown, request: FailedRequest & { readonly phase: RequestPhase }): ForgeError {
  const { settings, model, phase } = request;
  const provider = settings.name;
  const secrets = secretsOf(settings);
  if (thrown instanceof APIUserAbortError) return CANCELLED;
  // Without a status and a body it is the library's wrapping of a connection that failed.
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) {
    return networkFailure(provider, thrown, phase, secrets);
  }
  const { status, headers } = thrown;
  return httpFailure({
    provider,
    status: status ?? statusInBody(thrown),
    type: wordOf(thrown.code) ?? wordOf(thrown.type) ?? "",
    message: redirectDetail(status, headers) ?? messageInBody(thrown.error) ?? thrown.message,
    retryAfterMs: headers === undefined ? undefined : retryAfterMs(headers, Date.now()),
    model,
    secrets,
  });
}

/** Judges a good status whose body is not what was asked for. */
export async function foreignAnswer(response: Response, { settings, model }: FailedRequest): Promise<ForgeError> {
  return foreignFailure({
    provider: settings.name,
    contentType: response.headers.get("content-type"),
    body: await bodyStart(response),
    model,
    secrets: secretsOf(settings),
  });
}

function secretsOf(settings: OpenAiSettings): readonly string[] {
  return settings.apiKey === undefined ? [] : [settings.apiKey];
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** OpenRouter reports an error in mid-stream with the HTTP status as its code. */
function statusInBody(error: APIError): number | undefined {
  const code: unknown = error.code;
  return typeof code === "number" ? code : undefined;
}

/** What the server said; the library's own message has the status in front of it. */
function messageInBody(body: unknown): string | undefined {
  return typeof body === "object" && body !== null ? wordOf(Reflect.get(body, "message")) : undefined;
}

function isApiError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError;
}

/** Enough of a body to tell what it is. */
const BODY_START_BYTES = 16_384;

/** The library reads a body that is not a stream; then there is nothing left of it. */
async function bodyStart(response: Response): Promise<string> {
  if (response.bodyUsed || response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const pieces: AsyncIterable<unknown> = response.body;
  for await (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) break;
    chunks.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes >= BODY_START_BYTES) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}
