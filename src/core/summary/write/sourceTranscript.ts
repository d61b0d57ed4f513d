/** Transcript of the sources: speakers, long data cut to head and tail, in frames that text cannot break. */

import { messageNumber } from "../../ids.ts";
import type { FactKind } from "../facts/fact.ts";
import { readLedger, writeLedger } from "../facts/ledger.ts";
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

/**
 * `share` below 1 shortens every passage to that share of its usual limit. `isBrief`: without the facts below earlier
 * summaries.
 */
export function transcriptOf(
  { passages, isIncomplete = false }: ReadSource,
  { share = 1, isBrief = false }: { readonly share?: number; readonly isBrief?: boolean } = {},
): string {
  return passages
    .map(({ id, origin, text }) => {
      const told = isBrief && origin === "summary" ? withoutFacts(text) : text;
      const shown = excerpt(told, Math.floor(LONGEST_UNITS[origin] * share));
      const end = isIncomplete && origin === "assistant" ? ", cut off before its end" : "";
      return `[message ${messageNumber(id)}, ${LABELS[origin]}${end}]\n${unframed(shown)}`;
    })
    .join("\n");
}

/**
 * Without the facts of its ledger: a program carries them over word for word, so a model need not read them again, nor
 * copy them. What the user said stays: a model recognizes rules in it that the program does not. A summary of nothing else is shown whole.
 */
function withoutFacts(summary: string): string {
  const { facts, rest } = readLedger(summary);
  const said = writeLedger(facts.filter(({ kind }) => SAID_BY_USER.has(kind)));
  const notes = [rest.trim(), said].filter((part) => part !== "").join("\n\n");
  return notes === "" ? summary : notes;
}

const SAID_BY_USER: ReadonlySet<FactKind> = new Set(["directive", "message", "remark"]);

export function framed(transcript: string): string {
  return `<transcript>\n${transcript}\n</transcript>`;
}

/** Several batches in one request; the numbers match the requested headings. */
export function transcriptOfBatches(transcripts: readonly string[]): string {
  return transcripts.map((text, index) => `[stretch ${index + 1}]\n${text}`).join("\n\n");
}

export function transcriptOfNotes(notes: readonly string[]): string {
  return notes.map((text, index) => `[notes ${index + 1}]\n${unframed(text)}`).join("\n\n");
}

/** Escapes frame tags and lines that look like a speaker's. */
function unframed(text: string): string {
  return text.replaceAll(/<(?=\/?transcript)/gi, "‹").replaceAll(/^\[(?=(?:message|stretch) \d)/gm, "(");
}
