/**
 * States of files that a conversation's tools changed, in a folder beside its database, so that they go with it:
 *
 *     objects/          contents, each once
 *     <id>.json         a change set
 *     restoring.json    id of the restore that is under way
 *     command.json      the command that runs, and the files before it
 *     seen.json         files after the last command, so that they need not be read again
 *
 * Contents are durable before the set that names them, and the set before the files are changed: so a kill leaves either
 * nothing, or enough to go on or to take it back.
 */

import { join } from "node:path";
import type { ChangeSet, ContentHash, KeptFile } from "../../../core/checkpoints/changeSet.ts";
import { CHANGE_SET_VERSION, parseChangeSet } from "../../../core/checkpoints/parseChangeSet.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import { countIn, parseJson } from "../../../core/json.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { fileFailure, type Files, nodeFiles, replaceFile, undefinedIfMissing, unlinkIfThere } from "../files.ts";
import { ContentStore } from "./contentStore.ts";

/** Name of the folder in that of the conversation. */
export const CHECKPOINTS = "checkpoints";

const OBJECTS = "objects";
const RESTORING = "restoring.json";
/** Files whose text is made and read elsewhere. */
type TextFile = "command.json" | "seen.json";
const TEXT_FILES: readonly TextFile[] = ["command.json", "seen.json"];
const SET_FILE = /^(\d{1,15})\.json$/;
const HASHES = /\b[0-9a-f]{64}\b/g;
const NONE: ReadonlySet<string> = new Set();

interface FoundSets {
  /** Oldest first. */
  readonly sets: readonly ChangeSet[];
  /** Ids of the others. */
  readonly unreadable: ReadonlySet<number>;
}

export class CheckpointFolder {
  readonly #folder: string;
  readonly #files: Files;
  readonly #contents: ContentStore;

  constructor(folder: string, files: Files = nodeFiles) {
    this.#folder = folder;
    this.#files = files;
    this.#contents = new ContentStore(join(folder, OBJECTS), files);
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

  /** On the disk when what names it has been written. */
  keep(bytes: Uint8Array): Promise<Result<KeptFile, StorageFailed>> {
    return this.#run(() => this.#contents.keep(bytes));
  }

  /** Keeps many contents in less time than each alone; `kept` are those that are there. */
  batch(kept: ReadonlySet<ContentHash>): KeptBatch {
    const batch = this.#contents.batch(kept);
    return { keep: (bytes) => this.#run(() => batch.keep(bytes)), end: () => this.#run(() => batch.end()) };
  }

  /** Contents that are there. */
  hashes(): Promise<Result<ReadonlySet<ContentHash>, StorageFailed>> {
    return this.#run(() => this.#contents.hashes());
  }

  /** Fails if it is not there, or not what was kept. */
  async content(hash: ContentHash): Promise<Result<Uint8Array, StorageFailed>> {
    const read = await this.#run(() => this.#contents.content(hash));
    if (!read.ok) return read;
    return read.value === undefined
      ? err({ code: "STORAGE_FAILED", reason: "damaged", detail: `The kept content ${hash} is damaged.` })
      : ok(read.value);
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
    return this.#run(() => this.#contents.size());
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
    await this.#contents.clean(named, removed, nowMs);
  }

  async #replace(name: string, text: string): Promise<void> {
    await this.#contents.sync();
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

/** Contents that are kept together. */
interface KeptBatch {
  keep(bytes: Uint8Array): Promise<Result<KeptFile, StorageFailed>>;
  /** Must succeed before the contents are named. */
  end(): Promise<Result<void, StorageFailed>>;
}

function contentsOf(sets: readonly ChangeSet[]): ReadonlySet<string> {
  const changes = sets.flatMap((set) => set.changes);
  return new Set(changes.flatMap(({ before, after }) => [before?.hash ?? "", after?.hash ?? ""]));
}
