/** What the chat says of summaries that are made by themselves. Pure. */

import { formatTokens } from "../core/context/contextUsage.ts";
import type { MessageRange } from "../core/history/summary.ts";
import type { Action, Banner } from "../protocol/toView.ts";
import { formatDuration } from "./rowWords.ts";
import type { SummaryOffer } from "./summaryOffer.ts";

/** The question before a summary is used that the user did not ask for. */
export function offerNotice({ parts, tokensBefore, tokensAfter, isNeeded }: SummaryOffer): Banner {
  const isWritten = parts.some(({ content }) => content !== undefined);
  const change = `${formatTokens(tokensBefore)} → ${isWritten ? "" : "about "}${formatTokens(tokensAfter)} tokens`;
  const what = isWritten
    ? `A summary of ${rangesText(parts.map(({ covers }) => covers))} is ready: ${change}.`
    : `${capital(rangesText(parts.map(({ covers }) => covers)))} can be summarized: ${change}.`;
  const need = isNeeded ? " Without it, this message does not fit the model." : "";
  return {
    tone: "info",
    text: `${what}${need} The originals are kept.`,
    actions: [isWritten ? USE : SUMMARIZE, ...(isWritten ? [PREVIEW] : []), NOT_NOW],
  };
}

/** What is said when summarizing failed; `inMs`: when it is tried again. */
export function triesNotice(what: string, isStopped: boolean, inMs: number | undefined): Banner {
  if (isStopped) {
    const text = `Summarizing failed three times, so it is not tried by itself any more. Everything is kept. ${what}`;
    return { tone: "warning", text, actions: [TRY_AGAIN] };
  }
  const when = inMs === undefined ? "" : ` It is tried again in ${formatDuration(inMs)}.`;
  return { tone: "info", text: `Summarizing failed. Nothing was changed.${when} ${what}`, actions: [] };
}

/** The offer as a document: what would be covered, and the words that would stand for it. */
export function offerDocument({ parts, tokensBefore, tokensAfter }: SummaryOffer): string {
  const head = `# Summary, not in use yet\n\n${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens. The originals are kept.`;
  const sections = parts.map(({ covers, content, factsKept = 0, factsTotal = 0 }) => {
    const facts = factsTotal === 0 ? "" : ` · ${String(factsKept)} of ${String(factsTotal)} facts kept`;
    return `---\n\n*In place of ${rangeText(covers)}${facts}*\n\n${content ?? "Not written yet."}`;
  });
  return `${[head, ...sections].join("\n\n")}\n`;
}

/** "messages 0–41 and 50–61", as the messages are numbered. */
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
  return `messages ${figures.slice(0, -1).join(", ")} and ${figures.at(-1) ?? ""}`;
}

function rangeText({ start, end }: MessageRange): string {
  return end - start === 1 ? `message ${String(start)}` : `messages ${figureOf(start, end - 1)}`;
}

function figureOf(first: number, last: number): string {
  return first === last ? String(first) : `${String(first)}–${String(last)}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const USE: Action = { label: "Use it", command: "useSummary" };
const SUMMARIZE: Action = { label: "Summarize", command: "useSummary" };
const PREVIEW: Action = { label: "Read it first", command: "previewSummary" };
const NOT_NOW: Action = { label: "Not now", command: "declineSummary" };
const TRY_AGAIN: Action = { label: "Try again", command: "trySummaryAgain" };
