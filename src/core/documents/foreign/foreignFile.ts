/**
 * The records of another tool's file: one whole JSON document, JSON Lines, or a damaged one of them. What cannot be
 * read costs itself alone. Takes time linear in the text.
 */

import { parseJson, tryParseJson } from "../../json.ts";
import type { LocatedValue } from "../documentReader.ts";
import type { DamagedLine } from "./foreignConversation.ts";

export interface ForeignFile {
  /** The whole file; `undefined` when it is no JSON document. */
  readonly document: unknown;
  /** Items of the document where it is a list, else one value a line. */
  readonly records: readonly ForeignRecord[];
  readonly damaged: readonly DamagedLine[];
  /** For formats that are not JSON. */
  readonly beginning: string;
}

export interface ForeignRecord extends LocatedValue {
  readonly line: number;
}

const BEGINNING = 4_096;

export function readForeignFile(text: string): ForeignFile {
  const beginning = text
    .slice(0, BEGINNING)
    .replace(/^\uFEFF/, "")
    .trimStart();
  const document = tryParseJson(text);
  if (document !== undefined) {
    const items: readonly unknown[] = Array.isArray(document) ? document : [document];
    const records = items.map((value, index) => ({
      value,
      path: Array.isArray(document) ? `document[${index}]` : "line 1",
      line: index + 1,
    }));
    return { document, records, damaged: [], beginning };
  }
  const found = beginning.startsWith("[") ? itemsIn(text) : linesIn(text);
  return { document: undefined, ...found, beginning };
}

type Records = Pick<ForeignFile, "records" | "damaged">;

function linesIn(text: string): Records {
  const records: ForeignRecord[] = [];
  const damaged: DamagedLine[] = [];
  let line = 0;
  for (let start = 0; start < text.length;) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    const content = withoutFiller(text.slice(start, end));
    start = end + 1;
    line++;
    if (content === "") continue;
    const path = `line ${line}`;
    const parsed = parseJson(content);
    if (parsed.ok) {
      records.push({ value: parsed.value, path, line });
      continue;
    }
    const { values, rest } = objectsIn(content, isLineRecord);
    for (const value of values) records.push({ value, path, line });
    if (rest !== "") damaged.push({ line, text: rest });
  }
  return { records, damaged };
}

/** Items of a list that is cut, or has an item that is damaged. */
function itemsIn(list: string): Records {
  const { values, rest } = objectsIn(list.slice(list.indexOf("[") + 1), isMessageRecord);
  const records = values.map((value, index) => ({ value, path: `document[${index}]`, line: index + 1 }));
  const text = rest.replace(/^[\s,]+/, "");
  return { records, damaged: /^[\s,\]]*$/.test(text) ? [] : [{ line: records.length + 1, text }] };
}

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

interface Objects {
  readonly values: readonly unknown[];
  /** The text around them. */
  readonly rest: string;
}

/** The whole objects in a damaged text that `isRecord` accepts, in order. */
function objectsIn(text: string, isRecord: (value: unknown) => boolean): Objects {
  const values: unknown[] = [];
  let rest = "";
  let at = 0;
  // Each failed start costs a scan of what follows: bounded in all.
  let budget = 4 * text.length + 1_000_000;
  while (at < text.length && budget > 0) {
    const start = text.indexOf("{", at);
    if (start < 0) break;
    const end = endOfObject(text, start);
    budget -= (end ?? text.length) - start;
    const value = end === undefined ? undefined : tryParseJson(text.slice(start, end));
    if (end === undefined || !isRecord(value)) {
      rest += text.slice(at, start + 1);
      at = start + 1;
      continue;
    }
    rest += text.slice(at, start);
    values.push(value);
    at = end;
  }
  return { values, rest: withoutFiller(rest + text.slice(at)) };
}

/** Index after the brace that closes the one at `start`; `undefined` when none does. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) isString = false;
    } else if (code === 0x22) isString = true;
    else if (code === 0x7b) depth++;
    else if (code === 0x7d && --depth === 0) return at + 1;
  }
  return undefined;
}

/** A record of its own, not an object inside one that is cut. */
function isLineRecord(value: unknown): boolean {
  return isObjectWith(value, "type") && ["uuid", "message", "sessionId", "timestamp"].some((name) => name in value);
}

function isMessageRecord(value: unknown): boolean {
  return isObjectWith(value, "role") || isObjectWith(value, "type", "ts");
}

export function isObjectWith(value: unknown, ...names: readonly string[]): value is object {
  return typeof value === "object" && value !== null && names.every((name) => name in value);
}
