/**
 * `listings.jsonl`, beside the index over all conversations: their listings, each with the times of the folder that it
 * was read from, so that a folder is read again only after it changed. It may be missing, damaged or old at any time.
 *
 * Who has a conversation open creates and replaces files in its folder, which changes the folder's times. So a listing is
 * saved only while nobody has the conversation open, and once the times are past what a disk may round them to. Before a
 * save all times are compared once more: a listing that was erased since is not saved.
 */

import { readFileSync, renameSync, rmSync, writeFileSync, type Stats } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setImmediate as yieldToHost } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { tryParseJson } from "../../core/json.ts";
import { renameWhenFreeSync } from "../../core/store/systemFiles.ts";
import { isMeta, type ConversationMeta } from "./conversationMeta.ts";
import { nodeFiles, replaceFile, systemErrorCode, TEMPORARY_PREFIX, unlinkIfThere, type Files } from "./files.ts";

/** The part of a listing that changes only with its folder. */
export interface SavedListing {
  readonly meta: ConversationMeta;
  readonly sizeBytes: number;
}

/** Times and identities of a conversation's folder and database. */
export interface FolderStamp {
  /** Equal as long as no file of the folder was created or replaced, nor the database written. */
  readonly text: string;
  /** The last change, by the disk's clock. */
  readonly changedAtMs: number;
}

interface Entry {
  readonly stamp: string;
  readonly listing: SavedListing;
}

const FILE = "listings.jsonl";
const HEADER = /^\{"version":1,"crc":(\d+)\}\n/;
const DATABASE_FILE = "conversation.sqlite";
/** Some disks round times to two seconds. */
const SETTLED_MS = 3_000;
/** Of synchronous work, between two pauses. */
const SLICE_MS = 4;

export class ListingCache {
  readonly #folder: string;
  readonly #files: Files;
  readonly #readAtMs: number;
  readonly #saved: ReadonlyMap<ConversationId, Entry>;
  readonly #valid = new Map<ConversationId, Entry>();
  #hasNew = false;

  private constructor(folder: string, files: Files, readAtMs: number, saved: ReadonlyMap<ConversationId, Entry>) {
    this.#folder = folder;
    this.#files = files;
    this.#readAtMs = readAtMs;
    this.#saved = saved;
  }

  /** Of the index's folder; empty if there is no sound file. */
  static async read(folder: string, files: Files = nodeFiles, nowMs: number = Date.now()): Promise<ListingCache> {
    return new ListingCache(folder, files, nowMs, await readEntries(folder, files));
  }

  /** `undefined` if the folder changed since, or was never saved. */
  find(id: ConversationId, { text }: FolderStamp): SavedListing | undefined {
    const entry = this.#saved.get(id);
    if (entry?.stamp !== text) return undefined;
    this.#valid.set(id, entry);
    return entry.listing;
  }

  /** Of a folder that was read after `stamp` was taken, of a conversation that nobody had open. */
  add(id: ConversationId, stamp: FolderStamp, listing: SavedListing): void {
    if (stamp.changedAtMs > this.#readAtMs - SETTLED_MS) return;
    this.#valid.set(id, { stamp: stamp.text, listing });
    this.#hasNew = true;
  }

  /** The file lacks listings, or has some that are none any more. */
  get isOutdated(): boolean {
    return this.#hasNew || this.#valid.size < this.#saved.size;
  }

  /** Only the holder of the index's lease may. `root`: of the conversations' folders. */
  async save(root: string): Promise<void> {
    const lines: string[] = [];
    for await (const [id, { stamp, listing }] of inShortSlices(this.#valid)) {
      if (stampOf(join(root, id), this.#files)?.text === stamp) lines.push(lineOf(id, stamp, listing));
    }
    await replaceFile(this.#files, join(this.#folder, FILE), withHeader(lines));
  }

  async remove(): Promise<void> {
    await unlinkIfThere(this.#files, join(this.#folder, FILE));
  }
}

/** Removes conversations from the file, in a thread of the index. Only the holder of its lease may. Throws Node's system errors. */
export function forgetListings(folder: string, ids: ReadonlySet<string>): void {
  const path = join(folder, FILE);
  const lines = linesIn(readIfThere(path));
  if (lines === undefined) {
    rmSync(path, { force: true }); // who knows what it tells
    return;
  }
  const rest = lines.filter((line) => !ids.has(line.slice(2, line.indexOf('"', 2))));
  if (rest.length === lines.length) return;
  const temporary = join(folder, TEMPORARY_PREFIX + randomUUID());
  writeFileSync(temporary, withHeader(rest), { flag: "wx", mode: 0o600 });
  renameWhenFreeSync(() => {
    renameSync(temporary, path);
  }, holdThread);
}

function holdThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** `undefined` if there is no folder with a database. */
export function stampOf(folder: string, files: Files): FolderStamp | undefined {
  try {
    const own = files.statNow(folder);
    const database = files.statNow(join(folder, DATABASE_FILE));
    return {
      text: `${timesOf(own)} ${timesOf(database)} ${database.size}`,
      changedAtMs: Math.max(own.mtimeMs, own.ctimeMs, database.mtimeMs, database.ctimeMs),
    };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function timesOf({ ino, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${mtimeMs} ${ctimeMs}`;
}

async function readEntries(folder: string, files: Files): Promise<ReadonlyMap<ConversationId, Entry>> {
  const entries = new Map<ConversationId, Entry>();
  try {
    const path = join(folder, FILE);
    const [own, file] = await Promise.all([files.stat(folder), files.stat(path)]);
    // FAT on Windows: a file that is replaced leaves the folder's times as they are, so they tell nothing.
    if (own.mtimeMs < file.mtimeMs) return entries;
    for await (const line of inShortSlices(linesIn(await files.readText(path)) ?? [])) {
      const read = entryIn(line);
      if (read !== undefined) entries.set(...read);
    }
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
  return entries;
}

function entryIn(line: string): readonly [ConversationId, Entry] | undefined {
  const value: unknown = tryParseJson(line);
  const fields: readonly unknown[] = Array.isArray(value) ? value : [];
  const [name, stamp, sizeBytes, meta] = fields;
  if (typeof name !== "string" || typeof stamp !== "string" || typeof sizeBytes !== "number" || !isMeta(meta)) {
    return undefined;
  }
  const id = parseConversationId(name);
  return id && [id, { stamp, listing: { meta, sizeBytes } }];
}

function lineOf(id: ConversationId, stamp: string, { sizeBytes, meta }: SavedListing): string {
  return JSON.stringify([id, stamp, sizeBytes, meta]);
}

function withHeader(lines: readonly string[]): string {
  const body = lines.join("\n");
  return `{"version":1,"crc":${crc32(body)}}\n${body}`;
}

/** `undefined` for a file that is not as it was written. */
function linesIn(text: string): readonly string[] | undefined {
  const [header, crc] = HEADER.exec(text) ?? [];
  if (header === undefined) return undefined;
  const body = text.slice(header.length);
  if (crc32(body) !== Number(crc)) return undefined;
  return body === "" ? [] : body.split("\n");
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw error;
  }
}

/** All of them, pausing every few milliseconds. */
export async function* inShortSlices<T>(all: Iterable<T>): AsyncGenerator<T, void> {
  let endMs = performance.now() + SLICE_MS;
  for (const one of all) {
    yield one;
    if (performance.now() < endMs) continue;
    await yieldToHost();
    endMs = performance.now() + SLICE_MS;
  }
}
