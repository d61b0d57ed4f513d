/**
 * The records of another tool's file: one JSON document, whole or cut, JSON Lines, or a damaged one of them. What cannot be
 * read costs itself alone. Each look at the records reads the file anew, in linear time, and holds one of them.
 */

import { beginningOf } from "../../cutText.ts";
import { parseJson, tryParseJson } from "../../json.ts";
import type { LocatedValue } from "../documentReader.ts";
import { ByteCursor, type DocumentText, type TextRange } from "../documentText.ts";
import { ok } from "../../result.ts";
import { faultIn, itemsIn, pieceRanges, piecesOf, type JsonOutline, type ValueRange } from "../jsonOutline.ts";
import { brokenRecord } from "./brokenLines.ts";
import { cutDocument } from "./cutDocument.ts";
import { MOST_CHARACTERS_KEPT, type DamagedLine, type DamagedLines } from "./damagedLines.ts";
import { ChangedWhileRead, LongRecords, parsedRange } from "./longRecords.ts";

export interface ForeignRecord extends LocatedValue {
  readonly line: number;
}

const BEGINNING = 4_096;

/** Records that most formats are recognized by: a mark may follow lines of other kinds. */
export const LOOKED_AT = 50;

interface FirstValues {
  readonly values: readonly unknown[];
  readonly isAll: boolean;
}

export class ForeignFile {
  /** The first characters, for formats that are not JSON. */
  readonly beginning: string;
  /** Text after the last whole record of a document that is cut. */
  readonly rest: DamagedLine | undefined;
  readonly #text: DocumentText;
  /** `undefined` when the file is no JSON document. */
  readonly #outline: JsonOutline | undefined;
  /** Reads what {@link conversations} sketched. */
  readonly long: LongRecords;
  /** Held while the format is sought. */
  #first: FirstValues | undefined;

  constructor(text: DocumentText, outline: JsonOutline | undefined, longBytes?: number) {
    const isWhole = outline !== undefined && faultIn(text, outline) === undefined;
    const cut = isWhole ? undefined : cutDocument(text);
    this.#text = cut?.text ?? text;
    this.long = new LongRecords(this.#text, longBytes);
    this.#outline = isWhole ? outline : cut?.outline;
    this.rest = cut?.rest;
    this.beginning = text
      .text(0, Math.min(BEGINNING, text.length))
      .replace(/^\uFEFF+/, "")
      .trimStart();
  }

  /** One JSON list. */
  get isList(): boolean {
    return this.#outline?.value.cuts !== undefined;
  }

  /** A list that is cut, or has an item that is damaged. */
  get isDamagedList(): boolean {
    return this.#outline === undefined && this.beginning.startsWith("[");
  }

  /**
   * Items of the document where it is a list, else one value a line. Of a very long line that `isSketched` accepts by
   * its sketch, only that is read.
   */
  *records(damaged?: DamagedLines, isSketched?: (sketch: unknown) => boolean): Generator<ForeignRecord> {
    const outline = this.#outline;
    if (outline === undefined)
      yield* this.isDamagedList ? this.#damagedItems(damaged) : this.#lines(damaged, isSketched);
    else if (this.isList) yield* this.#items(outline.value, "document");
    else yield { value: parsedRange(this.#text, outline.value), path: "line 1", line: 1 };
  }

  /** Like {@link records}, with long ones sketched: their lists and objects are read by {@link long}. */
  *conversations(damaged: DamagedLines): Generator<ForeignRecord> {
    const outline = this.#outline;
    if (outline === undefined) yield* this.records(damaged);
    else if (this.isList) yield* this.#sketches(outline.value);
    else yield { value: this.long.record(outline.value), path: "line 1", line: 1 };
  }

  /** True if one of the first `most` records is accepted; of one large object, only the beginnings of lists are seen. */
  has(accepts: (value: unknown) => boolean, most = Infinity): boolean {
    this.#first ??= this.#firstValues();
    const { values, isAll } = this.#first;
    if (values.some(accepts)) return true;
    if (isAll || most <= values.length) return false;
    for (const { value } of this.records()) if (accepts(value)) return true;
    return false;
  }

  #firstValues(): FirstValues {
    const members = this.#outline?.members;
    if (members !== undefined) return { values: [this.#sketchOf(members)], isAll: true };
    const values: unknown[] = [];
    const list = this.isList ? this.#outline?.value : undefined;
    for (const { value } of list === undefined ? this.records() : this.#sketches(list)) {
      if (values.length === LOOKED_AT) return { values, isAll: false };
      values.push(value);
    }
    return { values, isAll: true };
  }

  /** Of a file that is no JSON. */
  *textLines(): Generator<string> {
    for (const cursor = new ByteCursor(this.#text); cursor.at < this.#text.length; cursor.at++) {
      const start = cursor.at;
      cursor.find(NEW_LINE);
      yield this.#text.text(start, cursor.at).replace(/\r$/, "");
    }
  }

  /** Call when the format is known. */
  forgetFirst(): void {
    this.#first = undefined;
  }

  /** A field of the one object that the file is. */
  field(name: string): LocatedValue {
    const range = this.#outline?.members?.get(name);
    return { value: range && parsedRange(this.#text, range), path: `document.${name}` };
  }

  /** Items of a list in the one object that the file is; `undefined` when there is none. */
  list(name: string): Iterable<LocatedValue> | undefined {
    const range = this.#outline?.members?.get(name);
    return range?.cuts === undefined ? undefined : this.#items(range, `document.${name}`);
  }

  #sketchOf(members: ReadonlyMap<string, ValueRange>): unknown {
    const fields = [...members].map(([name, range]): readonly [string, unknown] => {
      if (range.cuts === undefined) return [name, this.long.member(range)];
      if (range.cuts.length === 0) return [name, parsedRange(this.#text, range)];
      const [first] = piecesOf(this.#text, range);
      return [name, first?.ok === true ? first.value : []];
    });
    return Object.fromEntries(fields);
  }

  *#items(list: ValueRange, path: string): Generator<ForeignRecord> {
    let index = 0;
    for (const piece of piecesOf(this.#text, list)) {
      if (!piece.ok) throw new ChangedWhileRead();
      for (const value of piece.value) {
        yield { value, path: `${path}[${index}]`, line: index + 1 };
        index++;
      }
    }
  }

  *#sketches(list: ValueRange): Generator<ForeignRecord> {
    let index = 0;
    for (const piece of pieceRanges(list)) {
      const one = this.long.isLong(piece) ? this.long.record(piece) : undefined;
      const items = one === undefined ? itemsIn(this.#text, piece, list) : ok([one]);
      if (!items.ok) throw new ChangedWhileRead();
      for (const value of items.value) yield { value, path: `document[${index}]`, line: ++index };
    }
  }

  *#lines(
    damaged: DamagedLines | undefined,
    isSketched: ((sketch: unknown) => boolean) | undefined,
  ): Generator<ForeignRecord> {
    const text = this.#text;
    const cursor = new ByteCursor(text);
    for (let line = 1; cursor.at < text.length; line++) {
      const start = cursor.at;
      cursor.find(NEW_LINE);
      const range = { start, end: cursor.at };
      cursor.at++;
      const sketch = isSketched === undefined ? undefined : this.long.sketchOfVeryLong(range);
      if (sketch !== undefined && isSketched?.(sketch) === true) {
        yield { value: sketch, path: `line ${line}`, line };
        continue;
      }
      const content = withoutFiller(text.text(range.start, range.end));
      if (content === "") continue;
      // Most lines of a text that is no JSON need not be tried.
      if (!content.includes("{") && !JSON_START.test(content)) {
        damaged?.add({ line, text: beginningOf(content, MOST_CHARACTERS_KEPT) });
        continue;
      }
      const path = `line ${line}`;
      const parsed = parseJson(content);
      if (parsed.ok) {
        yield { value: parsed.value, path, line };
        continue;
      }
      const broken = brokenRecord(text, range);
      if (broken !== undefined) {
        yield { value: broken.value, path, line };
        cursor.at = broken.end + 1;
        line += broken.lines - 1;
        continue;
      }
      const objects = objectsIn(text, range, isLineRecord);
      for (;;) {
        const step = objects.next();
        if (step.done !== true) yield { value: step.value, path, line };
        else {
          if (step.value !== "") damaged?.add({ line, text: step.value });
          break;
        }
      }
    }
  }

  *#damagedItems(damaged: DamagedLines | undefined): Generator<ForeignRecord> {
    const text = this.#text;
    const cursor = new ByteCursor(text);
    cursor.find(OPEN_LIST);
    const objects = objectsIn(text, { start: cursor.at + 1, end: text.length }, isListRecord);
    for (let index = 0; ; index++) {
      const step = objects.next();
      if (step.done !== true) {
        yield { value: step.value, path: `document[${index}]`, line: index + 1 };
        continue;
      }
      const rest = step.value.replace(/^[\s,]+/, "");
      if (!/^[\s,\]]*$/.test(rest)) damaged?.add({ line: index + 1, text: rest });
      return;
    }
  }
}

const [NEW_LINE, QUOTE, OPEN_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x0a, 0x22, 0x5b, 0x7b, 0x7d];

/** The beginning of a value that is no object. */
const JSON_START = /^(?:[["\d]|-\d|true|false|null)/;

/** Without what power cuts and concatenation leave around a record. */
function withoutFiller(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && isFiller(line.charCodeAt(start))) start++;
  while (end > start && isFiller(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isFiller(code: number): boolean {
  return code <= 0x20 || code === 0xfeff;
}

/** The whole objects in a damaged text that `isRecord` accepts, in order; returns the text around them. */
function* objectsIn(
  text: DocumentText,
  { start: first, end: last }: TextRange,
  isRecord: (value: unknown) => boolean,
): Generator<unknown, string> {
  let rest = "";
  const keep = (start: number, end: number): void => {
    const left = MOST_CHARACTERS_KEPT - rest.length;
    if (left > 0) rest += beginningOf(text.text(start, Math.min(end, start + 4 * left)), left);
  };
  let at = first;
  const cursor = new ByteCursor(text, { start: first, end: last });
  // Each failed start costs a scan of what follows: bounded in all.
  let budget = 4 * (last - first) + 1_000_000;
  while (at < last && budget > 0) {
    cursor.at = at;
    cursor.find(OPEN_OBJECT);
    const start = cursor.at;
    if (start === last) break;
    const isWhole = skipObject(cursor);
    budget -= cursor.at - start;
    const value = isWhole ? tryParseJson(text.text(start, cursor.at)) : undefined;
    if (isWhole && isRecord(value)) {
      keep(at, start);
      yield value;
      at = cursor.at;
    } else {
      keep(at, start + 1);
      at = start + 1;
    }
  }
  keep(at, last);
  return withoutFiller(rest);
}

/** Moves past the brace that closes the one at the cursor; false when none does. */
function skipObject(cursor: ByteCursor): boolean {
  let depth = 0;
  for (;;) {
    switch (cursor.byte) {
      case -1:
        return false;
      case QUOTE:
        if (!cursor.skipString()) return false;
        continue;
      case OPEN_OBJECT:
        depth++;
        break;
      case CLOSE_OBJECT:
        depth--;
        break;
    }
    cursor.at++;
    if (depth === 0) return true;
  }
}

/** A record of its own, not an object inside one that is cut. */
function isLineRecord(value: unknown): boolean {
  return isObjectWith(value, "type") && ["uuid", "message", "sessionId", "timestamp"].some((name) => name in value);
}

/** A message, an event, or a conversation of an export. */
function isListRecord(value: unknown): boolean {
  return (
    isObjectWith(value, "role", "content") ||
    isObjectWith(value, "type", "ts") ||
    isObjectWith(value, "source", "timestamp") ||
    isObjectWith(value, "mapping") ||
    isObjectWith(value, "chat_messages")
  );
}

export function isObjectWith<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Record<Name, unknown> {
  return typeof value === "object" && value !== null && names.every((name) => name in value);
}
