/**
 * Records of JSON Lines whose strings have line breaks, or other control characters, as they are, instead of escaped:
 * some tools write results so. One record is then several lines.
 */

import { tryParseJson } from "../../json.ts";
import { ByteCursor, type DocumentText, type TextRange } from "../documentText.ts";

export interface BrokenRecord {
  readonly value: object;
  /** The line break after it, or the end of the text. */
  readonly end: number;
  readonly lines: number;
}

const MOST_CHARACTERS = 32_000_000;
const NEW_LINE = 0x0a;

/** The record that begins in the line `first`, which is no JSON; `undefined` when there is none. */
export function brokenRecord(text: DocumentText, first: TextRange): BrokenRecord | undefined {
  const beginning = text.text(first.start, first.end);
  if (!/^[\s\0\uFEFF]*\{/.test(beginning)) return undefined;
  let { text: whole, isInString } = withEscapes(beginning, false);
  if (!isInString) return recordOf(whole, first.end, 1);
  const cursor = new ByteCursor(text, { start: Math.min(first.end + 1, text.length), end: text.length });
  for (let lines = 2; whole.length < MOST_CHARACTERS; lines++) {
    const from = cursor.at;
    cursor.find(NEW_LINE);
    const line = text.text(from, cursor.at);
    if (isObject(line)) return undefined;
    const piece = withEscapes(line, true);
    whole += `\\n${piece.text}`;
    ({ isInString } = piece);
    if (!isInString || cursor.at === text.length) return recordOf(whole, cursor.at, lines);
    cursor.at++;
  }
  return undefined;
}

function recordOf(whole: string, end: number, lines: number): BrokenRecord | undefined {
  const value = tryParseJson(whole.replace(/^[\s\0\uFEFF]+|[\s\0]+$/g, ""));
  return typeof value === "object" && value !== null ? { value, end, lines } : undefined;
}

/** A record of its own, which is in no string of another. */
function isObject(line: string): boolean {
  const value = line.startsWith("{") ? tryParseJson(line) : undefined;
  return typeof value === "object" && value !== null;
}

/** The line with its control characters in strings escaped, and whether a string is open at its end. */
function withEscapes(line: string, isInString: boolean): { readonly text: string; readonly isInString: boolean } {
  let text = "";
  let [at, isOpen] = [0, isInString];
  for (const { 0: mark, index } of line.matchAll(/\\[^]?|["\u0000-\u001f]/g)) {
    const isControl = mark.length === 1 && mark < " ";
    if (mark === '"') isOpen = !isOpen;
    if (!isControl || !isOpen) continue;
    text += line.slice(at, index) + JSON.stringify(mark).slice(1, -1);
    at = index + 1;
  }
  return { text: text + line.slice(at), isInString: isOpen };
}
