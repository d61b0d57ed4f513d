/** A temporary file of texts. */

import fs from "node:fs";
import type { TextStore } from "../../../core/documents/foreign/heldMessages.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { FileBytes } from "./fileBytes.ts";

const PENDING_BYTES = 1 << 18;
/** Before each text, its length. */
const HEADER_BYTES = 4;

/** Made when the first text is added. Every member throws the system's error. */
export class TextFile implements TextStore {
  readonly #path: string;
  readonly #calls: FileCalls;
  #handle: number | undefined;
  #bytes: FileBytes | undefined;
  readonly #pending = Buffer.allocUnsafeSlow(PENDING_BYTES);
  #pendingBytes = 0;
  #writtenBytes = 0;

  constructor(path: string, calls: FileCalls) {
    this.#path = path;
    this.#calls = calls;
  }

  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    if (this.#pendingBytes + HEADER_BYTES + bytes > PENDING_BYTES) this.#write();
    const place = this.#writtenBytes + this.#pendingBytes;
    const isLarge = HEADER_BYTES + bytes > PENDING_BYTES;
    const target = isLarge ? Buffer.allocUnsafeSlow(HEADER_BYTES + bytes) : this.#pending;
    target.writeUInt32LE(bytes, this.#pendingBytes);
    target.write(text, this.#pendingBytes + HEADER_BYTES, "utf8");
    if (isLarge) this.#writeBytes(target, target.length);
    else this.#pendingBytes += HEADER_BYTES + bytes;
    return place;
  }

  get(place: number): string {
    if (this.#pendingBytes > 0) this.#write();
    const file = (this.#bytes ??= new FileBytes(this.#open(), this.#calls));
    const start = place + HEADER_BYTES;
    const length = file.range(place, start).readUInt32LE(0);
    return file.text(start, start + length);
  }

  /** Closes and removes the file. */
  remove(): void {
    if (this.#handle === undefined) return;
    this.#calls.close(this.#handle);
    this.#handle = undefined;
    this.#calls.unlink(this.#path);
  }

  #write(): void {
    this.#writeBytes(this.#pending, this.#pendingBytes);
    this.#pendingBytes = 0;
  }

  #writeBytes(bytes: Buffer, length: number): void {
    const handle = this.#open();
    this.#bytes?.forget();
    for (let done = 0; done < length;)
      done += this.#calls.write(handle, bytes, done, length - done, this.#writtenBytes + done);
    this.#writtenBytes += length;
  }

  #open(): number {
    const { O_CREAT, O_TRUNC, O_RDWR } = fs.constants;
    return (this.#handle ??= this.#calls.open(this.#path, O_CREAT | O_TRUNC | O_RDWR, 0o600));
  }
}
