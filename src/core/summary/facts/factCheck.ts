/** Checks whether a text states a fact verbatim. */

import type { FactKind } from "./fact.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";

/** A text prepared for many lookups. White space and the shape of quotation marks and apostrophes are ignored. */
export class CheckedText {
  readonly #normalized: string;

  /** `isNormalized`: already normalized by {@link normalize}, which takes time. */
  constructor(text: string, isNormalized = false) {
    this.#normalized = isNormalized ? text : normalize(text);
  }

  static *of(texts: Iterable<string>): CooperativeTask<CheckedText> {
    const slice = new Slice(UNITS_A_SLICE);
    const pieces: string[] = [];
    for (const text of texts) {
      pieces.push(normalize(text));
      if (slice.isOver(text.length)) yield;
    }
    return new CheckedText(pieces.join(" "), true);
  }

  /** Whether the text contains the fact; names, paths and numbers only as whole words. */
  states({ kind, text }: { readonly kind: FactKind; readonly text: string }): boolean {
    const wanted = normalizedOnce(text);
    if (wanted === "") return true;
    return isSentence(kind) ? this.#normalized.includes(wanted) : this.#hasWord(wanted);
  }

  /** Whether it occurs without a letter or digit directly before or after. */
  #hasWord(wanted: string): boolean {
    for (let at = this.#normalized.indexOf(wanted); at >= 0; at = this.#normalized.indexOf(wanted, at + 1)) {
      const before = this.#normalized.charAt(at - 1);
      const behind = this.#normalized.charAt(at + wanted.length);
      const isBounded =
        (!WORD.test(before) || !WORD.test(wanted.charAt(0))) && (!WORD.test(behind) || !WORD.test(wanted.slice(-1)));
      if (isBounded && !continuesNumber(this.#normalized, at, wanted)) return true;
    }
    return false;
  }
}

const UNITS_A_SLICE = 100_000;
const WORD = /[\p{L}\p{N}_]/u;

/** "12" does not match in "3.12" or "12.5". */
function continuesNumber(text: string, at: number, wanted: string): boolean {
  const digitDot = /\d[.,]$/.test(text.slice(Math.max(0, at - 2), at)) && /^\d/.test(wanted);
  const dotDigit = /^[.,]\d/.test(text.slice(at + wanted.length, at + wanted.length + 2)) && /\d$/.test(wanted);
  return digitDot || dotDigit;
}

const SENTENCES: ReadonlySet<FactKind> = new Set([
  "message",
  "directive",
  "decision",
  "error",
  "quote",
  "command",
  "remark",
]);

function isSentence(kind: FactKind): boolean {
  return SENTENCES.has(kind);
}

/** One-entry cache: the same fact is looked up in hundreds of texts in a row. */
const lastLookup = { text: "", normalized: "" };

function normalizedOnce(text: string): string {
  if (text !== lastLookup.text) {
    lastLookup.normalized = normalize(text);
    lastLookup.text = text;
  }
  return lastLookup.normalized;
}

/** Anything that normalizing changes; most words have none of it. */
const UNUSUAL = /^\s|\s$|\s\s|[^\S ]|[‘’‚“”„]/;

/** Collapses white space and straightens quotation marks. */
export function normalize(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text.replaceAll(/\s+/g, " ").replaceAll(/[‘’‚]/g, "'").replaceAll(/[“”„]/g, '"').trim();
}
