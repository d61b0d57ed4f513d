/** What a summarizer reads of the sources: who said what, long data at its head and tail, in frames that text cannot break. */

import { messageNumber } from "../../ids.ts";
import { excerpt } from "./excerpt.ts";
import type { Origin, ReadSource } from "./source.ts";

const LONGEST_UNITS: Readonly<Record<Origin, number>> = {
  user: 24_000,
  assistant: 24_000,
  summary: 48_000,
  toolCall: 4_000,
  tool: 6_000,
};

const LABELS: Readonly<Record<Origin, string>> = {
  user: "user",
  assistant: "assistant",
  summary: "earlier notes",
  toolCall: "assistant calls a tool",
  tool: "data from a tool or file",
};

/** One source as the summarizer reads it. `share` below 1 shortens every passage to that share of its usual limit. */
export function transcriptOf({ passages }: ReadSource, share = 1): string {
  return passages
    .map(({ id, origin, text }) => {
      const shown = excerpt(text, Math.floor(LONGEST_UNITS[origin] * share));
      return `[message ${messageNumber(id)}, ${LABELS[origin]}]\n${unframed(shown)}`;
    })
    .join("\n");
}

/** Puts the frame around a transcript. */
export function framed(transcript: string): string {
  return `<transcript>\n${transcript}\n</transcript>`;
}

/** Several stretches as the summarizer reads them in one request; the numbers are those of the headings that are asked for. */
export function transcriptOfStretches(transcripts: readonly string[]): string {
  return transcripts.map((text, index) => `[stretch ${index + 1}]\n${text}`).join("\n\n");
}

/** Notes on parts as the summarizer reads them when it merges them. */
export function transcriptOfNotes(notes: readonly string[]): string {
  return notes.map((text, index) => `[notes ${index + 1}]\n${unframed(text)}`).join("\n\n");
}

/** A text that can neither close the frame nor open one, and holds no line that looks like a speaker's. */
function unframed(text: string): string {
  return text.replaceAll(/<(?=\/?transcript)/gi, "‹").replaceAll(/^\[(?=(?:message|stretch) \d)/gm, "(");
}
