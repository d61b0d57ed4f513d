/** Kind of a text, as far as the tokenizers of different providers differ on it. */

import type { ContentClass, Message, Part } from "../message.ts";

/** In stored order. */
export const CONTENT_CLASSES: readonly ContentClass[] = ["prose", "code", "data", "cjk", "other"];

export type ClassCounts = Readonly<Record<ContentClass, number>>;

export const NO_CONTENT: ClassCounts = { prose: 0, code: 0, data: 0, cjk: 0, other: 0 };

const MOST_SAMPLES = 4_000;
// Minimum shares of the sampled characters. Chosen by looking at texts of each kind, not by a parameter search.
const CJK_SHARE = 0.15;
const OTHER_SHARE = 0.25;
const DIGIT_SHARE = 0.14;
const PUNCTUATION_SHARE = 0.085;

/** Class of the longest text of a message; prose when that is too short to tell. */
export function contentClassOfMessage({ parts }: Message): ContentClass {
  const longest = parts.map(textIn).reduce((one, other) => (other.length > one.length ? other : one), "");
  return longest.length < FEWEST_CHARACTERS ? "prose" : contentClassOf(longest);
}

const FEWEST_CHARACTERS = 80;

function textIn(part: Part): string {
  if (part.kind === "toolCall") return part.inputJson;
  return part.kind === "image" ? "" : part.text;
}

/** Judged by at most 4,000 evenly spread characters. */
export function contentClassOf(text: string): ContentClass {
  const samples = Math.min(text.length, MOST_SAMPLES);
  const step = Math.max(1, Math.floor(text.length / Math.max(1, samples)));
  let digits = 0;
  let punctuation = 0;
  let cjk = 0;
  let otherScripts = 0;
  for (let sample = 0; sample < samples; sample++) {
    const unit = text.charCodeAt(sample * step);
    if (unit >= 128) {
      const isCjk = (unit >= 0x2e80 && unit < 0xd7b0) || unit >= 0xff00;
      if (isCjk) cjk++;
      else otherScripts++;
    } else if (unit >= 48 && unit < 58) digits++;
    else if (unit > 32 && !isAsciiLetter(unit)) punctuation++;
  }
  if (cjk > CJK_SHARE * samples) return "cjk";
  if (otherScripts > OTHER_SHARE * samples) return "other";
  if (digits > DIGIT_SHARE * samples) return "data";
  return punctuation > PUNCTUATION_SHARE * samples ? "code" : "prose";
}

function isAsciiLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}
