/**
 * Reads the raw pages of a database file without SQLite, trusting as little of their content as possible. A view
 * overlays the pages of the write-ahead log on those of the file. There are several views of one file pair because a
 * damaged log may contain good frames after a bad one.
 */

import fs from "node:fs";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { readLogFrames, type LogFrames } from "./logFrames.ts";

/** One combination of file and log. Page numbers start at 1. */
export interface PageView {
  /** Ascending. */
  readonly numbers: Iterable<number>;
  /** Page size minus the reserved area, which is empty in this program's files. */
  readonly usableBytes: number;
  /** `undefined` if the page does not exist. */
  page(number: number): Buffer | undefined;
}

const DEFAULT_PAGE_BYTES = 4096; // the page size of this program's files, for when page 1 is lost
// A power cut can leave the last frame of the current transaction on disk without an earlier one. Only one transaction
// runs at a time, so a second commit after a bad frame had been acknowledged.
const UNFINISHED_COMMITS = 1;

/** Of the file, read at once: a table is mostly on pages one after the other. */
const RUN_BYTES = 1 << 16;
/** Read lately: tables that grow together are among each other. */
const MOST_RUNS = 8;
const MAGIC = "SQLite format 3";
const USER_VERSION_AT = 60; // byte offset in page 1

interface OpenFile {
  readonly handle: number;
  readonly sizeBytes: number;
}

/** Either the database or its log may be missing or truncated. */
export class DatabasePages {
  readonly #calls: FileCalls;
  readonly #main: OpenFile | undefined;
  readonly #log: OpenFile | undefined;
  readonly #pageBytes: number;
  readonly #frames: LogFrames | undefined;
  #buffer = new Uint8Array(0);
  /** By their start; the oldest first. */
  readonly #runs = new Map<number, Buffer>();

  constructor(calls: FileCalls, path: string) {
    this.#calls = calls;
    this.#main = openIfThere(calls, path);
    this.#log = openIfThere(calls, `${path}-wal`);
    this.#pageBytes = this.#findPageBytes();
    const log = this.#log;
    if (log === undefined) return;
    const read = (position: number, length: number): Uint8Array => this.#read(log, position, length);
    this.#frames = readLogFrames(read, log.sizeBytes, this.#pageBytes);
  }

  /** Most trustworthy first: what SQLite would see, then all frames of this log, then the file alone. */
  views(): readonly PageView[] {
    if (this.#frames === undefined) return [this.#view(new Map())];
    return [this.#view(this.#frames.committed), this.#view(this.#frames.all), this.#view(new Map())];
  }

  /** What SQLite would see. */
  get committed(): PageView {
    return this.#view(this.#frames?.committed ?? new Map());
  }

  /** The file without its log. */
  get withoutLog(): PageView {
    return this.#view(new Map());
  }

  /** Whether the log holds commits that SQLite would read. */
  get hasCommits(): boolean {
    return (this.#frames?.committed.size ?? 0) > 0;
  }

  /** The schema version that SQLite would read; 0 if page 1 is invalid. */
  get schemaVersion(): number {
    const first = this.committed.page(1);
    return first?.toString("latin1", 0, 15) === MAGIC ? first.readInt32BE(USER_VERSION_AT) : 0;
  }

  /** True if the log contains acknowledged commits that SQLite would silently ignore. */
  get hasHiddenCommits(): boolean {
    if (this.#frames === undefined) return false;
    // SQLite discards the log of an empty file; a file of ours has a page once it has a log.
    if ((this.#main?.sizeBytes ?? 0) < this.#pageBytes) return this.#frames.all.size > 0;
    if (this.#frames.isHeaderValid) return this.#frames.commitsAfterBreak > UNFINISHED_COMMITS;
    // A log whose header was being rewritten had been checkpointed into the file before.
    return this.#frames.commitsAfterBreak > 0 && !this.#isInMainFile(this.#frames.all);
  }

  close(): void {
    for (const file of [this.#main, this.#log]) if (file !== undefined) this.#calls.close(file.handle);
  }

  #view(offsets: ReadonlyMap<number, number>): PageView {
    const inMain = Math.ceil((this.#main?.sizeBytes ?? 0) / this.#pageBytes);
    const numbers = {
      *[Symbol.iterator]() {
        for (let number = 1; number <= inMain; number++) yield number;
        yield* [...offsets.keys()].filter((number) => number > inMain).sort((a, b) => a - b);
      },
    };
    const page = (number: number): Buffer | undefined => {
      const inLog = offsets.get(number);
      if (inLog === undefined) return this.#pageOfMain((number - 1) * this.#pageBytes);
      if (this.#log === undefined || inLog >= this.#log.sizeBytes) return undefined;
      return readAt(this.#calls, this.#log, Buffer.allocUnsafe(this.#pageBytes), inLog);
    };
    return { numbers, usableBytes: this.#pageBytes, page };
  }

  #pageOfMain(position: number): Buffer | undefined {
    const file = this.#main;
    if (file === undefined || position < 0 || position >= file.sizeBytes) return undefined;
    const start = position - (position % RUN_BYTES);
    const run = this.#runs.get(start) ?? this.#readRun(file, start);
    return run.subarray(position - start, position - start + this.#pageBytes);
  }

  #readRun(file: OpenFile, start: number): Buffer {
    const length = Math.min(RUN_BYTES, Math.ceil((file.sizeBytes - start) / this.#pageBytes) * this.#pageBytes);
    const run = readAt(this.#calls, file, Buffer.allocUnsafe(length), start);
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined && this.#runs.size === MOST_RUNS) this.#runs.delete(oldest);
    this.#runs.set(start, run);
    return run;
  }

  #isInMainFile(offsets: ReadonlyMap<number, number>): boolean {
    const [inMain, inLog] = [this.#view(new Map()), this.#view(offsets)];
    for (const number of offsets.keys()) {
      const page = inMain.page(number);
      if (page?.compare(inLog.page(number) ?? page) !== 0) return false;
    }
    return true;
  }

  #read(file: OpenFile, position: number, length: number): Uint8Array {
    if (this.#buffer.length !== length) this.#buffer = new Uint8Array(length);
    return readAt(this.#calls, file, this.#buffer, position);
  }

  #findPageBytes(): number {
    if (this.#main === undefined) return DEFAULT_PAGE_BYTES;
    const header = readAt(this.#calls, this.#main, new Uint8Array(100), 0);
    const pageBytes = new DataView(header.buffer).getUint16(16);
    const isWhole = Buffer.from(header.subarray(0, 15)).toString("latin1") === MAGIC;
    return isWhole && isPageSize(pageBytes) ? pageBytes : DEFAULT_PAGE_BYTES;
  }
}

function isPageSize(bytes: number): boolean {
  return bytes >= 512 && bytes <= 32_768 && (bytes & (bytes - 1)) === 0;
}

function openIfThere(calls: FileCalls, path: string): OpenFile | undefined {
  if (calls.find(path) === undefined) return undefined;
  const handle = calls.open(path, fs.constants.O_RDONLY, 0);
  return { handle, sizeBytes: Number(calls.statHandle(handle).size) };
}

/** Fills `bytes` from `position` on, with zeros past the end of the file. */
function readAt<Bytes extends Uint8Array>(
  calls: FileCalls,
  { handle }: OpenFile,
  bytes: Bytes,
  position: number,
): Bytes {
  let done = 0;
  while (done < bytes.length) {
    const got = calls.read(handle, bytes, done, bytes.length - done, position + done);
    if (got === 0) break;
    done += got;
  }
  bytes.fill(0, done);
  return bytes;
}
