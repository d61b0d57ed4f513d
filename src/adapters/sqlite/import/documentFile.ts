/** The file of a document to import. */

import fs from "node:fs";
import type { DocumentText } from "../../../core/documents/documentText.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { gatheredTexts } from "./gatheredFiles.ts";
import { FileBytes } from "./fileBytes.ts";

/**
 * Reads the file at `path` as UTF-8; one in UTF-16, or one of many that are a document together, is first copied to
 * `utf8Path`. Throws the system's error.
 */
export function openDocument(path: string, utf8Path: string, calls: FileCalls): DocumentFile {
  const gathered = gatheredTexts(path);
  if (gathered !== undefined) {
    writeTexts(gathered, utf8Path, calls);
    return new DocumentFile(utf8Path, calls, true);
  }
  const given = new DocumentFile(path, calls);
  try {
    const encoding = wideEncodingOf(given);
    if (encoding === undefined) return given;
    writeTexts(decodedTexts(given, encoding), utf8Path, calls);
  } catch (error) {
    given.close();
    throw error;
  }
  given.close();
  return new DocumentFile(utf8Path, calls, true);
}

/** Every member throws the system's error when the file cannot be read. */
export class DocumentFile implements DocumentText {
  readonly length: number;
  readonly #path: string;
  readonly #calls: FileCalls;
  readonly #isTemporary: boolean;
  readonly #handle: number;
  readonly #bytes: FileBytes;

  constructor(path: string, calls: FileCalls, isTemporary = false) {
    this.#path = path;
    this.#calls = calls;
    this.#isTemporary = isTemporary;
    this.#handle = calls.open(path, fs.constants.O_RDONLY, 0);
    this.length = Number(calls.statHandle(this.#handle).size);
    this.#bytes = new FileBytes(this.#handle, calls);
  }

  read(bytes: Uint8Array, start: number): number {
    return this.#bytes.read(bytes, start);
  }

  text(start: number, end: number): string {
    return this.#bytes.text(start, end);
  }

  close(): void {
    this.#calls.close(this.#handle);
    if (this.#isTemporary) this.#calls.unlink(this.#path);
  }
}

/** The encoding by its byte order mark, as editors on Windows write it; `undefined` for UTF-8. */
function wideEncodingOf(document: DocumentFile): "utf-16le" | "utf-16be" | undefined {
  const mark = new Uint8Array(2);
  document.read(mark, 0);
  const [first, second] = mark;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

const CHUNK_BYTES = 1 << 16;

/** The document without its mark. */
function* decodedTexts(document: DocumentFile, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding);
  const bytes = new Uint8Array(CHUNK_BYTES);
  for (let [at, got] = [0, -1]; got !== 0; at += got) {
    got = document.read(bytes, at);
    yield decoder.decode(bytes.subarray(0, got), { stream: true });
  }
  yield decoder.decode();
}

/** Writes the texts as UTF-8 to the file at `path`. */
function writeTexts(texts: Iterable<string>, path: string, calls: FileCalls): void {
  const { O_CREAT, O_TRUNC, O_WRONLY } = fs.constants;
  const handle = calls.open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600);
  try {
    let written = 0;
    for (const text of texts) {
      const bytes = Buffer.from(text, "utf8");
      for (let done = 0; done < bytes.length;)
        done += calls.write(handle, bytes, done, bytes.length - done, written + done);
      written += bytes.length;
    }
  } finally {
    calls.close(handle);
  }
}
