/**
 * One JSON document that has no end, as a full disk or a broken download leaves it. What is whole before the cut is a
 * document again: the records of its conversations up to the last whole one.
 */

import { beginningOf } from "../../cutText.ts";
import { tryParseJson } from "../../json.ts";
import { ByteCursor, startOf, type DocumentText } from "../documentText.ts";
import { faultIn, outlineOf, type JsonOutline } from "../jsonOutline.ts";
import { MOST_CHARACTERS_KEPT, type DamagedLine } from "./damagedLines.ts";

export interface CutDocument {
  readonly text: DocumentText;
  readonly outline: JsonOutline;
  /** Text after the last whole record, if it is more than brackets; its line is the number of the record. */
  readonly rest?: DamagedLine;
}

/** `undefined` for what is no cut document, or has no whole record. */
export function cutDocument(text: DocumentText): CutDocument | undefined {
  const end = lastWholeRecord(text);
  if (end === undefined) return undefined;
  const closed = new ClosedText(text, end);
  const outline = outlineOf(closed);
  if (!outline.ok || faultIn(closed, outline.value) !== undefined) return undefined;
  const rest = text.text(end.at, Math.min(text.length, end.at + 4 * MOST_CHARACTERS_KEPT)).replace(/^[\s,]+/, "");
  // Lines of their own are read one by one.
  if (rest.split("\n").slice(1).some(isRecordLine)) return undefined;
  const cut: CutDocument = { text: closed, outline: outline.value };
  if (/^[\s\]},]*$/.test(rest)) return cut;
  return { ...cut, rest: { line: end.records + 1, text: beginningOf(rest, MOST_CHARACTERS_KEPT) } };
}

function isRecordLine(line: string): boolean {
  return line.startsWith("{") && typeof tryParseJson(line) === "object";
}

/** Where a document can end: after byte `at`, with the brackets that close what is open there. */
interface WholeEnd {
  readonly at: number;
  readonly closing: string;
  /** Number of whole records in the list that is cut. */
  readonly records: number;
}

/** Names of the lists, or objects, that hold the records of one conversation. */
const RECORD_LISTS = new Set([
  "messages",
  "history",
  "chat_messages",
  "mapping",
  "trajectory",
  "events",
  "items",
  "requests",
]);

interface Container {
  readonly isList: boolean;
  readonly isRecords: boolean;
  /** Whole values in it. */
  count: number;
  /** A list of records in it is whole. */
  hasRecords: boolean;
  /** Name of the value that comes next. */
  name: string;
  isNameNext: boolean;
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Deepest container whose values may be records: a list of conversations, one of them, its messages. */
const DEEPEST = 3;
const LONGEST_NAME = 100;

/** The brackets need not match: what is made of it is parsed. */
function lastWholeRecord(text: DocumentText): WholeEnd | undefined {
  const cursor = new ByteCursor(text, { start: startOf(text), end: text.length });
  const open: Container[] = [];
  let end: WholeEnd | undefined;
  const valueEnded = (): void => {
    const inner = open.at(-1);
    if (inner === undefined) return;
    inner.count++;
    if (open.length <= DEEPEST && isRecordOf(open)) {
      const closing = open.toReversed().map(({ isList }) => (isList ? "]" : "}"));
      end = { at: cursor.at, closing: closing.join(""), records: inner.count };
    }
  };
  for (;;) {
    const { byte, at } = cursor;
    const inner = open.at(-1);
    switch (byte) {
      case -1:
        return open.length === 0 ? undefined : end;
      case QUOTE:
        if (inner === undefined) return undefined;
        if (!cursor.skipString()) return end;
        if (!inner.isNameNext) valueEnded();
        else if (open.length < DEEPEST) inner.name = text.text(at + 1, Math.min(cursor.at - 1, at + LONGEST_NAME));
        continue;
      case OPEN_LIST:
      case OPEN_OBJECT: {
        const isList = byte === OPEN_LIST;
        const isRecords = inner?.isList === false && RECORD_LISTS.has(inner.name);
        open.push({ isList, isRecords, count: 0, hasRecords: false, name: "", isNameNext: !isList });
        break;
      }
      case CLOSE_LIST:
      case CLOSE_OBJECT: {
        open.pop();
        const outer = open.at(-1);
        if (outer === undefined) return undefined; // what follows is another document
        if (inner?.isRecords === true && inner.count > 0) outer.hasRecords = true;
        cursor.at++;
        valueEnded();
        continue;
      }
      case COLON:
      case COMMA:
        if (inner !== undefined) inner.isNameNext = byte === COMMA && !inner.isList;
        break;
      default:
        if (isSpace(byte)) break;
        if (inner === undefined) return undefined;
        while (!isDelimiter(cursor.byte)) cursor.at++;
        if (cursor.byte === -1) return end; // a number may go on
        valueEnded();
        continue;
    }
    cursor.at++;
  }
}

/** True if the values of the innermost container are records, or it has all of its records. */
function isRecordOf(open: readonly Container[]): boolean {
  const [outermost, second] = open;
  const inner = open.at(-1);
  if (inner === undefined || outermost === undefined) return false;
  if (open.length === 1) return inner.isList || inner.hasRecords;
  const isConversation = open.length === 2 && outermost.isList && !inner.isList;
  if (isConversation) return inner.hasRecords;
  const holder = open.length === 2 ? outermost : second;
  return inner.isRecords && holder?.isList === false && (open.length === 2 || outermost.isList);
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return byte === -1 || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte);
}

/** A text up to its last whole record, with the brackets that it lacks. */
class ClosedText implements DocumentText {
  readonly length: number;
  readonly #text: DocumentText;
  readonly #at: number;
  readonly #closing: string;

  constructor(text: DocumentText, { at, closing }: WholeEnd) {
    this.length = at + closing.length;
    this.#text = text;
    this.#at = at;
    this.#closing = closing;
  }

  read(bytes: Uint8Array, start: number): number {
    if (start < this.#at) {
      const got = this.#text.read(bytes.subarray(0, Math.min(bytes.length, this.#at - start)), start);
      // Less than asked for is the end of a file: the rest follows.
      return start + got < this.#at || got === bytes.length ? got : got + this.read(bytes.subarray(got), this.#at);
    }
    const from = start - this.#at;
    const count = Math.max(0, Math.min(bytes.length, this.#closing.length - from));
    for (let index = 0; index < count; index++) bytes[index] = this.#closing.charCodeAt(from + index);
    return count;
  }

  text(start: number, end: number): string {
    const own = start < this.#at ? this.#text.text(start, Math.min(end, this.#at)) : "";
    return own + this.#closing.slice(Math.max(0, start - this.#at), Math.max(0, end - this.#at));
  }
}
