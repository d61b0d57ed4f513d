/** Words for a time that is waited for: "14:05", "in 59 minutes". Shared by host and webview. */

import { displayLanguage, localize, plural } from "./localize.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Local time of day, with seconds for a wait of less than a minute and the date for one of a day or longer. Never before
 * `atMs`: who comes back then must not be early.
 */
export function timeOfDay(atMs: number, nowMs: number): string {
  const waitMs = atMs - nowMs;
  const stepMs = waitMs < MINUTE_MS ? SECOND_MS : MINUTE_MS;
  const language = displayLanguage();
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    hour: "2-digit",
    minute: "2-digit",
    ...(waitMs < MINUTE_MS ? { second: "2-digit" } : {}),
    ...(waitMs < DAY_MS ? {} : { day: "numeric", month: "short" }),
  });
  return format.format(Math.ceil(atMs / stepMs) * stepMs);
}

/** "in 17 seconds", "in 59 minutes", "in 2 h 5 min", "now". */
export function timeLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / SECOND_MS);
  if (seconds <= 0) return localize("now");
  if (seconds < 60) return plural(seconds, "in 1 second", "in {0} seconds");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return plural(minutes, "in 1 minute", "in {0} minutes");
  return localize("in {0} h {1} min", Math.floor(minutes / 60), minutes % 60);
}

/** Milliseconds until {@link timeLeft} reads differently; `undefined` at the end. */
export function nextChangeMs(leftMs: number): number | undefined {
  if (leftMs <= 0) return undefined;
  const stepMs = leftMs <= MINUTE_MS ? SECOND_MS : MINUTE_MS;
  return leftMs % stepMs === 0 ? stepMs : leftMs % stepMs;
}
