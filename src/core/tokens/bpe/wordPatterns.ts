/** Word alternatives of the two pre-tokenizer patterns. */

import {
  CASELESS,
  type CharClasses,
  isSurrogate,
  LETTER,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  UPPER,
  widthAt,
} from "./charClasses.ts";

/** Returns the end of the word at `start`, or `start` when there is none; never reads at or after `limit`. */
export type WordPattern = (classes: CharClasses, text: string, start: number, limit: number) => number;

const APOSTROPHE = 39;
/** "ſ", which the providers' case-insensitive patterns match as "s". */
const LONG_S = 0x17f;
const NO_PREFIX = NUMBER | NEWLINE | LETTER;
const UPPER_PART = UPPER | CASELESS | MARK;
const LOWER_PART = LOWER | CASELESS | MARK;

/** cl100k: `'(?i:s|t|re|ve|m|ll|d)` or `[^\r\n\p{L}\p{N}]?\p{L}+` */
export function cl100kWord(classes: CharClasses, text: string, start: number, limit: number): number {
  const contractionEnd = endOfContraction(text, start, limit);
  if (contractionEnd > start) return contractionEnd;
  const flags = classes.at(text, start);
  const first = (flags & NO_PREFIX) === 0 ? start + widthAt(text, start) : start;
  const end = endOfRun(classes, text, first, limit, LETTER);
  return end > first ? end : start;
}

/**
 * o200k, two alternatives, each followed by an optional contraction:
 * A `[^\r\n\p{L}\p{N}]?[upper part]*[lower part]+`, B `[^\r\n\p{L}\p{N}]?[upper part]+[lower part]*`.
 */
export function o200kWord(classes: CharClasses, text: string, start: number, limit: number): number {
  const flags = classes.at(text, start);
  const canBeFirst = (flags & (LETTER | MARK)) !== 0;
  const afterPrefix = (flags & NO_PREFIX) === 0 ? start + widthAt(text, start) : start;
  if (afterPrefix > start && afterPrefix < limit && (classes.at(text, afterPrefix) & (LETTER | MARK)) !== 0) {
    // A with the prefix, A without it (a mark may be either), B with the prefix.
    const end =
      endOfLowered(classes, text, afterPrefix, limit) ||
      (canBeFirst && endOfLowered(classes, text, start, limit)) ||
      endOfRun(classes, text, afterPrefix, limit, UPPER_PART);
    return withContraction(text, end, limit);
  }
  if (!canBeFirst) return start;
  const end = endOfLowered(classes, text, start, limit) || endOfRun(classes, text, start, limit, UPPER_PART);
  return withContraction(text, end, limit);
}

/** `[upper part]*[lower part]+`; 0 when it does not match. */
function endOfLowered(classes: CharClasses, text: string, start: number, limit: number): number {
  const upperEnd = endOfRun(classes, text, start, limit, UPPER_PART);
  const lowerEnd = endOfRun(classes, text, upperEnd, limit, LOWER_PART);
  if (lowerEnd > upperEnd) return lowerEnd;
  // Nothing lower follows: backtrack the greedy first part to its last character that belongs to both parts.
  let end = upperEnd;
  while (end > start) {
    const unit = text.charCodeAt(end - 1);
    const isLowHalf = unit >= 0xdc00 && unit < 0xe000;
    const previous = isLowHalf && end - 2 >= start ? end - 2 : end - 1;
    if ((classes.at(text, previous) & (CASELESS | MARK)) !== 0) return end;
    end = previous;
  }
  return 0;
}

/** End of `'s 't 'm 'd 're 've 'll`, in any case, at `start`; `start` when there is none. */
function endOfContraction(text: string, start: number, limit: number): number {
  if (text.charCodeAt(start) !== APOSTROPHE || start + 1 >= limit) return start;
  switch (lowered(text.charCodeAt(start + 1))) {
    case "s":
    case "t":
    case "m":
    case "d":
      return start + 2;
    case "r":
    case "v":
      return start + 2 < limit && lowered(text.charCodeAt(start + 2)) === "e" ? start + 3 : start;
    case "l":
      return start + 2 < limit && lowered(text.charCodeAt(start + 2)) === "l" ? start + 3 : start;
    default:
      return start;
  }
}

function withContraction(text: string, end: number, limit: number): number {
  return end < limit ? endOfContraction(text, end, limit) : end;
}

/** Lower-cases ASCII letters; other characters never become one, except the long s. */
function lowered(unit: number): string {
  return unit === LONG_S ? "s" : String.fromCharCode(unit | 32);
}

/** End of the longest run of characters from `start` that have one of the `wanted` flags. */
function endOfRun(classes: CharClasses, text: string, start: number, limit: number, wanted: number): number {
  const { ofUnit } = classes;
  let end = start;
  while (end < limit) {
    const unit = text.charCodeAt(end);
    if (!isSurrogate(unit)) {
      if (((ofUnit[unit] ?? 0) & wanted) === 0) break;
      end++;
    } else {
      if ((classes.at(text, end) & wanted) === 0) break;
      end += widthAt(text, end);
    }
  }
  return end;
}
