/**
 * Changes a file at the level of its bytes: whatever a change does not touch is copied, never decoded and encoded anew.
 * Nothing is assumed of an encoding; each step is checked by decoding what it made.
 */

import { withChanges, type TextChange } from "../../../adapters/diff/textChanges.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { isSameBytes } from "../files/byteSource.ts";
import { type Codec, markOf } from "./unicodeCodec.ts";

export interface EncodedFile {
  readonly codec: Codec;
  /** The byte order mark; empty without one. */
  readonly mark: Uint8Array;
  /** After the mark. */
  readonly body: Uint8Array;
  /** All of the body, with its own line ends. */
  readonly text: string;
}

/**
 * `character`: the encoding has no such character. `place`: the change cannot be told from the bytes around it, as next to
 * bytes without meaning.
 */
export type SpliceProblem = { readonly kind: "character"; readonly character: string } | { readonly kind: "place" };

const PLACE: Result<never, SpliceProblem> = err({ kind: "place" });
/** Bytes around the first guess in which a place is looked for: guesses are wrong by less than a character. */
const NEAR = 8;
const LINE_END = 10;

export async function decodeFile(bytes: Uint8Array, codec: Codec): Promise<EncodedFile> {
  const markBytes = markLength(bytes, codec.name);
  const mark = bytes.length === 0 ? markOf(codec.name) : bytes.subarray(0, markBytes);
  const body = bytes.subarray(markBytes);
  return { codec, mark, body, text: await codec.decode(body) };
}

/** The file's bytes with `changes` of its text, which are in order and without overlap. */
export async function spliceBytes(
  file: EncodedFile,
  changes: readonly TextChange[],
): Promise<Result<Uint8Array, SpliceProblem>> {
  const { codec, mark, body, text } = file;
  // U+FFFD stands for bytes without meaning: written anew, it would take their place.
  const hasStandIn = changes.some((change) => change.text.includes("\ufffd"));
  if (hasStandIn && !isSameBytes(await codec.encode(text), body)) return PLACE;
  const places = new BytePlaces(file);
  const parts: Uint8Array[] = [];
  let [textAt, byteAt] = [0, 0];
  for (const { start, end, text: fresh } of [...changes, { start: text.length, end: text.length, text: "" }]) {
    const [from, to] = [await places.of(start), await places.of(end)];
    if (from === undefined || to === undefined || from < byteAt || to < from) return PLACE;
    const kept = body.subarray(byteAt, from);
    const isRight =
      (await codec.decode(kept)) === text.slice(textAt, start) &&
      (await codec.decode(body.subarray(from, to))) === text.slice(start, end);
    if (!isRight) return PLACE;
    const encoded = await encodeText(fresh, codec);
    if (!encoded.ok) return encoded;
    parts.push(kept, encoded.value);
    [textAt, byteAt] = [end, to];
  }
  const spliced = joined(parts);
  if ((await codec.decode(spliced)) !== withChanges(text, changes)) return PLACE;
  return ok(joined([mark, spliced]));
}

export async function encodeText(text: string, codec: Codec): Promise<Result<Uint8Array, SpliceProblem>> {
  const encoded = await codec.encode(text);
  if ((await codec.decode(encoded)) === text) return ok(encoded);
  for (const character of new Set(text)) {
    if ((await codec.decode(await codec.encode(character))) !== character) return err({ kind: "character", character });
  }
  return PLACE;
}

/** Length of the byte order mark, where the encoding has one. */
export function markLength(bytes: Uint8Array, encoding: string): number {
  const startsWith = (...wanted: readonly number[]): boolean => wanted.every((byte, index) => bytes[index] === byte);
  if (encoding.startsWith("utf8")) return startsWith(0xef, 0xbb, 0xbf) ? 3 : 0;
  if (encoding === "utf16le") return startsWith(0xff, 0xfe) ? 2 : 0;
  if (encoding === "utf16be") return startsWith(0xfe, 0xff) ? 2 : 0;
  return 0;
}

/** Finds the byte at which a character begins. */
class BytePlaces {
  readonly #file: EncodedFile;
  /** After each line end, in the text and in the bytes. */
  readonly #lines: readonly { readonly textAt: number; readonly byteAt: number }[];

  constructor(file: EncodedFile) {
    this.#file = file;
    const { codec, text, body } = file;
    if (codec.unitBytes !== undefined) {
      this.#lines = [];
      return;
    }
    const textEnds = placesOf((from) => text.indexOf("\n", from));
    const byteEnds = placesOf((from) => body.indexOf(LINE_END, from));
    const isSame = textEnds.length === byteEnds.length;
    this.#lines = isSame ? textEnds.map((textAt, index) => ({ textAt, byteAt: byteEnds[index] ?? 0 })) : [];
  }

  async of(at: number): Promise<number | undefined> {
    const { codec, text, body } = this.#file;
    if (codec.unitBytes !== undefined) return at * codec.unitBytes;
    const index = lastIndexBefore(this.#lines, at);
    const start = this.#lines[index] ?? { textAt: 0, byteAt: 0 };
    const end = this.#lines[index + 1] ?? { textAt: text.length, byteAt: body.length };
    const line = text.slice(start.textAt, end.textAt);
    const bytes = body.subarray(start.byteAt, end.byteAt);
    const inLine = await placeInLine(line, bytes, at - start.textAt, codec);
    return inLine === undefined ? undefined : start.byteAt + inLine;
  }
}

async function placeInLine(line: string, bytes: Uint8Array, at: number, codec: Codec): Promise<number | undefined> {
  if (at === line.length) return bytes.length;
  if (isAscii(line, bytes, at)) return at;
  const lengthOf = async (end: number): Promise<number> => (await codec.decode(bytes.subarray(0, end))).length;
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((await lengthOf(middle)) < at) low = middle + 1;
    else high = middle;
  }
  for (let place = Math.max(0, low - NEAR); place <= Math.min(bytes.length, low + NEAR); place++) {
    const isHere =
      (await codec.decode(bytes.subarray(0, place))) === line.slice(0, at) &&
      (await codec.decode(bytes.subarray(place))) === line.slice(at);
    if (isHere) return place;
  }
  return undefined;
}

/** True for a line that begins with so many characters that are their own bytes. */
function isAscii(line: string, bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const unit = line.charCodeAt(at);
    if (unit >= 0x80 || bytes[at] !== unit) return false;
  }
  return true;
}

function placesOf(next: (from: number) => number): readonly number[] {
  const places: number[] = [];
  for (let at = next(0); at >= 0; at = next(at + 1)) places.push(at + 1);
  return places;
}

/** -1 when the first line is meant. */
function lastIndexBefore(lines: readonly { readonly textAt: number }[], at: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.textAt ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
