/** What the library throws and the service answers, as Forge's failures. Nothing else knows the library's errors. */

import { APIError, APIUserAbortError } from "@anthropic-ai/sdk/core/error";
import type { ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import { CANCELLED } from "../../core/stream/failures.ts";
import { foreignFailure, httpFailure, redirectDetail } from "../../core/stream/httpFailure.ts";
import { networkFailure, type RequestPhase } from "../../core/stream/networkFailure.ts";
import { retryAfterMs } from "../../core/stream/retryAfter.ts";

/** The provider's own name, in errors and settings. */
export const PROVIDER = "anthropic";

/** What a failed request was. */
export interface FailedRequest {
  readonly phase: RequestPhase;
  /** Absent for a list of models. */
  readonly model?: ModelId;
  /** What must not be repeated in any message. */
  readonly secrets: readonly string[];
}

/** Judges anything that a request threw. */
export function toForgeError(thrown: unknown, { phase, model, secrets }: FailedRequest): ForgeError {
  if (thrown instanceof APIUserAbortError) return CANCELLED;
  // Without a status and a body it is the library's wrapping of a connection that failed.
  if (!isApiError(thrown) || (thrown.status === undefined && thrown.error === undefined)) {
    return networkFailure(PROVIDER, thrown, phase, secrets);
  }
  const { status, type, apiMessage, headers } = thrown;
  return httpFailure({
    provider: PROVIDER,
    status,
    type: type ?? "",
    message: redirectDetail(status, headers) ?? apiMessage ?? thrown.message,
    retryAfterMs: headers === undefined ? undefined : retryAfterMs(headers, Date.now()),
    model,
    secrets,
  });
}

/** Judges a good status whose body is not what was asked for. */
export async function foreignAnswer(
  response: Response,
  request: { readonly model?: ModelId; readonly secrets: readonly string[] },
): Promise<ForgeError> {
  const contentType = response.headers.get("content-type");
  return foreignFailure({ provider: PROVIDER, contentType, body: await bodyStart(response), ...request });
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
