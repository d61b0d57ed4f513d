/**
 * States of files that a conversation's tools changed, in a folder beside its database, so that they go with it:
 *
 *     objects/<hash>    a content, deflated; each once
 *     <id>.json         a change set
 *     restoring.json    id of the restore that is under way
 *     command.json      the command that runs, and the files before it
 *     seen.json         files after the last command, so that they need not be read again
 *
 * Contents are durable before the set that names them, and the set before the files are changed: so a kill leaves either
 * nothing, or enough to go on or to take it back.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import type { ChangeSet, ContentHash, KeptFile } from "../../../core/checkpoints/changeSet.ts";
import { CHANGE_SET_VERSION, parseChangeSet } from "../../../core/checkpoints/parseChangeSet.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import { countIn, parseJson } from "../../../core/json.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import {
  fileFailure,
  type Files,
  nodeFiles,
  replaceFile,
  TEMPORARY_PREFIX,
  undefinedIfMissing,
  unlinkIfThere,
} from "../files.ts";

/** Name of the folder in that of the conversation. */
export const CHECKPOINTS = "checkpoints";

const OBJECTS = "objects";
const RESTORING = "restoring.json";
/** Files whose text is made and read elsewhere. */
type TextFile = "command.json" | "seen.json";
const TEXT_FILES: readonly TextFile[] = ["command.json", "seen.json"];
const SET_FILE = /^(\d{1,15})\.json$/;
const HASH = /^[0-9a-f]{64}$/;
const HASHES = /\b[0-9a-f]{64}\b/g;
const NONE: ReadonlySet<string> = new Set();
/** Another window may be about to name a content that is younger. */
const UNNAMED_MS = 60 * 60 * 1_000;
/** Longer contents are not kept. */
export const MOST_KEPT_BYTES = 64 * 1024 * 1024;

const deflate = promisify(deflateRaw);
const decompress = promisify(inflateRaw);
/** In front of a file; one that does not become smaller than this share of it is stored as it is, as pictures are. */
const SAMPLE_BYTES = 16_384;
const MOST_OF_SAMPLE = 0.9;
/** Each chunk waits for a thread, so most contents are one. */
const LEAST_CHUNK_BYTES = 1_024;
const MOST_CHUNK_BYTES = 262_144;

interface FoundSets {
  /** Oldest first. */
  readonly sets: readonly ChangeSet[];
  /** Ids of the others. */
  readonly unreadable: ReadonlySet<number>;
}

export class CheckpointFolder {
  readonly #folder: string;
  readonly #files: Files;
  /** Contents whose names the folder has been given, and those of them whose names are on the disk. */
  #named = 0;
  #synced = 0;
  #hasObjects = false;

  constructor(folder: string, files: Files = nodeFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Oldest first; a file that cannot be read is left out: a damaged one, or that of a newer Forge. */
  async list(): Promise<Result<readonly ChangeSet[], StorageFailed>> {
    const read = await this.#read();
    return read.ok ? ok(read.value.sets) : read;
  }

  /** Of a set, also of one that cannot be read: each id is used once. */
  async newestId(): Promise<Result<number, StorageFailed>> {
    const read = await this.#read();
    if (!read.ok) return read;
    return ok(Math.max(0, ...read.value.sets.map(({ id }) => id), ...read.value.unreadable));
  }

  async isUnreadable(id: number): Promise<Result<boolean, StorageFailed>> {
    const read = await this.#read();
    return read.ok ? ok(read.value.unreadable.has(id)) : read;
  }

  #read(): Promise<Result<FoundSets, StorageFailed>> {
    return this.#run(async () => {
      const names = (await undefinedIfMissing(this.#files.list(this.#folder))) ?? [];
      const sets: ChangeSet[] = [];
      const unreadable = new Set<number>();
      for (const name of names) {
        const id = SET_FILE.exec(name)?.[1];
        if (id === undefined) continue;
        const read = parseJson(await this.#files.readText(join(this.#folder, name)));
        const set = read.ok ? parseChangeSet(read.value) : undefined;
        if (set === undefined) unreadable.add(Number(id));
        else sets.push(set);
      }
      return { sets: sets.sort((one, other) => one.id - other.id), unreadable };
    });
  }

  /** On the disk when what names it has been written, as one call makes the names of many contents durable. */
  keep(bytes: Uint8Array): Promise<Result<KeptFile, StorageFailed>> {
    return this.#run(async () => {
      const hash = createHash("sha256").update(bytes).digest("hex") as ContentHash;
      const objects = join(this.#folder, OBJECTS);
      const path = join(objects, hash);
      const isThere = (await undefinedIfMissing(this.#files.stat(path))) !== undefined;
      if (!isThere) {
        if (!this.#hasObjects) await this.#files.makeFolder(objects);
        this.#hasObjects = true;
        await replaceFile(this.#files, path, await deflated(bytes), { isDurable: "content" });
      }
      this.#named++; // also what is there: the one who put it there may be about to sync its name
      return { hash, bytes: bytes.length };
    });
  }

  /** Contents that are there. */
  hashes(): Promise<Result<ReadonlySet<ContentHash>, StorageFailed>> {
    return this.#run(async () => {
      const names = (await undefinedIfMissing(this.#files.list(join(this.#folder, OBJECTS)))) ?? [];
      return new Set(names.filter((name): name is ContentHash => HASH.test(name)));
    });
  }

  /** Fails if it is not there, or not what was kept. */
  async content(hash: ContentHash): Promise<Result<Uint8Array, StorageFailed>> {
    const read = await this.#run(async () => {
      const deflated = await this.#files.readBytes(join(this.#folder, OBJECTS, hash));
      return decompress(deflated, { maxOutputLength: MOST_KEPT_BYTES }).catch(() => undefined);
    });
    if (!read.ok) return read;
    const isWhole = read.value !== undefined && createHash("sha256").update(read.value).digest("hex") === hash;
    return isWhole
      ? ok(read.value)
      : err({ code: "STORAGE_FAILED", reason: "damaged", detail: `The kept content ${hash} is damaged.` });
  }

  /** Adds a set, or replaces the one with its id. Its contents must have been kept. */
  write(set: ChangeSet): Promise<Result<void, StorageFailed>> {
    return this.#run(async () => {
      await this.#files.makeFolder(this.#folder);
      await this.#replace(`${String(set.id)}.json`, JSON.stringify({ version: CHANGE_SET_VERSION, ...set }));
    });
  }

  /** Id of the restore that a kill interrupted. */
  restoring(): Promise<Result<number | undefined, StorageFailed>> {
    return this.#run(async () => {
      const text = await undefinedIfMissing(this.#files.readText(join(this.#folder, RESTORING)));
      const read = parseJson(text ?? "");
      return read.ok ? countIn(read.value, "id") : undefined;
    });
  }

  setRestoring(id: number | undefined): Promise<Result<void, StorageFailed>> {
    return this.#run(async () => {
      if (id !== undefined) return this.#replace(RESTORING, JSON.stringify({ id }));
      await unlinkIfThere(this.#files, join(this.#folder, RESTORING));
      return this.#files.syncFolder(this.#folder);
    });
  }

  /** Empty if there is none. */
  text(file: TextFile): Promise<Result<string, StorageFailed>> {
    return this.#run(async () => (await undefinedIfMissing(this.#files.readText(join(this.#folder, file)))) ?? "");
  }

  /** On the disk when it resolves; an empty text removes the file. The contents that it names are not removed. */
  setText(file: TextFile, text: string): Promise<Result<void, StorageFailed>> {
    return this.#run(async () => {
      if (text === "") return unlinkIfThere(this.#files, join(this.#folder, file));
      await this.#files.makeFolder(this.#folder);
      return this.#replace(file, text);
    });
  }

  /** Bytes on the disk. */
  size(): Promise<Result<number, StorageFailed>> {
    return this.#run(async () => {
      const objects = join(this.#folder, OBJECTS);
      let bytes = 0;
      for (const name of (await undefinedIfMissing(this.#files.list(objects))) ?? [])
        bytes += (await this.#files.stat(join(objects, name))).size;
      return bytes;
    });
  }

  /** Removes sets, and the contents that nothing else names; none of those where a set that cannot be read may name them. */
  async remove(ids: ReadonlySet<number>, nowMs: number): Promise<Result<void, StorageFailed>> {
    const read = await this.#read();
    if (!read.ok) return read;
    const { sets, unreadable } = read.value;
    return this.#run(async () => {
      for (const id of ids) await unlinkIfThere(this.#files, join(this.#folder, `${String(id)}.json`));
      await this.#files.syncFolder(this.#folder);
      if (unreadable.size > 0) return;
      const removed = contentsOf(sets.filter(({ id }) => ids.has(id)));
      await this.#removeUnnamed(
        sets.filter(({ id }) => !ids.has(id)),
        removed,
        nowMs,
      );
    });
  }

  /** Removes old contents that nothing names, but `wanted`. */
  async removeUnnamed(wanted: ReadonlySet<string>, nowMs: number): Promise<Result<void, StorageFailed>> {
    const read = await this.#read();
    if (!read.ok) return read;
    const { sets, unreadable } = read.value;
    return unreadable.size > 0 ? ok(undefined) : this.#run(() => this.#removeUnnamed(sets, NONE, nowMs, wanted));
  }

  /** Those that are `removed` from what names them need not be old. */
  async #removeUnnamed(
    sets: readonly ChangeSet[],
    removed: ReadonlySet<string>,
    nowMs: number,
    wanted: ReadonlySet<string> = NONE,
  ): Promise<void> {
    const named = new Set([...contentsOf(sets), ...wanted]);
    for (const file of TEXT_FILES) {
      const text = await undefinedIfMissing(this.#files.readText(join(this.#folder, file)));
      for (const [hash] of text?.matchAll(HASHES) ?? []) named.add(hash);
    }
    const objects = join(this.#folder, OBJECTS);
    for (const name of (await undefinedIfMissing(this.#files.list(objects))) ?? []) {
      const isOurs = name.startsWith(TEMPORARY_PREFIX) || HASH.test(name);
      if (!isOurs || named.has(name)) continue;
      const stats = await undefinedIfMissing(this.#files.stat(join(objects, name)));
      const isOld = stats !== undefined && Math.abs(nowMs - stats.mtimeMs) > UNNAMED_MS;
      if (removed.has(name) || isOld) await unlinkIfThere(this.#files, join(objects, name));
    }
  }

  async #replace(name: string, text: string): Promise<void> {
    const named = this.#named;
    if (named > this.#synced) {
      await this.#files.syncFolder(join(this.#folder, OBJECTS));
      this.#synced = Math.max(this.#synced, named);
    }
    await replaceFile(this.#files, join(this.#folder, name), text, { isDurable: true });
  }

  async #run<T>(work: () => Promise<T>): Promise<Result<T, StorageFailed>> {
    try {
      return ok(await work());
    } catch (error) {
      return err(fileFailure(error));
    }
  }
}

/** Fast rather than small; as `inflateRaw` reads it. */
function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const isSmaller = deflateRawSync(sample, { level: constants.Z_BEST_SPEED }).length < MOST_OF_SAMPLE * sample.length;
  return deflate(bytes, {
    level: isSmaller ? constants.Z_BEST_SPEED : constants.Z_NO_COMPRESSION,
    chunkSize: Math.max(LEAST_CHUNK_BYTES, Math.min(bytes.length, MOST_CHUNK_BYTES)),
  });
}

function contentsOf(sets: readonly ChangeSet[]): ReadonlySet<string> {
  const changes = sets.flatMap((set) => set.changes);
  return new Set(changes.flatMap(({ before, after }) => [before?.hash ?? "", after?.hash ?? ""]));
}
