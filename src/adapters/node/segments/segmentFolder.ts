/**
 * The folder of the index over all conversations: `segments.json` names the segments that count, the other files are
 * those. Files are written once, and `segments.json` is replaced, so a kill leaves the state before or the one after.
 * Several windows read; who changes something holds the lease of the folder. Everything here can be made anew.
 */

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { WaitingTask } from "../../../core/cooperativeTask.ts";
import { tryParseJson } from "../../../core/json.ts";
import { DamagedBytes } from "../../../core/search/segments/bytes.ts";
import type { SegmentFiles } from "../../../core/search/segments/segmentIndex.ts";
import { nodeFiles, systemErrorCode, TEMPORARY_PREFIX } from "../files.ts";
import { settled } from "../settled.ts";
import { SegmentFile, writeSegmentFile } from "./segmentFile.ts";

const LIST_FILE = "segments.json";
const SUFFIX = ".segment";
const VERSION = 1;
/** Another window may replace segments between the reading of their names and of them. */
const ATTEMPTS = 5;

export class SegmentFolder implements SegmentFiles {
  readonly #folder: string;
  readonly #open = new Map<string, SegmentFile>();
  #text = "";

  /** Creates the folder where that is possible; else there are no segments. */
  constructor(folder: string) {
    this.#folder = folder;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      unlessSystemError(error);
    }
  }

  /**
   * Without segments that are damaged or missing: what they had is indexed anew. The files are open until `release`, so
   * that they can be read even if another window replaces them.
   */
  list(): readonly string[] {
    for (let attempt = 1; ; attempt++) {
      const text = this.#readList();
      const names = namesIn(text);
      if (text !== this.#text) for (const name of names) this.#check(name);
      this.#text = text;
      for (const [name, file] of this.#open) {
        if (names.includes(name)) continue;
        file.release();
        this.#open.delete(name);
      }
      const sound = names.filter((name) => this.#isThere(name));
      if (sound.length === names.length || attempt >= ATTEMPTS || this.#readList() === text) return sound;
    }
  }

  open(name: string): SegmentFile {
    const file = this.#open.get(name);
    if (file === undefined) throw new DamagedBytes(`${name} is not listed`);
    return file;
  }

  /** Waits for each use of the disk. */
  *replace(removed: readonly string[], added: readonly Uint8Array[]): WaitingTask<void> {
    const kept = this.list().filter((name) => !removed.includes(name));
    const names = added.map(() => randomUUID() + SUFFIX);
    let isDone = false;
    try {
      for (const [index, name] of names.entries())
        yield* writeSegmentFile(join(this.#folder, name), added[index] ?? new Uint8Array());
      const temporary = TEMPORARY_PREFIX + randomUUID();
      const text = JSON.stringify({ version: VERSION, segments: [...kept, ...names] });
      yield* settled(writeList(join(this.#folder, temporary), text));
      yield* settled(nodeFiles.rename(join(this.#folder, temporary), join(this.#folder, LIST_FILE)));
      // Just written, so they are not checked; a search meanwhile may have opened them.
      for (const name of names)
        if (!this.#open.has(name)) this.#open.set(name, new SegmentFile(join(this.#folder, name)));
      yield* settled(nodeFiles.syncFolder(this.#folder).catch(unlessSystemError)); // a list that is lost is made anew
      yield* this.removeLeftovers();
      isDone = true;
    } finally {
      if (!isDone) for (const path of this.#leftovers()) rmSync(path, { force: true });
    }
  }

  /** Removes files that do not count: of a write that was killed, or replaced. Only the holder of the lease may. */
  *removeLeftovers(): WaitingTask<void> {
    for (const path of this.#leftovers()) yield* settled(rm(path, { force: true }));
  }

  #leftovers(): readonly string[] {
    const names = new Set(this.list());
    return readdirSync(this.#folder)
      .filter((name) => name.startsWith(TEMPORARY_PREFIX) || (name.endsWith(SUFFIX) && !names.has(name)))
      .map((name) => join(this.#folder, name));
  }

  /** Closes the files until they are read again. */
  release(): void {
    for (const file of this.#open.values()) file.release();
  }

  #check(name: string): void {
    if (this.#open.has(name)) return;
    try {
      const file = new SegmentFile(join(this.#folder, name));
      if (file.isWhole) this.#open.set(name, file);
      else file.release();
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
    }
  }

  /** Opens it. */
  #isThere(name: string): boolean {
    try {
      this.#open.get(name)?.open();
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
      this.#open.delete(name);
    }
    return this.#open.has(name);
  }

  #readList(): string {
    try {
      return readFileSync(join(this.#folder, LIST_FILE), "utf8");
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return "";
      throw error;
    }
  }
}

async function writeList(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function unlessSystemError(error: unknown): void {
  if (systemErrorCode(error) === undefined) throw error;
}

/** None of a list that is missing, damaged or of another version. */
function namesIn(text: string): readonly string[] {
  const list = tryParseJson(text);
  if (typeof list !== "object" || list === null || !("version" in list) || list.version !== VERSION) return [];
  if (!("segments" in list) || !Array.isArray(list.segments)) return [];
  return list.segments.filter((name): name is string => typeof name === "string" && /^[\w-]+\.segment$/.test(name));
}
