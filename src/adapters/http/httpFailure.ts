/** Errors of HTTP services that report them in JSON, as `ForgeError`s. */

import { tryParseJson, listIn, member, stringField } from "../../core/json.ts";
import { CANCELLED, unavailable, type ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import { readResponseInfo, retryAfterInMessage, retryAfterMs, type HeaderReader } from "./responseHeaders.ts";
import type { ResponseInfo } from "../../core/stream/streamEvent.ts";
import { bodyTooLargeIn } from "./boundedResponse.ts";
import { networkFailure, type RequestPhase } from "./networkFailure.ts";
import { contextOverflow, saysContextOverflow } from "./lengthErrors.ts";

export interface RequestFacts {
  readonly provider: string;
  /** Absent for a list of models. */
  readonly model?: ModelId | undefined;
  /** Removed from every message. */
  readonly secrets: readonly string[];
}

/** An error as read by an adapter, not yet classified. */
export interface ReportedError {
  /** Absent for an error in mid-stream, after a successful status. */
  readonly status?: number | undefined;
  /** Type such as `overloaded_error`, or code such as `model_not_found`; empty when the service gave none. */
  readonly type: string;
  readonly message: string;
  /** Request parameter at fault, when the service names one. */
  readonly parameter?: string | undefined;
  readonly retryAfterMs?: number | undefined;
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

/** Classifies by the type when it is unambiguous, else by status, else by message. */
export function httpFailure(failure: HttpFailure): ForgeError {
  const { provider, status, type, message, retryAfterMs, model } = failure;
  const detail = errorDetail(message, failure.secrets);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status !== undefined && status >= 300 && status < 400) return unavailable(provider, "notAStream", detail);
  if (status === 429 || status === 402 || RATE_TYPES.has(type))
    return { code: "RATE_LIMITED", provider, detail, ...wait };
  if (REFUSAL_TYPES.has(type) || saysRefused(status, message)) return { code: "REFUSED", provider, detail };
  if (model !== undefined && saysModelUnknown(status, type, message)) return { code: "MODEL_UNKNOWN", provider, model };
  if (status === 401 || status === 403 || AUTH_TYPES.has(type) || saysWrongKey(status, message))
    return { code: "AUTH_FAILED", provider, detail };
  if (status === 413 || saysContextOverflow(`${type} ${message}`)) return contextOverflow(provider, detail);
  if (status === 529 || status === 503 || type === "overloaded_error") {
    return unavailable(provider, "overloaded", detail, retryAfterMs);
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
  const reported = errorInBody(body);
  if (reported !== undefined) return httpFailure({ ...facts, ...reported });
  const contentType = headers.get("content-type") ?? "of no known type";
  return unavailable(facts.provider, "notAStream", errorDetail(`The answer is ${contentType}. ${body}`, facts.secrets));
}

/** The error in a JSON body, in any form that services use; `undefined` when there is none. */
export function errorInBody(body: string): { readonly type: string; readonly message: string } | undefined {
  const value = tryParseJson(body);
  // Google wraps the error in a list; vLLM and Mistral do not wrap it at all.
  const told: unknown = Array.isArray(value) ? value[0] : value;
  const error = stringField(told, "object") === "error" ? told : member(told, "error");
  if (error === undefined || error === null) return undefined;
  const type = [member(error, "code"), member(error, "type")].find((word) => typeof word === "string");
  const message = typeof error === "string" ? error : member(error, "message");
  return { type: typeof type === "string" ? type : "", message: typeof message === "string" ? message : body };
}

/** HTTP status that services send as the code of an error in mid-stream. */
export function statusInCode(error: unknown): number | undefined {
  const code = Number(member(error, "code"));
  return code >= 400 && code < 600 ? code : undefined;
}

/** Google and xAI report an unknown key as a bad request. */
function saysWrongKey(status: number | undefined, message: string): boolean {
  return (
    status === 400 &&
    /\b(?:incorrect|invalid|expired) api key|\bapi key (?:is )?(?:not valid|invalid|expired)/i.test(message)
  );
}

/** Whether the service's content policy blocked the question or the answer. */
function saysRefused(status: number | undefined, message: string): boolean {
  // OpenRouter and OpenAI; DeepSeek; xAI; Qwen; Anthropic.
  return (
    (status === undefined || status === 400 || status === 403) &&
    /\bflagged\b|content exists risk|violates usage guidelines|may contain inappropriate content|blocked by content filtering/i.test(
      message,
    )
  );
}

/** An unknown model and a wrong address are both 404; only the message tells them apart. */
function saysModelUnknown(status: number | undefined, type: string, message: string): boolean {
  // OpenAI and many more; Azure.
  if (type === "model_not_found" || type === "DeploymentNotFound") return true;
  // OpenRouter, when no host of the model supports the request; Google names the model by its path.
  return status === 404 && /\bmodels?\b|no endpoints found for/i.test(message);
}

const RATE_TYPES: ReadonlySet<string> = new Set([
  "rate_limit_error",
  "rate_limit_exceeded",
  "insufficient_quota",
  "billing_error",
]);
const AUTH_TYPES: ReadonlySet<string> = new Set(["authentication_error", "permission_error", "invalid_api_key"]);
/** The number is GLM's. */
const REFUSAL_TYPES: ReadonlySet<string> = new Set([
  "content_filter",
  "content_policy_violation",
  "ResponsibleAIPolicyViolation",
  "data_inspection_failed",
  "1301",
]);

/** Adds retry delay, request id and redirect target from the response headers. `nowMs`: this machine's time. */
export function withResponseHeaders(
  reported: ReportedError,
  headers: HeaderReader | undefined,
  nowMs: number,
): ReportedError {
  const inHeaders = headers === undefined ? undefined : retryAfterMs(headers, nowMs);
  const wait = inHeaders ?? (reported.status === 429 ? retryAfterInMessage(reported.message) : undefined);
  const responseInfo = readResponseInfo(reported.status, headers);
  return {
    ...reported,
    message: redirectDetail(reported.status, headers) ?? reported.message,
    retryAfterMs: wait,
    responseInfo,
  };
}

/** Redirects are never followed: a key goes only to the host that it was entered for. */
function redirectDetail(status: number | undefined, headers: HeaderReader | undefined): string | undefined {
  if (status === undefined || status < 300 || status >= 400) return undefined;
  const target = headers?.get("location") ?? "another address";
  return `The server sends requests on to ${target}, which Forge does not follow. Is that the address to use?`;
}

/** `parameter`: path in the request of the first refused field. `message`: reasons for all of them. */
export interface InvalidFields {
  readonly parameter: string;
  readonly message: string;
}

/** Refused fields as FastAPI, and gateways built on it, report them; `undefined` for any other body. */
export function invalidFields(body: unknown): InvalidFields | undefined {
  const details = [body, member(body, "message")].flatMap((holder) => listIn(holder, "detail"));
  const named = details.filter((detail) => stringField(detail, "msg") !== "");
  const fields = named.map((detail) => [pathIn(detail), stringField(detail, "msg")] as const);
  const [first] = fields;
  if (first === undefined) return undefined;
  return {
    parameter: first[0],
    message: fields.map((words) => words.filter((word) => word !== "").join(": ")).join("; "),
  };
}

function pathIn(detail: unknown): string {
  const path = listIn(detail, "loc");
  return path.slice(path[0] === "body" ? 1 : 0).join(".");
}
