/** Durations, costs and counts in the user's language. */

import { formatTokens as tokensInEnglish, type ContextUsage } from "../../core/context/usage/contextUsage.ts";
import { formatDecimal, formatDollars, localizedFigure } from "../../protocol/numberFormat.ts";
import { displayLanguage, localize, plural } from "../../protocol/localize.ts";

/** "2.8 s", "340 ms", "2 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${formatDecimal(durationMs / 1000, 1)} s`;
  return localize("{0} min", Math.round(durationMs / 60_000));
}

/** "just now", "2 min ago", "3 h ago", "4 days ago". */
export function formatAge(ageMs: number): string {
  const minutes = Math.floor(Math.max(0, ageMs) / 60_000);
  if (minutes < 1) return localize("just now");
  if (minutes < 60) return localize("{0} min ago", minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return localize("{0} h ago", hours);
  const days = Math.floor(hours / 24);
  return plural(days, "yesterday", "{0} days ago");
}

/** "$0.004", "$1.20", "$0" for nothing at all. */
export function formatCost(usd: number): string {
  if (usd === 0) return formatDollars(0, 0);
  if (usd < 0.001) return localize("under {0}", formatDollars(0.001, 3));
  return formatDollars(usd, usd < 0.1 ? 3 : 2);
}

/** "12 Nov, 14:03", in local time; a stored time may be no moment of a `Date`. */
export function formatDateTime(atMs: number): string {
  if (Number.isNaN(new Date(atMs).getTime())) return localize("at an unknown time");
  const language = displayLanguage();
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, MOMENT).format(atMs);
}

/** "12 Nov 2026", in local time; empty for a time that is no moment of a `Date`. */
export function formatDate(atMs: number): string {
  if (Number.isNaN(new Date(atMs).getTime())) return "";
  const language = displayLanguage();
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, DAY).format(atMs);
}

const DAY = { day: "numeric", month: "short", year: "numeric" } as const;

const MOMENT = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;

/** `999`, `2.1k`, `129k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  return localizedFigure(tokensInEnglish(tokens));
}

/** `2.1k / 129k (2%)`, followed by ` [2S]` when two summaries are sent. */
export function formatUsage(usage: ContextUsage): string {
  return localizedFigure(usage.formatCompact());
}

/** "340 bytes" as "1 kB", "2.1 MB". */
export function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${formatDecimal(bytes / 1e6, 1)} MB`;
}
