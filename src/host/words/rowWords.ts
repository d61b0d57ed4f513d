/** Times as the chat says them. */

import { localize, plural } from "../../protocol/localize.ts";

/** "2.8 s", "340 ms", "2 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
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
  if (usd === 0) return "$0";
  if (usd < 0.001) return localize("under $0.001");
  return usd < 0.1 ? `$${usd.toFixed(3)}` : `$${usd.toFixed(2)}`;
}

/** "12 Nov, 14:03", in the time of this machine. */
export function formatMoment(atMs: number): string {
  return MOMENT.format(atMs);
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
