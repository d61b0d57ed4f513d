/** The file of a document to import. */

import fs from "node:fs";
import type { DocumentText } from "../../../core/documents/documentText.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { FileWindow } from "./fileWindow.ts";

/** Every member throws the system's error when the file cannot be read. */
export class DocumentFile implements DocumentText {
  readonly length: number;
  readonly #calls: FileCalls;
  readonly #handle: number;
  readonly #window: FileWindow;

  constructor(path: string, calls: FileCalls) {
    this.#calls = calls;
    this.#handle = calls.open(path, fs.constants.O_RDONLY, 0);
    this.length = Number(calls.statHandle(this.#handle).size);
    this.#window = new FileWindow(this.#handle, calls);
  }

  bytesFrom(start: number): Uint8Array {
    return this.#window.from(start);
  }

  text(start: number, end: number): string {
    return this.#window.text(start, end);
  }

  close(): void {
    this.#calls.close(this.#handle);
  }
}

/** The encoding by its byte order mark, as editors on Windows write it; `undefined` for UTF-8. */
export function wideEncodingOf(document: DocumentFile): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = document.length < 2 ? [] : document.bytesFrom(0);
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Writes the document as UTF-8, without the mark, to the file at `path`. */
export function writeAsUtf8(document: DocumentFile, encoding: string, path: string, calls: FileCalls): void {
  const { O_CREAT, O_TRUNC, O_WRONLY } = fs.constants;
  const handle = calls.open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600);
  try {
    const decoder = new TextDecoder(encoding);
    let written = 0;
    const write = (text: string): void => {
      const bytes = Buffer.from(text, "utf8");
      for (let done = 0; done < bytes.length;)
        done += calls.write(handle, bytes, done, bytes.length - done, written + done);
      written += bytes.length;
    };
    for (let at = 0; at < document.length;) {
      const bytes = document.bytesFrom(at);
      if (bytes.length === 0) break;
      write(decoder.decode(bytes, { stream: true }));
      at += bytes.length;
    }
    write(decoder.decode());
  } finally {
    calls.close(handle);
  }
}
