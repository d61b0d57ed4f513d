/** What a local model server says when nobody scripted an answer: realistic Markdown that repeats a piece of the question. */

import type { Answer } from "./script.ts";

const QUOTED_CHARS = 80;

/** An answer to `question`: a quotation of its beginning, a list, a table and a code block, in about 150 tokens. */
export function defaultAnswer(question: string): Answer {
  const quoted = question.replace(/\s+/g, " ").trim().slice(0, QUOTED_CHARS);
  const text = [
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
  return { text };
}
