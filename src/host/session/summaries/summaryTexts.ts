/** Texts about automatic summaries. Pure. */

import { messageNumber } from "../../../core/ids.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import type { Action, Banner } from "../../../protocol/toView.ts";
import { localize } from "../../../protocol/localize.ts";
import { timeOfDay } from "../../../protocol/waitTime.ts";
import { formatTokens } from "../../words/formatting.ts";
import type { SummaryOffer } from "./summaryOffer.ts";

/** False while the summaries of `offer` are only planned. */
export function isWritten({ summaries }: SummaryOffer): boolean {
  return summaries.some(({ content }) => content !== undefined);
}

export function offerNotice(offer: SummaryOffer): Banner {
  const { summaries, tokensBefore, tokensAfter, isNeeded } = offer;
  const isReady = isWritten(offer);
  const ranges = rangesText(summaries.map(({ covers }) => covers));
  const [before, after] = [formatTokens(tokensBefore), formatTokens(tokensAfter)];
  const what = isReady
    ? localize("A summary of {0} is ready: {1} → {2} tokens.", ranges, before, after)
    : localize("{0} can be summarized: {1} → about {2} tokens.", capital(ranges), before, after);
  const need = isNeeded ? [localize("Without it, this message does not fit the model.")] : [];
  return {
    tone: "info",
    text: [what, ...need, localize("The originals are kept.")].join(" "),
    actions: [isReady ? USE : SUMMARIZE, ...(isReady ? [PREVIEW] : []), NOT_NOW],
  };
}

/** Shown while an offered summary is written. */
export function writingNotice(offer: SummaryOffer): Banner {
  return {
    tone: "info",
    text: isWritten(offer)
      ? localize("The summary is being written anew. Nothing is in use yet.")
      : localize("The summary is being written. Nothing is in use yet."),
    actions: [NOT_NOW],
  };
}

/** "In place of messages 1–42" */
export function placeText(covers: MessageRange): string {
  return localize("In place of {0}", rangeText(covers));
}

/** `retryAtMs`: time of the next attempt; absent when there is none. */
export function failureNotice(
  what: string,
  { isStopped, retryAtMs }: { readonly isStopped: boolean; readonly retryAtMs: number | undefined },
  nowMs: number,
): Banner {
  if (isStopped) {
    const failed = localize("Summarizing failed three times, so it is no longer tried automatically. Nothing is lost.");
    return { tone: "warning", text: `${failed} ${what}`, actions: [TRY_AGAIN] };
  }
  const when = retryAtMs === undefined ? [] : [localize("It is tried again at {0}.", timeOfDay(retryAtMs, nowMs))];
  const text = [localize("Summarizing failed. Nothing was changed."), ...when, what].join(" ");
  return { tone: "info", text, actions: [], ...(retryAtMs === undefined ? {} : { retryAtMs }) };
}

export function offerTitle(): string {
  return localize("Summary, not in use yet");
}

/** The offer as a Markdown document: the ranges, and the summaries that would stand for them. */
export function offerDocument({ summaries, tokensBefore, tokensAfter }: SummaryOffer): string {
  const [before, after] = [formatTokens(tokensBefore), formatTokens(tokensAfter)];
  const head = [
    `# ${offerTitle()}`,
    `${localize("{0} → {1} tokens.", before, after)} ${localize("The originals are kept.")}`,
  ].join("\n\n");
  const sections = summaries.map(({ covers, content, factsKept = 0, factsTotal = 0 }) => {
    const facts = factsTotal === 0 ? [] : [localize("{0} of {1} facts kept", factsKept, factsTotal)];
    const place = [placeText(covers), ...facts].join(" · ");
    return `---\n\n*${place}*\n\n${content ?? localize("Not written yet.")}`;
  });
  return `${[head, ...sections].join("\n\n")}\n`;
}

/** "messages 1–42 and 51–62", counted from 1. */
function rangesText(ranges: readonly MessageRange[]): string {
  const sorted = [...ranges].sort((one, other) => one.start - other.start);
  const joined: MessageRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last === undefined || range.start > last.end) joined.push(range);
    else if (range.end > last.end) joined.splice(-1, 1, { start: last.start, end: range.end });
  }
  if (joined.length === 1 && joined[0] !== undefined) return rangeText(joined[0]);
  const figures = joined.map(({ start, end }) => figureOf(start, end - 1));
  return localize("messages {0} and {1}", figures.slice(0, -1).join(", "), figures.at(-1) ?? "");
}

function rangeText({ start, end }: MessageRange): string {
  return end - start === 1
    ? localize("message {0}", messageNumber(start))
    : localize("messages {0}", figureOf(start, end - 1));
}

function figureOf(first: number, last: number): string {
  const [from, to] = [first, last].map((id) => String(messageNumber(id)));
  return from === to ? String(from) : `${String(from)}–${String(to)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const USE: Action = { label: localize("Use it"), command: "useSummary" };
const SUMMARIZE: Action = { label: localize("Summarize"), command: "useSummary" };
const PREVIEW: Action = { label: localize("Read it first"), command: "previewSummary" };
const NOT_NOW: Action = { label: localize("Not now"), command: "declineSummary" };
const TRY_AGAIN: Action = { label: localize("Try again"), command: "trySummaryAgain" };
