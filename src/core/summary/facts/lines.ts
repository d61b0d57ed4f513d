/** Splits a text into lines and sentences, telling prose from fenced code. */

import { placeBefore } from "../../cutText.ts";

/** A trimmed line. `language` is the info string of the fence around it, else "". */
export interface Line {
  readonly text: string;
  readonly isCode: boolean;
  readonly language: string;
}

/** Longer lines, such as minified code, are split into pieces of this length. */
const LONGEST_LINE_UNITS = 2_000;

/** Non-empty lines, without the fences themselves. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let fence: { readonly mark: string; readonly language: string } | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const mark = line.startsWith("```") ? "```" : line.startsWith("~~~") ? "~~~" : undefined;
    if (mark !== undefined && fence === undefined) {
      fence = { mark, language: line.slice(3).trim().toLowerCase() };
    } else if (line === fence?.mark) {
      fence = undefined;
    } else {
      for (let start = 0, end = 0; start < line.length; start = end) {
        end = placeBefore(line, start + LONGEST_LINE_UNITS);
        lines.push({ text: line.slice(start, end), isCode: fence !== undefined, language: fence?.language ?? "" });
      }
    }
  }
  return lines;
}

/** Sentences of the prose, verbatim, without list marks. */
export function sentencesOf(text: string): readonly string[] {
  return linesOf(text)
    .filter((line) => !line.isCode)
    .flatMap((line) => line.text.replace(LIST_MARK, "").split(BEHIND_EMOJI))
    .flatMap(sentencesOfLine);
}

const BEHIND_EMOJI =
  /(?<=(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)\p{Emoji_Modifier}?)\s+(?=[\p{Lu}\p{Lo}\p{N}"“„«「])/u;

/** `- `, `* `, `> `, `# `, `1. `, `2) `, `- [ ] ` at the start of a line. */
const LIST_MARK = /^(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+|\[[ xX]\]\s+){1,4}/;
/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|z\.B|d\.h|bzw|usw|ca|p\. ex|Mr|Mrs|Dr|St)$/i;

function sentencesOfLine(line: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    if (!endsSentence(line, start, i)) continue;
    let end = i + 1;
    while (end < line.length && CLOSING.includes(line.charAt(end))) end++;
    sentences.push(line.slice(start, end).trim());
    start = end;
    i = end - 1;
  }
  sentences.push(line.slice(start).trim());
  return sentences.filter((sentence) => sentence !== "");
}

const CLOSING = "\"'”’)]»」』";

function endsSentence(line: string, start: number, index: number): boolean {
  const character = line.charAt(index);
  if ("。！？؟।".includes(character)) return true;
  if (!".!?…".includes(character)) return false;
  let next = index + 1;
  while (next < line.length && CLOSING.includes(line.charAt(next))) next++;
  if (next < line.length && !/\s/.test(line.charAt(next))) return false;
  return character !== "." || !ABBREVIATION.test(line.slice(Math.max(start, index - 12), index));
}
