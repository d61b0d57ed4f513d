/**
 * Reads a JSON document piece by piece: one pass finds where its members and the items of its lists are, and
 * `JSON.parse` reads each when it is needed. The pieces are valid JSON if, and only if, the document is.
 */

import { parseJson } from "../json.ts";
import { err, ok, type Result } from "../result.ts";
import { ByteCursor, startOf, type DocumentText, type TextRange } from "./documentText.ts";

/** Place of a value. */
export interface ValueRange extends TextRange {
  /** Of a list: commas between items, about {@link PIECE_BYTES} apart; a longer item is between two of them. */
  readonly cuts?: readonly number[];
}

export interface JsonOutline {
  readonly value: ValueRange;
  /** Present for an object. Of equal names the last one counts. */
  readonly members?: ReadonlyMap<string, ValueRange>;
}

/** Bytes of a list that are parsed together, unless one item is longer. */
const PIECE_BYTES = 1 << 16;

/** A value that is longer is read piece by piece where it can be. */
const LONG_BYTES = 1 << 20;

export function isLonger({ start, end }: TextRange, bytes: number): boolean {
  return end - start > bytes;
}

/** The error says what is wrong; a value may still be no JSON inside, which is found when it is read. */
export function outlineOf(text: DocumentText, pieceBytes = PIECE_BYTES): Result<JsonOutline, string> {
  return outlineIn(text, { start: startOf(text), end: text.length }, pieceBytes);
}

/** Of the value in a range that has nothing else but spaces. */
export function outlineIn(text: DocumentText, range: TextRange, pieceBytes = PIECE_BYTES): Result<JsonOutline, string> {
  const cursor = new ByteCursor(text, range);
  const members = new Map<string, ValueRange>();
  skipSpace(cursor);
  const isObject = cursor.byte === OPEN_OBJECT;
  const start = cursor.at;
  if (isObject) {
    const fault = readMembers(text, cursor, { members, pieceBytes });
    if (fault !== undefined) return err(fault);
  }
  const value = isObject ? { start, end: cursor.at } : readValue(cursor, pieceBytes);
  if (value === undefined) return err(unexpected(text, cursor));
  skipSpace(cursor);
  if (cursor.byte !== -1) return err(unexpected(text, cursor));
  return ok(isObject ? { value, members } : { value });
}

export function parseRange(text: DocumentText, { start, end }: TextRange): Result<unknown, string> {
  return parseJson(text.text(start, end));
}

/** Places of the pieces of a list: each has some items, or one that is long. */
export function* pieceRanges(list: ValueRange): Generator<TextRange> {
  let start = list.start + 1;
  for (const end of [...(list.cuts ?? []), list.end - 1]) {
    yield { start, end };
    start = end + 1;
  }
}

/** Items of a list, some at a time. After an error nothing follows. */
export function* piecesOf(text: DocumentText, list: ValueRange): Generator<Result<readonly unknown[], string>> {
  for (const range of pieceRanges(list)) {
    const items = itemsIn(text, range, list);
    yield items;
    if (!items.ok) return;
  }
}

/** Items of one piece of a list. */
export function itemsIn(text: DocumentText, range: TextRange, list: ValueRange): Result<readonly unknown[], string> {
  const parsed = parseJson(`[${text.text(range.start, range.end)}]`);
  const items = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  const isWhole = items.length > 0 || (list.cuts ?? []).length === 0;
  if (parsed.ok && isWhole) return ok(items);
  return err(`${parsed.ok ? "Nothing after a comma" : parsed.error} (in what begins at byte ${range.start})`);
}

/** The first fault of JSON in any value; `undefined` for whole JSON. Values longer than `longBytes` are read in pieces. */
export function faultIn(text: DocumentText, outline: JsonOutline, longBytes = LONG_BYTES): string | undefined {
  return new FaultSearch(text, longBytes).inOutline(outline, MOST_OUTLINES);
}

/** Outlines inside each other: each reads all that is in it. */
const MOST_OUTLINES = 4;

class FaultSearch {
  readonly #text: DocumentText;
  readonly #longBytes: number;

  constructor(text: DocumentText, longBytes: number) {
    this.#text = text;
    this.#longBytes = longBytes;
  }

  inOutline({ value, members }: JsonOutline, depth: number): string | undefined {
    for (const range of members?.values() ?? [value]) {
      const fault = this.inValue(range, depth);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  inValue(range: ValueRange, depth: number): string | undefined {
    if (range.cuts === undefined) return this.#inRange(range, depth);
    for (const piece of pieceRanges(range)) {
      // One long item, unless it is nothing but spaces.
      if (this.#isOutlined(piece, depth) && this.#inRange(piece, depth) === undefined) continue;
      const items = itemsIn(this.#text, piece, range);
      if (!items.ok) return items.error;
    }
    return undefined;
  }

  #inRange(range: TextRange, depth: number): string | undefined {
    if (!this.#isOutlined(range, depth)) {
      const parsed = parseRange(this.#text, range);
      return parsed.ok ? undefined : parsed.error;
    }
    const outline = outlineIn(this.#text, range);
    return outline.ok ? this.inOutline(outline.value, depth - 1) : outline.error;
  }

  #isOutlined(range: TextRange, depth: number): boolean {
    return depth > 0 && isLonger(range, this.#longBytes);
  }
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Moves past an object; returns what is wrong with it. */
function readMembers(
  text: DocumentText,
  cursor: ByteCursor,
  { members, pieceBytes }: { readonly members: Map<string, ValueRange>; readonly pieceBytes: number },
): string | undefined {
  cursor.at++;
  skipSpace(cursor);
  if (cursor.byte === CLOSE_OBJECT) {
    cursor.at++;
    return undefined;
  }
  for (;;) {
    skipSpace(cursor);
    const start = cursor.at;
    if (cursor.byte !== QUOTE || !cursor.skipString()) return unexpected(text, cursor);
    const name = parseRange(text, { start, end: cursor.at });
    if (!name.ok || typeof name.value !== "string") return unexpected(text, cursor);
    skipSpace(cursor);
    if (cursor.byte !== COLON) return unexpected(text, cursor);
    cursor.at++;
    skipSpace(cursor);
    const value = readValue(cursor, pieceBytes);
    if (value === undefined) return unexpected(text, cursor);
    const before = members.get(name.value);
    const fault = before && new FaultSearch(text, LONG_BYTES).inValue(before, MOST_OUTLINES);
    if (fault !== undefined) return fault;
    members.set(name.value, value);
    skipSpace(cursor);
    const next = cursor.byte;
    if (next !== COMMA && next !== CLOSE_OBJECT) return unexpected(text, cursor);
    cursor.at++;
    if (next === CLOSE_OBJECT) return undefined;
  }
}

/** Moves past a value, or what looks like one; `undefined` when none is there or it has no end. */
function readValue(cursor: ByteCursor, pieceBytes: number): ValueRange | undefined {
  const start = cursor.at;
  const first = cursor.byte;
  if (first === QUOTE) return cursor.skipString() ? { start, end: cursor.at } : undefined;
  if (first !== OPEN_LIST && first !== OPEN_OBJECT) {
    while (!isDelimiter(cursor.byte)) cursor.at++;
    // The parser would pass over a mark of byte order.
    return cursor.at === start || first >= 0x80 ? undefined : { start, end: cursor.at };
  }
  const cuts: number[] = [];
  let [depth, cutAt, commaAt, last] = [0, start, start, first];
  const cut = (end: number): void => {
    if (end - commaAt > pieceBytes && commaAt > cutAt) cuts.push((cutAt = commaAt));
  };
  do {
    last = cursor.byte;
    switch (last) {
      case -1:
        return undefined;
      case QUOTE:
        if (!cursor.skipString()) return undefined;
        continue;
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
        if (depth !== 1) break;
        cut(cursor.at);
        commaAt = cursor.at;
        if (commaAt - cutAt >= pieceBytes) cuts.push((cutAt = commaAt));
        break;
    }
    cursor.at++;
  } while (depth > 0);
  cut(cursor.at - 1);
  // Other pairs of brackets that do not match are found when the value is parsed.
  if (last !== (first === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT)) return undefined;
  return first === OPEN_LIST ? { start, end: cursor.at, cuts } : { start, end: cursor.at };
}

function skipSpace(cursor: ByteCursor): void {
  while (isSpace(cursor.byte)) cursor.at++;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return byte === -1 || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte);
}

function unexpected(text: DocumentText, { at, byte }: ByteCursor): string {
  if (byte === -1) return "Unexpected end of JSON input";
  return `Unexpected ${JSON.stringify(text.text(at, Math.min(at + 12, text.length)))} at byte ${at}`;
}
