/**
 * Records that are too long to be held as a whole, such as conversations of an export: their lists and objects are
 * sketched, which is their beginning, and read piece by piece.
 */

import type { LocatedValue } from "../documentReader.ts";
import type { DocumentText, TextRange } from "../documentText.ts";
import { faultIn, isLonger, outlineIn, parseRange, piecesOf, type ValueRange } from "../jsonOutline.ts";
import { optionalField, optionalItems } from "./foreignConversation.ts";

/** A member of an object. */
export interface Entry {
  readonly name: string;
  /** Reads it; each time anew where the object is long. */
  readonly read: () => LocatedValue;
}

/** The file is not what it was at the first look. */
export class ChangedWhileRead extends Error {}

const LONG_BYTES = 1 << 17;
const VERY_LONG_BYTES = 1 << 20;
/** Sketches inside each other. */
const MOST_SKETCHES = 3;
/** Members of a long object in a record of which its sketch has the values. */
const MOST_MEMBERS = 50;

export class LongRecords {
  readonly #text: DocumentText;
  readonly #longBytes: number;
  /** Places of what is sketched. */
  readonly #ranges = new WeakMap<object, ValueRange>();

  constructor(text: DocumentText, longBytes = LONG_BYTES) {
    this.#text = text;
    this.#longBytes = longBytes;
  }

  isLong(range: TextRange): boolean {
    return isLonger(range, this.#longBytes);
  }

  /** The value itself, unless it is long; `undefined` when what is long is no value. */
  record(range: ValueRange): unknown {
    return this.member(range, MOST_SKETCHES);
  }

  /** The sketch of a record that is very long and whole. */
  sketchOfVeryLong(range: ValueRange): unknown {
    if (!isLonger(range, VERY_LONG_BYTES)) return undefined;
    const outline = outlineIn(this.#text, range);
    return outline.ok && faultIn(this.#text, outline.value) === undefined ? this.record(range) : undefined;
  }

  /** The same of a member of a record: of a long object, its sketch has some values. */
  member(range: ValueRange, depth = MOST_SKETCHES - 1): unknown {
    if (!this.isLong(range) || depth === 0) return parsedRange(this.#text, range);
    const outline = outlineIn(this.#text, range);
    if (!outline.ok) return undefined;
    const { value, members } = outline.value;
    if (value.cuts !== undefined) return this.#noted(this.#beginningOf(value), value);
    if (members === undefined) return parsedRange(this.#text, value);
    const most = depth === MOST_SKETCHES ? Infinity : MOST_MEMBERS;
    const sketched = [...members].map(([name, member], index): readonly [string, unknown] => [
      name,
      index < most ? this.member(member, depth - 1) : null,
    ]);
    return this.#noted(Object.fromEntries(sketched), value);
  }

  /** All members of an object. */
  *entries(place: LocatedValue): Generator<Entry> {
    const range = this.#rangeOf(place);
    if (range === undefined) {
      const names = typeof place.value === "object" && place.value !== null ? Object.keys(place.value) : [];
      for (const name of names) yield { name, read: () => optionalField(place, name) };
      return;
    }
    const outline = outlineIn(this.#text, range);
    if (!outline.ok) throw new ChangedWhileRead();
    for (const [name, member] of outline.value.members ?? [])
      yield { name, read: () => ({ value: parsedRange(this.#text, member), path: `${place.path}.${name}` }) };
  }

  /** All items of a list. */
  *items(place: LocatedValue): Generator<LocatedValue> {
    const range = this.#rangeOf(place);
    if (range === undefined) {
      yield* optionalItems(place);
      return;
    }
    let index = 0;
    for (const piece of piecesOf(this.#text, range)) {
      if (!piece.ok) throw new ChangedWhileRead();
      for (const value of piece.value) yield { value, path: `${place.path}[${index++}]` };
    }
  }

  #beginningOf(list: ValueRange): readonly unknown[] {
    const [first] = piecesOf(this.#text, list);
    return first?.ok === true ? first.value : [];
  }

  #noted<Sketch extends object>(sketch: Sketch, range: ValueRange): Sketch {
    this.#ranges.set(sketch, range);
    return sketch;
  }

  #rangeOf({ value }: LocatedValue): ValueRange | undefined {
    return typeof value === "object" && value !== null ? this.#ranges.get(value) : undefined;
  }
}

export function parsedRange(text: DocumentText, range: TextRange): unknown {
  const parsed = parseRange(text, range);
  if (!parsed.ok) throw new ChangedWhileRead();
  return parsed.value;
}
