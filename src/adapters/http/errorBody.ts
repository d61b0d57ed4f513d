/** Errors in JSON, in the forms of many services, read into one. Pure. */

import { countIn, listIn, member, stringField, tryParseJson } from "../../core/json.ts";
import { retryDelayInBody } from "./retryDelay.ts";

/** A failure as its body tells it. */
export interface ErrorInBody {
  /** HTTP status that the body names, which counts where the response itself was a success. */
  readonly status?: number;
  /** The service's word or number for the failure; empty when it gave none. */
  readonly type: string;
  /** Its other words for it. */
  readonly moreTypes: readonly string[];
  /** Empty when it gave none. */
  readonly message: string;
  /** Request parameter at fault. */
  readonly parameter?: string;
  readonly retryAfterMs?: number;
  /** The model's window, in a field of its own, as with llama.cpp. */
  readonly windowTokens?: number;
}

/**
 * The error in a body; `undefined` when it has none. OpenAI and many more wrap it in `error`, Google also in a list;
 * vLLM, Mistral and DashScope do not wrap it; Cloudflare lists `errors`; MiniMax has `base_resp`; FastAPI has `detail`.
 */
export function errorInBody(body: string, nowMs = Date.now()): ErrorInBody | undefined {
  return errorIn(tryParseJson(body), nowMs);
}

/** The same, of a parsed body. */
export function errorIn(body: unknown, nowMs = Date.now()): ErrorInBody | undefined {
  const whole: unknown = Array.isArray(body) ? body[0] : body;
  const error = errorOf(whole);
  if (error === undefined) return undefined;
  const holders = error === whole ? [whole] : [error, whole];
  const words = [...new Set(holders.flatMap((holder) => TYPE_FIELDS.flatMap((name) => wordIn(holder, name))))];
  const [type = "", ...moreTypes] = words;
  const status = holders.map(statusIn).find((code) => code !== undefined);
  const retryAfterMs = retryDelayInBody(whole, nowMs);
  const parameter = stringField(error, "param");
  const windowTokens = countIn(error, "n_ctx");
  return {
    ...(status === undefined ? {} : { status }),
    type,
    moreTypes,
    message: messageIn(error, whole),
    ...(parameter === "" ? {} : { parameter }),
    ...invalidFields(whole, error),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(windowTokens === 0 ? {} : { windowTokens }),
  };
}

/** Gateways wrap the error of another gateway once more. */
const MOST_WRAPPED = 3;

function errorOf(whole: unknown): unknown {
  let found = member(whole, "error") ?? listIn(whole, "errors")[0] ?? failedBaseResponse(whole);
  // Some servers send an empty error with every event.
  if (found === "" || found === false) return undefined;
  if (found === undefined || found === null) return isBareError(whole) ? whole : undefined;
  for (let depth = 0; depth < MOST_WRAPPED; depth++) {
    const inner = member(found, "error");
    if (typeof inner !== "object" || inner === null) break;
    found = inner;
  }
  return found;
}

/** MiniMax answers every request with a status of its own, 0 for success. */
function failedBaseResponse(whole: unknown): unknown {
  const response = member(whole, "base_resp");
  const code = member(response, "status_code");
  return typeof code === "number" && code !== 0 ? response : undefined;
}

function isBareError(whole: unknown): boolean {
  if (stringField(whole, "object") === "error" || stringField(whole, "type") === "error") return true;
  if (member(whole, "success") === false || listIn(whole, "detail").length > 0) return true;
  if (member(whole, "choices") !== undefined || member(whole, "data") instanceof Object) return false;
  const isCoded = TYPE_FIELDS.some((name) => wordIn(whole, name).length > 0) || statusIn(whole) !== undefined;
  const isWorded = MESSAGE_FIELDS.some((name) => stringField(whole, name) !== "");
  // FastAPI: {"detail":"Not Found"}.
  return (isCoded && isWorded) || stringField(whole, "detail") !== "";
}

/** Google's `status` is a word such as RESOURCE_EXHAUSTED. */
const TYPE_FIELDS = ["code", "type", "status", "error_type", "reason", "status_code", "__type", "error_code"];

const MESSAGE_FIELDS = ["message", "msg", "detail", "status_msg", "error_msg", "error_message", "error_description"];

/** Names of kinds of messages rather than of failures. */
const NOT_TYPES: ReadonlySet<string> = new Set(["error", "message", "0", "200", "ok", "failed", "false", "null"]);

function wordIn(holder: unknown, name: string): readonly string[] {
  const found = member(holder, name);
  if (typeof found !== "string" && typeof found !== "number") return [];
  const word = String(found);
  return word === "" || NOT_TYPES.has(word) || isHttpStatus(word) ? [] : [word];
}

function isHttpStatus(word: string): boolean {
  return /^[2-5]\d\d$/.test(word);
}

function statusIn(holder: unknown): number | undefined {
  const codes = ["code", "status", "status_code", "http_code"].map((name) => Number(member(holder, name)));
  return codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600);
}

function messageIn(error: unknown, whole: unknown): string {
  const told = typeof error === "string" ? error : messageField(error) || messageField(whole);
  const fields = invalidFields(whole, error)?.message ?? "";
  const message = told || fields || stringField(error, "title") || stringField(whole, "title");
  // Services in between give the upstream service's own words only here.
  const raw = stringField(member(error, "metadata"), "raw");
  if (raw === "") return message;
  const upstream = errorInBody(raw)?.message ?? "";
  return `${message}: ${upstream === "" ? raw : upstream}`;
}

function messageField(holder: unknown): string {
  for (const name of MESSAGE_FIELDS) {
    const found = member(holder, name);
    if (typeof found === "string" && found !== "") return found;
    if (typeof found === "object" && found !== null && name === "message") {
      const inner = messageField(found);
      if (inner !== "") return inner;
    }
  }
  return "";
}

/** `parameter`: path in the request of the first refused field. `message`: reasons for all of them. */
export interface InvalidFields {
  readonly parameter: string;
  readonly message: string;
}

/** Refused fields as FastAPI, and gateways built on it, report them. */
function invalidFields(...bodies: readonly unknown[]): InvalidFields | undefined {
  const holders = bodies.flatMap((body) => [body, member(body, "message")]);
  const details = holders.map((holder) => listIn(holder, "detail")).find((list) => list.length > 0) ?? [];
  const fields = details
    .filter((detail) => stringField(detail, "msg") !== "")
    .map((detail) => [pathIn(detail), stringField(detail, "msg")] as const);
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
