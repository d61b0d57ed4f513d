/** What an answer that is no stream means, for every service that speaks HTTP and says errors in JSON. */

import { tryParseJson, listIn, member, stringField } from "../../core/json.ts";
import { CANCELLED, unavailable, type ForgeError } from "../../core/errors.ts";
import type { ModelId } from "../../core/ids.ts";
import { errorDetail } from "../../core/stream/errorDetail.ts";
import { answeredWith, retryAfterInWords, retryAfterMs, type HeaderReader } from "./responseHeaders.ts";
import type { ResponseInfo } from "../../core/stream/streamEvent.ts";
import { networkFailure, type RequestPhase } from "./networkFailure.ts";
import { contextOverflow, saysContextOverflow } from "./refusedLengths.ts";

/** Whom a request is for; what its failures need. */
export interface RequestFacts {
  readonly provider: string;
  /** The model that was asked for; absent for a list of models. */
  readonly model?: ModelId | undefined;
  /** What must not be repeated in any message. */
  readonly secrets: readonly string[];
}

/** What an adapter has read out of an error, before it is judged. */
export interface ReportedError {
  /** Absent for an error that arrives in the middle of a stream, after a good status. */
  readonly status?: number | undefined;
  /** The service's own word: a type such as `overloaded_error` or a code such as `model_not_found`; empty when it gave none. */
  readonly type: string;
  readonly message: string;
  /** The parameter of the request that it is about, where the service names one. */
  readonly parameter?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** What the headers of the answer said; absent for an error that arrives in the middle of a stream. */
  readonly answered?: ResponseInfo | undefined;
}

/** An error with what it is about. */
export type HttpFailure = RequestFacts & ReportedError;

/** Judges what a request threw by what the adapter has read out of it: `said` is `undefined` where a connection failed. */
export function toForgeError(
  thrown: unknown,
  said: ReportedError | "cancelled" | undefined,
  { phase, ...facts }: RequestFacts & { readonly phase: RequestPhase },
): ForgeError {
  if (said === "cancelled") return CANCELLED;
  if (said === undefined) return networkFailure(facts.provider, thrown, phase, facts.secrets);
  return httpFailure({ ...facts, ...said });
}

/** Judges an error by its type where that is plain, else by its status, else by its words. */
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
 * Judges a good status whose body is not what was asked for: an error said in JSON is that error; anything else (a page of
 * a proxy, another service) is no stream. The beginning of the body is enough.
 */
export function foreignFailure(facts: RequestFacts, headers: HeaderReader, body: string): ForgeError {
  const said = errorInBody(body);
  if (said !== undefined) return httpFailure({ ...facts, ...said });
  const contentType = headers.get("content-type") ?? "of no known type";
  return unavailable(facts.provider, "notAStream", errorDetail(`The answer is ${contentType}. ${body}`, facts.secrets));
}

/** The error that a body of JSON tells, as all the services write it; `undefined` where it tells none. */
export function errorInBody(body: string): { readonly type: string; readonly message: string } | undefined {
  const value = tryParseJson(body);
  // Google gives a list of one; vLLM and Mistral do not wrap the error.
  const told: unknown = Array.isArray(value) ? value[0] : value;
  const error = stringField(told, "object") === "error" ? told : member(told, "error");
  if (error === undefined || error === null) return undefined;
  const type = [member(error, "code"), member(error, "type")].find((word) => typeof word === "string");
  const message = typeof error === "string" ? error : member(error, "message");
  return { type: typeof type === "string" ? type : "", message: typeof message === "string" ? message : body };
}

/** The HTTP status that an error has as its code, as in mid-stream it often has; `undefined` where it has none. */
export function statusInCode(error: unknown): number | undefined {
  const code = Number(member(error, "code"));
  return code >= 400 && code < 600 ? code : undefined;
}

/** Google and xAI take a key that they do not know for a fault of the request. */
function saysWrongKey(status: number | undefined, message: string): boolean {
  return (
    status === 400 &&
    /\b(?:incorrect|invalid|expired) api key|\bapi key (?:is )?(?:not valid|invalid|expired)/i.test(message)
  );
}

/** What was asked, or answered, is what the service does not allow. */
function saysRefused(status: number | undefined, message: string): boolean {
  // OpenRouter and OpenAI; DeepSeek; xAI; Qwen; Anthropic.
  return (
    (status === undefined || status === 400 || status === 403) &&
    /\bflagged\b|content exists risk|violates usage guidelines|may contain inappropriate content|blocked by content filtering/i.test(
      message,
    )
  );
}

/** A missing model and a wrong address both are 404; only the words tell which. */
function saysModelUnknown(status: number | undefined, type: string, message: string): boolean {
  // OpenAI and many more; Azure.
  if (type === "model_not_found" || type === "DeploymentNotFound") return true;
  // OpenRouter has no service for what is asked; Google names the model by its place among others.
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

/** An answer with a bad status: what it says, and when it may be asked again. `nowMs` is the time of this machine. */
export function reportedInAnswer(said: ReportedError, headers: HeaderReader | undefined, nowMs: number): ReportedError {
  const inHeaders = headers === undefined ? undefined : retryAfterMs(headers, nowMs);
  const wait = inHeaders ?? (said.status === 429 ? retryAfterInWords(said.message) : undefined);
  const answered = answeredWith(said.status, headers);
  return { ...said, message: redirectDetail(said.status, headers) ?? said.message, retryAfterMs: wait, answered };
}

/** The words for a redirect, which is never followed: a key goes only to the host that it was entered for. */
function redirectDetail(status: number | undefined, headers: HeaderReader | undefined): string | undefined {
  if (status === undefined || status < 300 || status >= 400) return undefined;
  const target = headers?.get("location") ?? "another address";
  return `The server sends requests on to ${target}, which Forge does not follow. Is that the address to use?`;
}

/** The field that is named first, by its path in the request, and why it and the others are refused. */
export interface InvalidFields {
  readonly parameter: string;
  readonly message: string;
}

/** Reads the refused fields out of a body as FastAPI, and many a gateway built on it, writes them; `undefined` where it is another body. */
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
