/** The answer of a local model server without a script: realistic Markdown derived from the question. */

import type { Answer } from "./script.ts";

const QUOTED_CHARS = 80;
const NOTES_WORDS = 60;

/** Notes on a transcript if there is one, else an answer of about 150 tokens that quotes the question. */
export function defaultAnswer(asked: string): Answer {
  const transcript = /<transcript>\n([^]*)\n<\/transcript>/.exec(asked)?.[1];
  return { text: transcript === undefined ? answerTo(asked) : notesOn(transcript) };
}

/** A quotation of the question's start, a list, a code block and a table. */
function answerTo(question: string): string {
  const quoted = question.replace(/\s+/g, " ").trim().slice(0, QUOTED_CHARS);
  return [
    `You asked: “${quoted}”. Here is how I would go about it.`,
    "",
    "1. Read the input **once** and keep only what is needed.",
    "2. Check every limit *before* the work begins.",
    "",
    "```ts",
    "export function clamp(value: number, low: number, high: number): number {",
    "  return Math.min(Math.max(value, low), high);",
    "}",
    "```",
    "",
    "| case | result |",
    "| --- | --- |",
    "| `clamp(7, 0, 5)` | 5 |",
    "",
    "Tell me if you want tests for it.",
  ].join("\n");
}

/** The starts of the transcript's lines under the headings of a summary. */
function notesOn(transcript: string): string {
  const said = transcript.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("["));
  const words = said.flatMap((line) => line.split(/\s+/).slice(0, 12)).slice(0, NOTES_WORDS);
  return `## Goal\n${words.slice(0, 12).join(" ")}\n\n## Current state\n${words.slice(12).join(" ")}`;
}
