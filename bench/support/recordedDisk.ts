/**
 * Records every file call, and computes what a power cut at any moment would leave. Anything not synced may survive or
 * not: each 512 byte sector of a write, each new, removed or changed name, each truncation. A rename is atomic, as in
 * every journaling file system.
 */

import fs from "node:fs";
import { nodeFileCalls, type FileCalls } from "../../src/adapters/sqlite/engine/shim/fileCalls.ts";

/** Events in order. Files are numbered; names are bound to files and released. */
type DiskEvent =
  | { readonly kind: "write"; readonly file: number; readonly at: number; readonly data: Buffer }
  | { readonly kind: "truncate"; readonly file: number; readonly size: number }
  | { readonly kind: "sync"; readonly file: number }
  | { readonly kind: "names"; readonly changes: readonly (readonly [name: string, file: number | undefined])[] }
  | { readonly kind: "syncFolder" }
  /** The first `count` commits were acknowledged as durable. */
  | { readonly kind: "acknowledged"; readonly count: number };

/** Returns a number from 0 up to, but not including, `below`. */
export type RandomBelow = (below: number) => number;

const SECTOR_BYTES = 512;

/** File calls on real files in one folder, recorded and never synced. */
export class RecordedDisk {
  readonly calls: FileCalls;
  /** Index of the first event after the initial state. */
  readonly begins: number;
  readonly #events: DiskEvent[] = [];
  readonly #handles = new Map<number, number>();
  readonly #names = new Map<string, number>();
  #files = 0;

  /** Starts with the contents of `folder` as synced. */
  constructor(folder: string) {
    for (const name of fs.readdirSync(folder)) this.#begin(`${folder}/${name}`);
    this.#events.push({ kind: "syncFolder" });
    this.begins = this.#events.length;
    this.calls = {
      ...nodeFileCalls,
      open: (path, flags, mode) => {
        const isNew = !fs.existsSync(path);
        const handle = nodeFileCalls.open(path, flags, mode);
        if (isNew) this.#name([[path, this.#files++]]);
        const file = this.#names.get(path) ?? -1;
        this.#handles.set(handle, file);
        if ((flags & fs.constants.O_TRUNC) !== 0) this.#events.push({ kind: "truncate", file, size: 0 });
        return handle;
      },
      write: (handle, bytes, offset, length, position) => {
        const written = nodeFileCalls.write(handle, bytes, offset, length, position);
        const data = Buffer.from(bytes.subarray(offset, offset + written));
        this.#events.push({ kind: "write", file: this.#fileOf(handle), at: position, data });
        return written;
      },
      truncate: (handle, size) => {
        nodeFileCalls.truncate(handle, size);
        this.#events.push({ kind: "truncate", file: this.#fileOf(handle), size });
      },
      sync: (handle) => {
        this.#events.push({ kind: "sync", file: this.#fileOf(handle) });
      },
      syncFolder: (path) => {
        if (path === folder) this.#events.push({ kind: "syncFolder" });
      },
      unlink: (path) => {
        nodeFileCalls.unlink(path);
        this.#name([[path, undefined]]);
      },
      rename: (path, to) => {
        nodeFileCalls.rename(path, to);
        this.#name([
          [path, undefined],
          [to, this.#names.get(path)],
        ]);
      },
      linkOrCopy: (path, to) => {
        nodeFileCalls.linkOrCopy(path, to);
        this.#name([[to, this.#names.get(path)]]);
      },
    };
  }

  /** Number of events. */
  get length(): number {
    return this.#events.length;
  }

  /** Records that the first `count` commits were acknowledged. */
  acknowledge(count: number): void {
    this.#events.push({ kind: "acknowledged", count });
  }

  /** Number of commits acknowledged before event `cut`. */
  acknowledgedAt(cut: number): number {
    const last = this.#events.slice(0, cut).findLast((event) => event.kind === "acknowledged");
    return last?.kind === "acknowledged" ? last.count : 0;
  }

  /** Surviving files by path when the power fails before event `cut`. */
  imageAt(cut: number, random: RandomBelow): ReadonlyMap<string, Buffer> {
    const events = this.#events.slice(0, cut);
    const synced = new Map<number, number>();
    let foldersSynced = 0;
    for (const [index, event] of events.entries()) {
      if (event.kind === "sync") synced.set(event.file, index);
      if (event.kind === "syncFolder") foldersSynced = index;
    }
    const names = new Map<string, number>();
    const files = new Map<number, Content>();
    const isKept = (index: number, file: number): boolean => index < (synced.get(file) ?? -1) || random(2) === 0;
    for (const [index, event] of events.entries()) {
      if (event.kind === "names") {
        if (index < foldersSynced || random(2) === 0) applyNames(names, event.changes);
      } else if (event.kind === "truncate") {
        if (isKept(index, event.file)) contentOf(files, event.file).truncate(event.size);
      } else if (event.kind === "write") {
        const content = contentOf(files, event.file);
        if (index < (synced.get(event.file) ?? -1)) content.write(event.at, event.data);
        else content.writeTorn(event.at, event.data, random);
      }
    }
    return new Map([...names].map(([name, file]) => [name, contentOf(files, file).bytes()]));
  }

  #begin(path: string): void {
    const file = this.#files++;
    this.#name([[path, file]]);
    this.#events.push({ kind: "write", file, at: 0, data: fs.readFileSync(path) }, { kind: "sync", file });
  }

  #fileOf(handle: number): number {
    return this.#handles.get(handle) ?? -1;
  }

  #name(changes: readonly (readonly [string, number | undefined])[]): void {
    applyNames(this.#names, changes);
    this.#events.push({ kind: "names", changes });
  }
}

function applyNames(names: Map<string, number>, changes: readonly (readonly [string, number | undefined])[]): void {
  for (const [name, file] of changes) {
    if (file === undefined) names.delete(name);
    else names.set(name, file);
  }
}

function contentOf(files: Map<number, Content>, file: number): Content {
  const known = files.get(file);
  if (known !== undefined) return known;
  const made = new Content();
  files.set(file, made);
  return made;
}

/** A growing byte buffer. */
class Content {
  #bytes = Buffer.alloc(1 << 16);
  #size = 0;

  write(at: number, data: Buffer): void {
    this.#reach(at + data.length);
    data.copy(this.#bytes, at);
  }

  writeTorn(at: number, data: Buffer, random: RandomBelow): void {
    for (let start = 0; start < data.length;) {
      // Sectors are aligned in the file, wherever the write begins.
      const end = Math.min(data.length, start + SECTOR_BYTES - ((at + start) % SECTOR_BYTES));
      if (random(2) === 0) this.write(at + start, data.subarray(start, end));
      start = end;
    }
  }

  truncate(size: number): void {
    this.#reach(size);
    this.#bytes.fill(0, size, this.#size);
    this.#size = size;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  #reach(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#bytes.length));
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#size = Math.max(this.#size, size);
  }
}
