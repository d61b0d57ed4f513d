/** Retry delays as services name them: in headers, in fields of the body, or in the message only. In milliseconds. */

import { member } from "../../core/json.ts";

export interface HeaderReader {
  get(name: string): string | null;
}

/**
 * Delay from the headers: `retry-after-ms`, `Retry-After` in any form (a date is compared with the server's own `Date`
 * if sent). `undefined` when missing or unreadable.
 */
export function retryAfterMs(headers: HeaderReader, nowMs: number): number | undefined {
  const milliseconds = nonNegative(headers.get("retry-after-ms") ?? headers.get("x-ms-retry-after-ms"));
  if (milliseconds !== undefined) return Math.round(milliseconds);
  return delayIn(headers.get("retry-after") ?? "", serverTime(headers, nowMs));
}

/**
 * Delay until a used-up allowance is renewed. Of several the longest of those that are used up; of all when none is:
 * then the request alone was larger than what is left.
 */
export function rateLimitResetMs(headers: HeaderReader, nowMs: number): number | undefined {
  const timeMs = serverTime(headers, nowMs);
  const resets = ALLOWANCES.flatMap(([reset, remaining]) => {
    const delayMs = delayIn(headers.get(reset) ?? "", timeMs);
    return delayMs === undefined ? [] : [{ delayMs, isUsedUp: Number(headers.get(remaining) ?? Number.NaN) <= 0 }];
  });
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp);
  const counted = (usedUp.length > 0 ? usedUp : resets).map(({ delayMs }) => delayMs);
  return counted.length === 0 ? undefined : Math.max(...counted);
}

/** OpenAI, Groq and many more; Cerebras; OpenRouter and GitHub; IETF's draft; Anthropic. */
const ALLOWANCES: readonly (readonly [reset: string, remaining: string])[] = [
  ...["requests", "tokens", "requests-minute", "tokens-minute", "requests-hour", "requests-day", "tokens-day"].map(
    (kind) => [`x-ratelimit-reset-${kind}`, `x-ratelimit-remaining-${kind}`] as const,
  ),
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  ["ratelimit-reset", "ratelimit-remaining"],
  ...["requests", "tokens", "input-tokens", "output-tokens"].map(
    (kind) => [`anthropic-ratelimit-${kind}-reset`, `anthropic-ratelimit-${kind}-remaining`] as const,
  ),
];

function serverTime(headers: HeaderReader, nowMs: number): number {
  const serverMs = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(serverMs) ? nowMs : serverMs;
}

/** Larger numbers of seconds, and of milliseconds, are times since 1970. */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MS = 1e11;

/** A value such as `7`, `0.25`, `1m30s`, `6ms`, `1767225600`, or a date. Numbers are seconds. */
function delayIn(value: string, nowMs: number): number | undefined {
  const count = nonNegative(value);
  if (count !== undefined) {
    if (count >= FIRST_EPOCH_MS) return Math.max(0, Math.round(count - nowMs));
    if (count >= FIRST_EPOCH_SECONDS) return Math.max(0, Math.round(count * 1000 - nowMs));
    return Math.round(count * 1000);
  }
  const [span, ...more] = spansIn(value);
  const isSpan = span !== undefined && more.length === 0 && value.trim().length === span.endAt - span.startAt;
  if (isSpan) return Math.ceil(span.delayMs);
  // `Date.parse` would read a stray number as a year.
  const whenMs = /^\s*(?:[a-z]{3}|\d{4}-\d\d-\d\dT)/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(whenMs) ? undefined : Math.max(0, whenMs - nowMs);
}

function nonNegative(value: string | null): number | undefined {
  if (value === null || !/^\s*\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)) return undefined;
  return Number(value);
}

/** Most values of a body that are looked at. */
const MOST_VALUES = 200;

/** Google's RetryInfo and quota; gateways; ChatGPT's plans; OpenRouter, which passes headers on. Numbers are seconds. */
const SECONDS_FIELDS =
  /^(?:retry_?delay|retry[-_]?after(?:_?seconds|_?s)?|resets?_(?:in|after)_seconds|reset_?after|quotaResetDelay|resets?_at|wait_?seconds|x-ratelimit-reset)$/i;
const MILLISECONDS_FIELDS = /^(?:retry[-_]?after[-_]?ms|retryAfterMs|retry_delay_ms)$/i;

/** Delay from a field of the body, at any depth. */
export function retryDelayInBody(body: unknown, nowMs: number): number | undefined {
  const pending: unknown[] = [body];
  for (let looked = 0; looked < MOST_VALUES && pending.length > 0; looked++) {
    const value = pending.shift();
    if (typeof value !== "object" || value === null) continue;
    for (const name of Object.keys(value).slice(0, MOST_VALUES)) {
      const field = member(value, name);
      const isMs = MILLISECONDS_FIELDS.test(name);
      if (isMs || SECONDS_FIELDS.test(name)) {
        const told = typeof field === "number" || typeof field === "string" ? String(field) : "";
        const delayMs = isMs ? nonNegative(told) : delayIn(told, nowMs);
        if (delayMs !== undefined) return Math.round(delayMs);
      }
      pending.push(field);
    }
  }
  return undefined;
}

/** Characters of a message that are searched. */
const SEARCHED = 4_000;
/** Characters before a time span that must contain what it is for. */
const LEAD = 80;

/**
 * Delay from an error message, for services that send it nowhere else: "Please try again in 1m26.4s." (OpenAI, Groq),
 * "Please wait 3 seconds before retrying." (GitHub), "try again in 6 minutes and 30 seconds", "reset after 2h7m23s"
 * (Google), "请在 30 秒后重试".
 */
export function retryAfterInMessage(message: string, nowMs = Date.now()): number | undefined {
  const text = message.slice(0, SEARCHED);
  for (const { startAt, endAt, delayMs } of spansIn(text)) {
    const lead =
      text
        .slice(Math.max(0, startAt - LEAD), startAt)
        .split(/[.!?。！] ?(?=[A-Z\p{Lo}])/u)
        .at(-1) ?? "";
    const isAllowance = /(?:\bper|\bevery|\/)\s*$/i.test(lead);
    const isWait = WAIT_BEFORE.test(lead) || WAIT_AFTER.test(text.slice(endAt, endAt + LEAD));
    if (isWait && !isAllowance) return Math.ceil(delayMs);
  }
  const bare = /\bretry[-_ ]after["']?[ :=]{1,3}["']?(\d{1,9}(?:\.\d{1,9})?)(?![\d.]*[ \w])/i.exec(text)?.[1];
  if (bare !== undefined) return Math.ceil(Number(bare) * 1000);
  const when = /\b(?:again|retry|resets?|until)\b[^.\d]{0,40}(\d{4}-\d\d-\d\dT[\d:.]{5,18}(?:Z|[+-]\d\d:?\d\d))/i.exec(
    text,
  );
  return when?.[1] === undefined ? undefined : delayIn(when[1], nowMs);
}

const WAIT_BEFORE = /\b(?:again|retry(?:ing)?|retry[-_]?(?:after|delay|in)|wait|resets?|available|cooldown)\b/i;
const WAIT_AFTER = /^\s{0,2}(?:before (?:retry|try|you|send|mak|the next|request)|and (?:then )?(?:re)?try|后|後)/i;

interface Span {
  readonly startAt: number;
  readonly endAt: number;
  readonly delayMs: number;
}

/** Time spans such as `6 minutes and 30 seconds`, `1h2m3.5s` and `an hour`, in order. */
function spansIn(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index, 0: piece, 1: count = "1", 2: unit, 3: single = "" } of text.matchAll(PIECE)) {
    const delayMs = Number(count) * unitMs(unit ?? single);
    const last = spans.at(-1);
    const endAt = index + piece.length;
    if (last !== undefined && /^(?:,? ?(?:and )?|[零又])$/.test(text.slice(last.endAt, index))) {
      spans[spans.length - 1] = { startAt: last.startAt, endAt, delayMs: last.delayMs + delayMs };
    } else {
      spans.push({ startAt: index, endAt, delayMs });
    }
  }
  return spans;
}

const PIECE =
  /(?:(?<![\w.])|(?<=\d(?:ms|[dhms])))(?:(\d{1,12}(?:\.\d{1,12})?)[ -]?(milliseconds?|millis|msecs?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|毫秒|秒钟?|分钟|分|小时|天)|(?:an?|one) (second|minute|hour|day))(?![a-z])/gi;

function unitMs(unit: string): number {
  const name = unit.toLowerCase();
  if (/^m(?:s|illi)|毫秒/.test(name)) return 1;
  if (/^s|秒/.test(name)) return 1_000;
  if (/^m|分/.test(name)) return 60_000;
  return /^h|小时/.test(name) ? 3_600_000 : 86_400_000;
}
