/** Errors of HTTP services as `ForgeError`s. */

import { CANCELLED, unavailable, type ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import { assertNever } from "../../core/result.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import type { ResponseInfo } from "../../core/stream/streamEvent.ts";
import { bodyTooLargeIn } from "./boundedResponse.ts";
import { errorIn, errorInBody, type ErrorInBody } from "./errorBody.ts";
import { failureKind } from "./failureKinds.ts";
import { contextOverflow } from "./lengthErrors.ts";
import { networkFailure, type RequestPhase } from "./networkFailure.ts";
import { readResponseInfo } from "./responseHeaders.ts";
import { rateLimitResetMs, retryAfterInMessage, retryAfterMs, type HeaderReader } from "./retryDelay.ts";

export interface RequestFacts {
  readonly provider: string;
  /** Absent for a list of models. */
  readonly model?: ModelId | undefined;
  /** Tokens of the request as counted before sending; absent for a list of models. */
  readonly sentTokens?: number | undefined;
  /** Removed from every message. */
  readonly secrets: readonly string[];
}

/** An error as read by an adapter, not yet classified. */
export interface ReportedError {
  /** Absent for an error in mid-stream, after a successful status. */
  readonly status?: number | undefined;
  /** Type such as `overloaded_error`, or code such as `model_not_found`; empty when the service gave none. */
  readonly type: string;
  /** The service's other words for the failure. */
  readonly moreTypes?: readonly string[] | undefined;
  readonly message: string;
  /** Request parameter at fault, when the service names one. */
  readonly parameter?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The model's window, where it is told outside the message. */
  readonly windowTokens?: number | undefined;
  /** From the response headers; absent for an error in mid-stream. */
  readonly responseInfo?: ResponseInfo | undefined;
}

export type HttpFailure = RequestFacts & ReportedError;

/** `reported` is `undefined` for a failed connection. */
export function toForgeError(
  thrown: unknown,
  reported: ReportedError | "cancelled" | undefined,
  { phase, ...facts }: RequestFacts & { readonly phase: RequestPhase },
): ForgeError {
  if (reported === "cancelled") return CANCELLED;
  const tooLarge = bodyTooLargeIn(thrown);
  if (tooLarge !== undefined) return unavailable(facts.provider, "tooLarge", tooLarge.message);
  if (reported === undefined) return networkFailure(facts.provider, thrown, phase, facts.secrets);
  return httpFailure({ ...facts, ...reported });
}

/** Classifies by what services call it, then by status. */
export function httpFailure(failure: HttpFailure): ForgeError {
  const { provider, status, type, moreTypes = [], message, retryAfterMs, model } = failure;
  const detail = errorDetail(message, failure.secrets);
  if (status !== undefined && status >= 300 && status < 400) return unavailable(provider, "notAStream", detail);
  const said = { status, types: [type, ...moreTypes], message, namesDelay: retryAfterMs !== undefined };
  const kind = failureKind(said);
  switch (kind) {
    case "wrongCountry":
      return { code: "COUNTRY_REFUSED", provider, detail };
    case "noCredit":
      return { code: "NO_CREDIT", provider, detail };
    case "tooFast":
      return { code: "RATE_LIMITED", provider, detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    case "refused":
      return { code: "REFUSED", provider, detail };
    case "unknownModel":
      if (model !== undefined) return { code: "MODEL_UNKNOWN", provider, model };
      break;
    case "wrongKey":
      return { code: "AUTH_FAILED", provider, detail };
    case "tooLong":
      return contextOverflow(provider, detail, failure);
    case "loading":
    case "overloaded":
      return unavailable(provider, kind, detail, retryAfterMs);
    case undefined:
      break;
    default:
      return assertNever(kind);
  }
  if (status === undefined || status >= 500 || status === 408 || status === 409) {
    return unavailable(provider, "serverError", detail, retryAfterMs);
  }
  return unavailable(provider, status === 404 || status === 405 ? "notAStream" : "badRequest", detail);
}

/**
 * Classifies a successful status with an unexpected body: an error in JSON is that error; anything else (a proxy's
 * page, another service) is no stream. The start of the body is enough.
 */
export function foreignFailure(facts: RequestFacts, headers: HeaderReader, body: string): ForgeError {
  const error = errorInBody(body);
  if (error !== undefined) return failureInSuccess(facts, error, headers);
  const contentType = headers.get("content-type") ?? "of no known type";
  return unavailable(facts.provider, "notAStream", errorDetail(`The answer is ${contentType}. ${body}`, facts.secrets));
}

/** Classifies an error in a response of a successful status, or in mid-stream: there the status is in the body. */
export function failureInSuccess(facts: RequestFacts, error: ErrorInBody, headers?: HeaderReader): ForgeError {
  return httpFailure({ ...facts, ...withResponseHeaders(error, headers, Date.now()) });
}

/** Words of an error response. `fallback`: message where its body has none. */
export function reportedError(
  body: unknown,
  {
    status,
    fallback,
    headers,
  }: { readonly status: number | undefined; readonly fallback: string; readonly headers: HeaderReader | undefined },
): ReportedError {
  const told = errorIn(body);
  const message = told === undefined || told.message === "" ? fallback : told.message;
  const said = { type: "", ...told, status: status ?? told?.status, message };
  return withResponseHeaders(said, headers, Date.now());
}

/** Adds retry delay, request id and redirect target from the response headers. `nowMs`: this machine's time. */
export function withResponseHeaders(
  reported: ReportedError,
  headers: HeaderReader | undefined,
  nowMs: number,
): ReportedError {
  const { status } = reported;
  const wait =
    (headers === undefined ? undefined : retryAfterMs(headers, nowMs)) ??
    reported.retryAfterMs ??
    (mayPass(status) ? retryAfterInMessage(reported.message, nowMs) : undefined) ??
    (headers !== undefined && status === 429 ? rateLimitResetMs(headers, nowMs) : undefined);
  const responseInfo = readResponseInfo(reported.status, headers);
  return {
    ...reported,
    message: redirectDetail(reported.status, headers) ?? reported.message,
    retryAfterMs: wait,
    responseInfo,
  };
}

/** True if a failure of this status may be over after a while. */
function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 429 || status >= 500;
}

/** Redirects are never followed: a key goes only to the host that it was entered for. */
function redirectDetail(status: number | undefined, headers: HeaderReader | undefined): string | undefined {
  if (status === undefined || status < 300 || status >= 400) return undefined;
  const target = headers?.get("location") ?? "another address";
  return `The server sends requests on to ${target}, which Forge does not follow. Is that the address to use?`;
}
