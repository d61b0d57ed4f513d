/**
 * Compares texts with characters taken as equal that readers, and models, take for each other: blanks, quotation marks,
 * dashes, wide forms, and letters that are composed in one text and decomposed in the other; and with blanks at the ends
 * of lines left out, which nobody sees.
 */

import { codeOf } from "../../../protocol/hiddenSequence.ts";

/** A piece of text whose folded form differs, by the offsets of both. */
interface FoldedPiece {
  readonly start: number;
  readonly end: number;
  readonly foldedStart: number;
  readonly foldedEnd: number;
}

const BLANKS = "\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
const SINGLE_QUOTES = "\\u2018-\\u201b\\u2032\\u02bc";
const DOUBLE_QUOTES = "\\u201c-\\u201f\\u2033";
const DASHES = "\\u2010-\\u2015\\u2212\\ufe58\\ufe63";
/** Not visible at all. */
const NO_WIDTH = "\\u00ad\\u200b\\u2060\\ufeff";
const WIDE = "\\uff01-\\uff5e";
/** Characters that are another one in the composed form of Unicode, and so without marks. */
const SAME_AS_OTHERS = "\\u2126\\u212a\\u212b\\u037e\\u0387\\u1fef\\uf900-\\ufaff\\u{2f800}-\\u{2fa1f}";
/** Hangul vowels and final consonants, which join the letter before them. */
const JOINING = "\\p{M}\\u1160-\\u11ff";

const FOLDED = new RegExp(
  `[^${JOINING}][${JOINING}]+|(?<![ \\t])[ \\t]+(?=\\n|$)|[\\u2026${BLANKS}${SINGLE_QUOTES}${DOUBLE_QUOTES}${DASHES}${NO_WIDTH}${WIDE}${SAME_AS_OTHERS}]`,
  "gu",
);

const FORMS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`[${BLANKS}]`, "gu"), " "],
  [new RegExp(`[${SINGLE_QUOTES}]`, "gu"), "'"],
  [new RegExp(`[${DOUBLE_QUOTES}]`, "gu"), '"'],
  [new RegExp(`[${DASHES}]`, "gu"), "-"],
  [new RegExp(`[${NO_WIDTH}]`, "gu"), ""],
  [/\u2026/g, "..."],
];
const WIDE_FORM = new RegExp(`[${WIDE}]`, "gu");
/** Distance of a wide form from its ASCII character. */
const WIDE_DISTANCE = 0xfee0;

export class FoldedText {
  readonly text: string;
  readonly #pieces: readonly FoldedPiece[];

  constructor(original: string) {
    const parts: string[] = [];
    const pieces: FoldedPiece[] = [];
    let at = 0;
    let length = 0;
    for (const { 0: piece, index } of original.matchAll(FOLDED)) {
      const folded = foldedForm(piece);
      if (folded === piece) continue;
      parts.push(original.slice(at, index), folded);
      const foldedStart = length + index - at;
      at = index + piece.length;
      length = foldedStart + folded.length;
      pieces.push({ start: index, end: at, foldedStart, foldedEnd: length });
    }
    this.text = [...parts, original.slice(at)].join("");
    this.#pieces = pieces;
  }

  /** Place in the original text, after characters without width; `undefined` within a character that was folded. */
  startOf(folded: number): number | undefined {
    const piece = this.#lastPiece(({ foldedStart }) => foldedStart <= folded);
    return piece?.foldedStart === folded && piece.foldedEnd > folded ? piece.start : placeAfter(piece, folded);
  }

  /** The same, before characters without width. */
  endOf(folded: number): number | undefined {
    return placeAfter(
      this.#lastPiece(({ foldedStart }) => foldedStart < folded),
      folded,
    );
  }

  /** Place in the folded text; `undefined` within a character that was folded. */
  foldedOf(original: number): number | undefined {
    const piece = this.#lastPiece(({ start }) => start < original);
    if (piece === undefined) return original;
    return original < piece.end ? undefined : piece.foldedEnd + original - piece.end;
  }

  #lastPiece(isBefore: (piece: FoldedPiece) => boolean): FoldedPiece | undefined {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const piece = this.#pieces[middle];
      if (piece !== undefined && isBefore(piece)) low = middle + 1;
      else high = middle;
    }
    return this.#pieces[low - 1];
  }
}

function placeAfter(piece: FoldedPiece | undefined, folded: number): number | undefined {
  if (piece === undefined) return folded;
  return folded < piece.foldedEnd ? undefined : piece.end + folded - piece.foldedEnd;
}

/** The first characters that differ though they look alike, as `U+00A0`; `undefined` where the texts are equal. */
export function firstDifference(one: string, other: string): readonly [string, string] | undefined {
  const [ones, others] = [Array.from(one), Array.from(other)];
  const at = ones.findIndex((character, index) => character !== others[index]);
  if (at < 0 && ones.length === others.length) return undefined;
  const place = at < 0 ? ones.length : at;
  return [named(ones[place]), named(others[place])];
}

function foldedForm(piece: string): string {
  if (/^[ \t]+$/.test(piece)) return ""; // at the end of a line
  let folded = piece.normalize("NFC");
  for (const [pattern, form] of FORMS) folded = folded.replace(pattern, form);
  return folded.replace(WIDE_FORM, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_DISTANCE));
}

function named(character: string | undefined): string {
  return character === undefined ? "nothing" : codeOf(character);
}
