/** Response headers other than the type: retry delay and request id. */

import type { ResponseInfo } from "../../core/stream/streamEvent.ts";

export interface HeaderReader {
  get(name: string): string | null;
}

/**
 * Retry delay from `retry-after-ms`, or from `Retry-After` in either form (seconds, or a date, which is compared with
 * the server's own `Date` if sent). `undefined` when missing or unreadable.
 */
export function retryAfterMs(headers: HeaderReader, nowMs: number): number | undefined {
  const milliseconds = nonNegative(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return Math.round(milliseconds);
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = nonNegative(value);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  // `Date.parse` would read a stray number as a year.
  const whenMs = /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(whenMs)) return undefined;
  const serverMs = Date.parse(headers.get("date") ?? "");
  return Math.max(0, whenMs - (Number.isNaN(serverMs) ? nowMs : serverMs));
}

function nonNegative(value: string | null): number | undefined {
  if (value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
}

/**
 * Retry delay in milliseconds from an error message, for services that send it nowhere else: "Please try again in
 * 1m26.4s." (OpenAI, Groq), "Please retry in 20.3s." (Google).
 */
export function retryAfterInMessage(message: string): number | undefined {
  const told =
    /\b(?:try again|retry) (?:in|after) ((?:[\d.]+ ?(?:ms|milliseconds?|hours?|minutes?|seconds?|[hms])[ ,]*)+)/i.exec(
      message,
    );
  if (told === null) return undefined;
  const spans = [...(told[1] ?? "").matchAll(/([\d.]+) ?(ms|milli|h|m|s)/gi)];
  const sumMs = spans.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_MS.get(unit ?? "") ?? 0), 0);
  return Number.isFinite(sumMs) ? Math.ceil(sumMs) : undefined;
}

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["milli", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Anthropic; OpenAI, vLLM, OpenRouter and most gateways; Azure. */
const ID_HEADERS = ["request-id", "x-request-id", "apim-request-id"];

/** Ignores a request id of unexpected form. */
export function readResponseInfo(status: number | undefined, headers: HeaderReader | undefined): ResponseInfo {
  const requestId = ID_HEADERS.map((name) => headers?.get(name)?.trim() ?? "").find((id) =>
    /^[\w.:/-]{1,100}$/.test(id),
  );
  return { ...(status === undefined ? {} : { status }), ...(requestId === undefined ? {} : { requestId }) };
}
