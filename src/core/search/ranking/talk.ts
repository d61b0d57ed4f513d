/** Tells talk from code, listings and data: only in talk does a message answer the one before it. */

import type { Message } from "../../message.ts";

/** In UTF-16 units: a message is what its beginning is. */
const READ = 4_000;
const FENCE = /^\s*(?:```|~~~)/;
/** An indented block of Markdown, in which code is quoted. */
const INDENTED = /^(?: {4}|\t)/;
const INLINE_CODE = /`[^`]*`/g;
const CODE_MARKS = /[{}()[\]<>=;_|\\/*#&$@^+~`]/g;
/** Share of a line that is code marks; a sentence with brackets and a path has less. */
const MOST_MARKS = 0.08;
const LEAST_PROSE = 0.5;

export function isTalk({ parts }: Message): boolean {
  let [prose, all] = [0, 0];
  for (const part of parts) {
    if (part.kind === "text") {
      const text = part.text.slice(0, READ);
      all += text.length;
      prose += proseUnits(text);
    } else if (part.kind === "toolResult" || part.kind === "toolCall" || part.kind === "attachment") return false;
  }
  return all > 0 && prose >= LEAST_PROSE * all;
}

function proseUnits(text: string): number {
  let units = 0;
  let isFenced = false;
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) isFenced = !isFenced;
    else if (!isFenced && !INDENTED.test(line)) {
      const words = line.replace(INLINE_CODE, "");
      const marks = words.match(CODE_MARKS)?.length ?? 0;
      if (words.trim() !== "" && marks <= MOST_MARKS * words.length) units += line.length + 1;
    }
  }
  return units;
}
