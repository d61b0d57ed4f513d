/**
 * Maps the names and descriptors that SQLite uses to real files.
 *
 * sql.js names a database `dbfile_<random>`; SQLite appends `-wal` and `-journal`. `expect` binds the next new name to
 * a path. Invariants: our descriptors are far above those of the in-memory file system; a created or removed name is
 * durable before the next `sync` of a file in its folder returns, unless that is a log without frames.
 */

import fs from "node:fs";
import { systemCodeOf } from "./errno.ts";
import { folderOf, type FileCalls } from "./fileCalls.ts";
import { LogReserve } from "./logReserve.ts";
import { ReadAhead, WriteBehind } from "./pageRuns.ts";
import { readOnlyCalls } from "./readOnlyCalls.ts";

export interface HostFilesOptions {
  /** False: logs are closed after a commit or two, and space for many would be written and synced in vain. */
  readonly reservesLogs?: boolean;
}

export interface HostFile {
  readonly handle: number;
  readonly path: string;
  /** Device and inode, to detect that another file has taken this path. */
  readonly identity: string;
  /** Only for a write-ahead log. */
  readonly reserve: LogReserve | undefined;
  position: number;
  /** Nothing was written since a sync. */
  isSynced: boolean;
  /**
   * True for a log made just now that has no frames yet. No older frames can follow its header, so the sync of the first
   * commit is early enough for it too.
   */
  isFresh: boolean;
  ahead?: ReadAhead;
  behind?: WriteBehind;
}

const FIRST_DESCRIPTOR = 1 << 20; // the in-memory file system has at most 4096 descriptors
const DATABASE_NAME = /^\/?(dbfile_\d+)(-journal|-wal|-shm)?$/;
const SUFFIXES = ["", "-journal", "-wal", "-shm"];
const LOG = "-wal";
const LOG_HEADER_BYTES = 32;

// open(2) flags of the wasm C library
const ACCESS_MODE = 3;
const CREAT = 64;
const FLAGS: readonly (readonly [wasm: number, host: number])[] = [
  [CREAT, fs.constants.O_CREAT],
  [128, fs.constants.O_EXCL],
  [512, fs.constants.O_TRUNC],
  // Node does not define this constant on Windows.
  [131_072, "O_NOFOLLOW" in fs.constants ? fs.constants.O_NOFOLLOW : 0],
];
const ACCESS = [fs.constants.O_RDONLY, fs.constants.O_WRONLY, fs.constants.O_RDWR];

export class HostFiles {
  /** Unrestricted, even for a read-only database. */
  readonly calls: FileCalls;
  readonly #readOnlyCalls: FileCalls;
  readonly #open = new Map<number, HostFile>();
  readonly #paths = new Map<string, string>();
  /** Databases that are only read, with their logs. */
  readonly #onlyRead = new Set<string>();
  readonly #unsyncedFolders = new Set<string>();
  readonly #reservesLogs: boolean;
  #expected: string | undefined;
  #nextDescriptor = FIRST_DESCRIPTOR;
  #lastFailure: string | undefined;
  #isWritable = true;

  constructor(calls: FileCalls, { reservesLogs = true }: HostFilesOptions = {}) {
    this.calls = calls;
    this.#reservesLogs = reservesLogs;
    this.#readOnlyCalls = readOnlyCalls(calls);
  }

  /** The calls used on behalf of SQLite for the file at `path`: read-only ones for a read-only database. */
  callsFor(path: string): FileCalls {
    return this.#onlyRead.has(path) ? this.#readOnlyCalls : this.calls;
  }

  /** Binds the next database name that SQLite opens to `path`; with `onlyRead`, no file is written or created. */
  bindNextName(path: string, onlyRead = false): void {
    for (const suffix of SUFFIXES) {
      if (onlyRead) this.#onlyRead.add(path + suffix);
      else this.#onlyRead.delete(path + suffix);
    }
    this.#isWritable = true;
    this.#lastFailure = undefined;
    this.#expected = path;
  }

  /** True once SQLite has used a name for the expected path. */
  get wasBound(): boolean {
    return this.#expected === undefined;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** `undefined` if the descriptor belongs to the in-memory file system. */
  get(descriptor: number): HostFile | undefined {
    return this.#open.get(descriptor);
  }

  /** The real path of a name; `undefined` if the name belongs to the in-memory file system. */
  pathOf(name: string): string | undefined {
    const match = DATABASE_NAME.exec(name);
    const base = match?.[1];
    if (base === undefined) return undefined;
    const suffix = match?.[2] ?? "";
    if (this.#expected !== undefined && suffix === "") {
      this.#paths.set(base, this.#expected);
      this.#expected = undefined;
    }
    const path = this.#paths.get(base);
    return path === undefined ? undefined : path + suffix;
  }

  /**
   * Opens a file (mode 0600) with the C library's flags; returns a descriptor. When a read-write open fails, SQLite
   * retries read-only; that retry fails with the same code, because the store is of no use without writing.
   */
  open(path: string, wasmFlags: number): number {
    const access = ACCESS[wasmFlags & ACCESS_MODE] ?? fs.constants.O_RDWR;
    if (access === fs.constants.O_RDONLY)
      throw Object.assign(new Error("the file cannot be written"), { code: this.#lastFailure });
    let flags = access;
    for (const [wasm, host] of FLAGS) if ((wasmFlags & wasm) !== 0) flags |= host;
    const makesName = (wasmFlags & CREAT) !== 0 && this.calls.find(path) === undefined;
    const handle = this.callsFor(path).open(path, flags, 0o600);
    if (makesName && !this.#onlyRead.has(path)) this.#unsyncedFolders.add(folderOf(path));
    const descriptor = this.#nextDescriptor++;
    this.#open.set(descriptor, this.#lookAt(handle, path, makesName));
    return descriptor;
  }

  #lookAt(handle: number, path: string, isNew: boolean): HostFile {
    const calls = this.callsFor(path);
    try {
      const identity = identityOf(calls.statHandle(handle));
      const reserve = this.#reservesLogs && path.endsWith(LOG) ? new LogReserve(calls, handle) : undefined;
      const isFresh = isNew && path.endsWith(LOG);
      return { handle, path, identity, reserve, position: 0, isSynced: false, isFresh };
    } catch (error) {
      calls.close(handle);
      throw error;
    }
  }

  close(descriptor: number, file: HostFile): void {
    this.#open.delete(descriptor);
    try {
      file.behind?.flush();
    } finally {
      this.callsFor(file.path).close(file.handle);
    }
  }

  /** Begins to read the open file at `path` in runs of pages, until `stop` is called. */
  readAhead(path: string): { stop(): void } {
    const files = [...this.#open.values()].filter((file) => file.path === path);
    for (const file of files) file.ahead = new ReadAhead(this.callsFor(path), file.handle);
    return {
      stop: () => {
        for (const file of files) delete file.ahead;
      },
    };
  }

  /** Begins to write the open file at `path` in runs of pages. `flush` writes the last one, and throws what fails. */
  writeBehind(path: string): { flush(): void } {
    const files = [...this.#open.values()].filter((file) => file.path === path);
    for (const file of files) file.behind = new WriteBehind(this.calls, file.handle);
    return {
      flush: () => {
        for (const file of files) file.behind?.flush();
      },
    };
  }

  statOf(file: HostFile): fs.BigIntStats {
    file.behind?.flush();
    return this.callsFor(file.path).statHandle(file.handle);
  }

  /** Makes the file's content durable, and all names created or removed so far in its folder. */
  sync(file: HostFile): void {
    if (file.isFresh) return;
    file.behind?.flush();
    if (!file.isSynced) this.callsFor(file.path).sync(file.handle);
    file.isSynced = true;
    this.syncNames(folderOf(file.path));
  }

  /** Makes all names created or removed so far in `folder` durable. */
  syncNames(folder: string): void {
    if (!this.#unsyncedFolders.has(folder)) return;
    if (this.calls.find(folder) !== undefined) this.calls.syncFolder(folder); // nothing to sync in a removed folder
    this.#unsyncedFolders.delete(folder);
  }

  /** Reads at the file's position; returns the number of bytes read, fewer at the end of the file. */
  read(file: HostFile, bytes: Uint8Array, offset: number, length: number): number {
    file.behind?.flush();
    const got =
      file.ahead?.read(bytes, offset, length, file.position) ??
      this.callsFor(file.path).read(file.handle, bytes, offset, length, file.position);
    file.position += got;
    return got;
  }

  /** Writes at the file's position; returns the number of bytes written, which may be less than `length`. */
  write(file: HostFile, bytes: Uint8Array, offset: number, length: number): number {
    this.#demandWritable(file.path);
    file.isSynced = false;
    file.isFresh &&= file.position + length <= LOG_HEADER_BYTES;
    file.reserve?.makeRoom(file.position + length);
    file.ahead?.forget();
    if (file.behind !== undefined) {
      file.behind.write(bytes, offset, length, file.position);
      file.position += length;
      return length;
    }
    const written = this.calls.write(file.handle, bytes, offset, length, file.position);
    if (written <= 0) throw new Error("the disk took nothing of a write");
    file.position += written;
    return written;
  }

  truncate(file: HostFile, sizeBytes: number): void {
    this.#demandWritable(file.path);
    file.ahead?.forget();
    file.behind?.flush();
    file.isSynced = false;
    this.calls.truncate(file.handle, sizeBytes);
    file.reserve?.noteSize(sizeBytes);
  }

  unlink(path: string): void {
    this.#demandWritable(path);
    this.calls.unlink(path);
    this.#unsyncedFolders.add(folderOf(path));
  }

  /** From now on, writes, truncations and removals fail with `EROFS`. */
  forbidWrites(): void {
    this.#isWritable = false;
  }

  #demandWritable(path: string): void {
    if (!this.#isWritable || this.#onlyRead.has(path))
      throw Object.assign(new Error("the file is no longer this process's"), { code: "EROFS" });
  }

  /** False once an open file was removed, moved or replaced. */
  stillInPlace(): boolean {
    for (const file of this.#open.values()) {
      const found = this.calls.find(file.path);
      if (found === undefined || identityOf(found) !== file.identity) return false;
    }
    return true;
  }

  /** Saves the system error code of a failed call, which SQLite does not report. */
  noteFailure(error: unknown): void {
    const code = systemCodeOf(error) ?? "EIO";
    // SQLite probes for optional files; their ENOENT must not replace the relevant error.
    if (code !== "ENOENT" || this.#lastFailure === undefined) this.#lastFailure = code;
  }

  /** System code of the last failure, such as `ENOSPC`. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** Call when an SQLite operation succeeded, whatever failed in between. */
  forgetFailure(): void {
    this.#lastFailure = undefined;
  }
}

function identityOf(stat: fs.BigIntStats): string {
  return `${stat.dev}:${stat.ino}`;
}
