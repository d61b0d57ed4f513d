/**
 * The real files that stand behind the names and descriptors which SQLite sees.
 *
 * sql.js names a database `dbfile_<random>`; SQLite adds `-wal` and `-journal`. The next such name that is opened is bound
 * to the path given to `expect`. Invariants: descriptors of ours lie far above those of the in-memory file system; a name
 * that was made or removed is on the medium, folder and all, before the next sync of a file returns.
 */

import fs from "node:fs";
import { systemCodeOf } from "./errno.ts";
import { folderOf, type FileCalls } from "./fileCalls.ts";
import { LogReserve } from "./logReserve.ts";
import { readingCalls } from "./readingCalls.ts";

/** An open file. `position` is where the next read or write happens. */
export interface HostFile {
  readonly handle: number;
  readonly path: string;
  /** Tells this file from another one that takes its name. */
  readonly identity: string;
  /** Only of a write-ahead log. */
  readonly reserve: LogReserve | undefined;
  position: number;
}

const FIRST_DESCRIPTOR = 1 << 20; // the in-memory file system has at most 4096
const DATABASE_NAME = /^\/?(dbfile_\d+)(-journal|-wal|-shm)?$/;
const LOG = "-wal";

// open(2) flags of the wasm C library
const ACCESS_MODE = 3;
const CREAT = 64;
const FLAGS: readonly (readonly [wasm: number, host: number])[] = [
  [CREAT, fs.constants.O_CREAT],
  [128, fs.constants.O_EXCL],
  [512, fs.constants.O_TRUNC],
  // Windows has no such flag, and Node then leaves the constant out.
  [131_072, "O_NOFOLLOW" in fs.constants ? fs.constants.O_NOFOLLOW : 0],
];
const ACCESS = [fs.constants.O_RDONLY, fs.constants.O_WRONLY, fs.constants.O_RDWR];

/** Descriptors, names and folders of the files that are ours. */
export class HostFiles {
  /** The real ones. */
  readonly calls: FileCalls;
  readonly #readingCalls: FileCalls;
  readonly #open = new Map<number, HostFile>();
  readonly #paths = new Map<string, string>();
  readonly #unsyncedFolders = new Set<string>();
  #expected: string | undefined;
  #nextDescriptor = FIRST_DESCRIPTOR;
  #lastFailure: string | undefined;
  #isWritable = true;
  #isOnlyRead = false;

  constructor(calls: FileCalls) {
    this.calls = calls;
    this.#readingCalls = readingCalls(calls);
  }

  /** Those for what SQLite asks: the ones that change nothing, where nothing may change. */
  get callsOfDatabase(): FileCalls {
    return this.#isOnlyRead ? this.#readingCalls : this.calls;
  }

  /** The next database name that SQLite opens stands for `path`; with `onlyRead`, no file is changed or made. */
  expect(path: string, onlyRead = false): void {
    this.#isOnlyRead = onlyRead;
    this.#isWritable = !onlyRead;
    this.#lastFailure = undefined;
    this.#expected = path;
  }

  /** True once the name for the expected path was seen. */
  get wasBound(): boolean {
    return this.#expected === undefined;
  }

  /** How many files are open. */
  get openCount(): number {
    return this.#open.size;
  }

  /** The open file of a descriptor; `undefined` when it belongs to the in-memory file system. */
  get(descriptor: number): HostFile | undefined {
    return this.#open.get(descriptor);
  }

  /** The real path behind a name; `undefined` when the name is not ours. */
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
   * Opens a file with the wasm library's flags, readable and writable by the user alone; answers a descriptor. SQLite
   * tries to read what it may not write; here that fails as the writing did, since a store that cannot write is none.
   */
  open(path: string, wasmFlags: number): number {
    const access = ACCESS[wasmFlags & ACCESS_MODE] ?? fs.constants.O_RDWR;
    if (access === fs.constants.O_RDONLY)
      throw Object.assign(new Error("the file cannot be written"), { code: this.#lastFailure });
    let flags = access;
    for (const [wasm, host] of FLAGS) if ((wasmFlags & wasm) !== 0) flags |= host;
    const makesName = (wasmFlags & CREAT) !== 0 && this.calls.find(path) === undefined;
    const handle = this.callsOfDatabase.open(path, flags, 0o600);
    if (makesName && !this.#isOnlyRead) this.#unsyncedFolders.add(folderOf(path));
    const descriptor = this.#nextDescriptor++;
    this.#open.set(descriptor, this.#lookAt(handle, path));
    return descriptor;
  }

  #lookAt(handle: number, path: string): HostFile {
    try {
      const identity = identityOf(this.callsOfDatabase.statHandle(handle));
      const reserve = path.endsWith(LOG) ? new LogReserve(this.callsOfDatabase, handle) : undefined;
      return { handle, path, identity, reserve, position: 0 };
    } catch (error) {
      this.callsOfDatabase.close(handle);
      throw error;
    }
  }

  /** Closes a file. */
  close(descriptor: number, file: HostFile): void {
    this.#open.delete(descriptor);
    this.callsOfDatabase.close(file.handle);
  }

  /** Returns once the file's content, and every name made or removed so far, is on the medium. */
  sync(file: HostFile): void {
    this.callsOfDatabase.sync(file.handle);
    this.syncFolders();
  }

  /** Returns once every name made or removed so far is on the medium. */
  syncFolders(): void {
    for (const folder of this.#unsyncedFolders) {
      if (this.calls.find(folder) !== undefined) this.calls.syncFolder(folder); // a folder that is gone keeps no names
      this.#unsyncedFolders.delete(folder);
    }
  }

  /** Writes some of `bytes` at the file's position; answers how much. */
  write(file: HostFile, bytes: Uint8Array, offset: number, length: number): number {
    this.#demandWritable();
    file.reserve?.makeRoom(file.position + length);
    const written = this.calls.write(file.handle, bytes, offset, length, file.position);
    if (written <= 0) throw new Error("the disk took nothing of a write");
    file.position += written;
    return written;
  }

  /** Cuts a file, or makes it longer. */
  truncate(file: HostFile, sizeBytes: number): void {
    this.#demandWritable();
    this.calls.truncate(file.handle, sizeBytes);
    file.reserve?.noteSize(sizeBytes);
  }

  /** Removes a file. */
  unlink(path: string): void {
    this.#demandWritable();
    this.calls.unlink(path);
    this.#unsyncedFolders.add(folderOf(path));
  }

  /** From now on nothing is written, cut or removed: the files belong to somebody else. */
  forbidWrites(): void {
    this.#isWritable = false;
  }

  #demandWritable(): void {
    if (!this.#isWritable) throw Object.assign(new Error("the file is no longer this process's"), { code: "EROFS" });
  }

  /** True while every open file is still the one that its path names: not removed, moved or replaced by anybody. */
  stillInPlace(): boolean {
    for (const file of this.#open.values()) {
      const found = this.calls.find(file.path);
      if (found === undefined || identityOf(found) !== file.identity) return false;
    }
    return true;
  }

  /** Remembers why a call failed, since SQLite tells little more than that one did. */
  noteFailure(error: unknown): void {
    const code = systemCodeOf(error) ?? "EIO";
    // SQLite asks for files that need not exist; "not found" must not hide the failure that counts.
    if (code !== "ENOENT" || this.#lastFailure === undefined) this.#lastFailure = code;
  }

  /** The system's name of the last failure that was not forgotten. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** To be called when SQLite has done what it was asked for, whatever failed on the way. */
  forgetFailure(): void {
    this.#lastFailure = undefined;
  }
}

function identityOf(stat: fs.BigIntStats): string {
  return `${stat.dev}:${stat.ino}`;
}
