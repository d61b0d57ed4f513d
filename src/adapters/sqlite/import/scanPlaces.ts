/** Worker side of a scan: names and sizes of all files first, then what each has, newest first. */

import fs from "node:fs";
import { join } from "node:path";
import type { DocumentText } from "../../../core/documents/documentText.ts";
import { ChangedWhileRead } from "../../../core/documents/foreign/longRecords.ts";
import {
  closedJson,
  holdsSeveral,
  sketchesOf,
  sketchText,
  type ConversationSketch,
} from "../../../core/documents/foreign/sketch.ts";
import { importKey } from "../../../core/history/importLink.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { systemCodeOf } from "../engine/shim/errno.ts";
import { openDocument } from "./documentFile.ts";
import { TooLongText } from "./fileBytes.ts";
import { gatheredState, gatheredTexts, isGatheredByAnother } from "./gatheredFiles.ts";
import type { FoundConversation, FoundFile, FromScan, ScannedPlace, ScanRequest } from "./scanned.ts";
import { TextFile } from "./textFile.ts";
import { isCompressed, unpackedBeginning } from "./unpackedFile.ts";

/** Read of each file for the list. */
const HEAD_BYTES = 64 << 10;
const TAIL_BYTES = 16 << 10;
/** Files whose findings are told together. */
const FILES_PER_MESSAGE = 25;
/** A folder of the user's choice may be anything. */
const MOST_DEPTH = 8;
const MOST_FILES = 100_000;
const TEXT_FILE = "tmp.scan-texts";
const UTF8_FILE = "tmp.scan-document";
const NEVER_ENTERED = new Set(["node_modules", ".git"]);

export function* scanPlaces(
  { places, known, seen }: ScanRequest,
  folder: string,
  calls: FileCalls,
): Generator<FromScan> {
  const files = filesIn(places).filter(({ file, modifiedMs }) => seen?.get(file) !== modifiedMs);
  const total = files.length;
  let found: FoundFile[] = [];
  const seek = new Seeker(folder, calls, known);
  for (const [index, file] of files.entries()) {
    found.push(seek.lookAt(file));
    if ((index + 1) % FILES_PER_MESSAGE > 0) continue;
    yield { found, done: index + 1, total, isEnd: false };
    found = [];
  }
  yield { found, done: total, total, isEnd: true };
}

type ListedFile = Pick<FoundFile, "file" | "place" | "bytes" | "modifiedMs">;

/** Each once, of the first place that has it, newest first. */
function filesIn(places: readonly ScannedPlace[]): readonly ListedFile[] {
  const found = new Map<string, ListedFile>();
  for (const [place, { folder, pattern }] of places.entries()) {
    for (const file of matching(folder, pattern.split("/"), MOST_DEPTH)) {
      if (found.size === MOST_FILES) break;
      const stats = unlessGone(() => fs.statSync(file));
      if (stats?.isFile() !== true || stats.size === 0 || found.has(file)) continue;
      if (isGatheredByAnother(file)) continue;
      const state = unlessGone(() => gatheredState(file)) ?? { bytes: stats.size, modifiedMs: stats.mtimeMs };
      found.set(file, { file, place, ...state });
    }
  }
  return [...found.values()].sort((one, other) => other.modifiedMs - one.modifiedMs);
}

/** Paths of files whose names match; links to folders are not followed. */
function* matching(folder: string, names: readonly string[], depth: number): Generator<string> {
  const [name = "", ...rest] = names;
  if (depth === 0) return;
  const isLast = rest.length === 0;
  const isMatch = name === "**" ? () => true : nameMatcher(name);
  for (const entry of unlessGone(() => fs.readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (NEVER_ENTERED.has(entry.name) || isLast || !isMatch(entry.name)) continue;
      yield* matching(path, name === "**" ? names : rest, depth - 1);
    } else if (isLast && isMatch(entry.name)) yield path;
    else if (name === "**" && rest.length === 1 && nameMatcher(rest[0] ?? "")(entry.name)) yield path;
  }
}

/** Patterns are ours; each star is one of a few. */
function nameMatcher(pattern: string): (name: string) => boolean {
  const source = pattern.replace(/[.+?^$()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const expression = new RegExp(
    `^${source.replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(",", "|")})`)}$`,
  );
  return (name) => expression.test(name);
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined; // not there, or not for us
  }
}

class Seeker {
  readonly #folder: string;
  readonly #calls: FileCalls;
  readonly #known: ScanRequest["known"];

  constructor(folder: string, calls: FileCalls, known: ScanRequest["known"]) {
    this.#folder = folder;
    this.#calls = calls;
    this.#known = known;
  }

  lookAt(listed: ListedFile): FoundFile {
    const nothing = { ...listed, conversations: [], isUnsupported: false };
    try {
      const text = this.#sketch(listed);
      const [first] = sketchesOf(text, new MemoryTexts());
      if (first === undefined) return nothing;
      if (!first.ok && first.error.field === "document.format") return { ...nothing, isUnsupported: true };
      const isSeveral = holdsSeveral(text);
      // What is compressed is no longer written to.
      const mayGrow = !isSeveral && !isCompressed(listed.file);
      const hasChanged = first.ok && mayGrow && this.#hasChanged(first.value, listed.bytes);
      const isWhole = isSeveral || hasChanged;
      const sketches = isWhole ? this.#whole(listed.file) : first.ok ? [first.value] : [];
      return { ...nothing, conversations: sketches.map((sketch) => this.#found(sketch, isWhole, hasChanged)) };
    } catch (error) {
      const isOfFile =
        error instanceof ChangedWhileRead || error instanceof TooLongText || systemCodeOf(error) !== undefined;
      if (!isOfFile) throw error;
      return nothing; // its import will say why
    }
  }

  #hasChanged(sketch: ConversationSketch, bytes: number): boolean {
    const before = this.#known.get(importKey(sketch));
    return before !== undefined && before.bytes !== bytes;
  }

  #found(sketch: ConversationSketch, isWhole: boolean, hasChanged: boolean): FoundConversation {
    const { tool, id, title, project, endMs, isSubAgent, answers } = sketch;
    const before = this.#known.get(importKey(sketch));
    const found = { tool, id, title, project, endMs, isSubAgent };
    if (before === undefined) return found;
    const newAnswers = isWhole ? Math.max(0, answers - before.answers) : 0;
    return { ...found, newAnswers, ...(hasChanged && newAnswers === 0 ? { isRewritten: true } : {}) };
  }

  #whole(file: string): readonly ConversationSketch[] {
    const texts = new TextFile(join(this.#folder, TEXT_FILE), this.#calls);
    const document = openDocument(file, join(this.#folder, UTF8_FILE), this.#calls);
    try {
      return [...sketchesOf(document, texts)].flatMap((each) => (each.ok ? [each.value] : []));
    } finally {
      document.close();
      texts.remove();
    }
  }

  #sketch({ file, bytes }: ListedFile): DocumentText {
    if (isCompressed(file)) return new TextInMemory(sketchText(unpackedBeginning(file, HEAD_BYTES), ""));
    const texts = gatheredTexts(file);
    if (texts !== undefined) return new TextInMemory(beginningOfTexts(texts));
    const isShort = bytes <= HEAD_BYTES + TAIL_BYTES;
    const document = openDocument(file, join(this.#folder, UTF8_FILE), this.#calls);
    try {
      const read = (start: number, length: number): string => {
        const chunk = Buffer.alloc(length);
        return chunk.toString("utf8", 0, document.read(chunk, start));
      };
      if (isShort) return new TextInMemory(read(0, document.length));
      const tail = read(Math.max(HEAD_BYTES, document.length - TAIL_BYTES), TAIL_BYTES);
      return new TextInMemory(sketchText(read(0, HEAD_BYTES), tail));
    } finally {
      document.close();
    }
  }
}

/** Of one JSON value, with its first texts. */
function beginningOfTexts(texts: Iterable<string>): string {
  let beginning = "";
  for (const text of texts) {
    beginning += text;
    if (beginning.length > HEAD_BYTES) break;
  }
  return closedJson(beginning);
}

class TextInMemory implements DocumentText {
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.length = this.#bytes.length;
  }

  read(bytes: Uint8Array, start: number): number {
    return this.#bytes.copy(bytes, 0, start);
  }

  text(start: number, end: number): string {
    return this.#bytes.toString("utf8", start, end);
  }
}

class MemoryTexts {
  readonly #texts: string[] = [];

  add(text: string): number {
    return this.#texts.push(text) - 1;
  }

  get(place: number): string {
    return this.#texts[place] ?? "";
  }
}
