/**
 * Reads a JSON document piece by piece: one pass finds where its members and the items of its lists are, and
 * `JSON.parse` reads each when it is needed. The pieces are valid JSON if, and only if, the document is.
 */

import { parseJson } from "../json.ts";
import { err, ok, type Result } from "../result.ts";
import { ByteCursor, startOf, type DocumentText, type TextRange } from "./documentText.ts";

/** Place of a value. */
export interface ValueRange extends TextRange {
  /** Of a list: commas between items, about {@link PIECE_BYTES} apart. */
  readonly cuts?: readonly number[];
}

export interface JsonOutline {
  readonly value: ValueRange;
  /** Present for an object. Of equal names the last one counts. */
  readonly members?: ReadonlyMap<string, ValueRange>;
}

/** Bytes of a list that are parsed together, unless one item is longer. */
const PIECE_BYTES = 1 << 16;

/** The error says what is wrong; a value may still be no JSON inside, which is found when it is read. */
export function outlineOf(text: DocumentText, pieceBytes = PIECE_BYTES): Result<JsonOutline, string> {
  const cursor = new ByteCursor(text, { start: startOf(text), end: text.length });
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

/** Items of a list, some at a time. After an error nothing follows. */
export function* piecesOf(text: DocumentText, list: ValueRange): Generator<Result<readonly unknown[], string>> {
  const ends = [...(list.cuts ?? []), list.end - 1];
  let start = list.start + 1;
  for (const end of ends) {
    const parsed = parseJson(`[${text.text(start, end)}]`);
    const items = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
    if (!parsed.ok || (items.length === 0 && ends.length > 1)) {
      yield err(`${parsed.ok ? "Nothing after a comma" : parsed.error} (in what begins at byte ${start})`);
      return;
    }
    yield ok(items);
    start = end + 1;
  }
}

/** The first fault of JSON in any value; `undefined` for whole JSON. */
export function faultIn(text: DocumentText, { value, members }: JsonOutline): string | undefined {
  for (const range of members?.values() ?? [value]) {
    const fault = faultInValue(text, range);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultInValue(text: DocumentText, range: ValueRange): string | undefined {
  if (range.cuts === undefined) {
    const parsed = parseRange(text, range);
    return parsed.ok ? undefined : parsed.error;
  }
  for (const piece of piecesOf(text, range)) if (!piece.ok) return piece.error;
  return undefined;
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
    const fault = before && faultInValue(text, before);
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
  let [depth, cutAt, last] = [0, start, first];
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
        if (depth === 1 && cursor.at - cutAt >= pieceBytes) cuts.push((cutAt = cursor.at));
        break;
    }
    cursor.at++;
  } while (depth > 0);
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
