/**
 * The replica in a folder that something else synchronizes or mounts: Dropbox, OneDrive, iCloud, Syncthing, a network
 * share, WebDAV, a container's mount. A file is created under its own name, written and synced, and never renamed or
 * replaced, so a synchronizer has no two versions of it. One that a crash left half-written is completed by the next put
 * of its name; until then it is shorter than it will be. Folders are made below the given one only: a share that is gone
 * must not be taken for an empty one.
 */

import { dirname, join } from "node:path";
import { raceCancel, type CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import { CANCELLED } from "../../../core/errors.ts";
import {
  isNamePrefix,
  isObjectName,
  type ListedObject,
  type LogReplica,
  MOST_OBJECT_BYTES,
  replicaFailed,
  type ReplicaFailed,
  type ReplicaFailure,
  type ReplicaResult,
} from "../../../core/replica/logReplica.ts";
import { err, invariant, ok } from "../../../core/result.ts";
import { errorDetail } from "../../../core/stream/errorDetail.ts";
import { systemClock } from "../clock.ts";
import { systemErrorCode } from "../files.ts";
import { type FolderCalls, limitedCalls, nodeFolderCalls } from "./folderCalls.ts";

export interface ReplicaFolderOptions {
  /**
   * Name of an object without which this is not the replica's folder: the empty folder where nothing is mounted now is
   * `missing`. Absent while it is set up.
   */
  readonly marker?: string;
  readonly calls?: FolderCalls;
  readonly clock?: Clock;
}

const MOST_PER_PAGE = 1_000;

export class ReplicaFolder implements LogReplica {
  readonly #root: string;
  readonly #marker: string | undefined;
  readonly #calls: FolderCalls;
  /** Permissions of the folder, which are those of everything in it. */
  #rootMode: number | undefined;

  /** `root` is an absolute path; it is never created. */
  constructor(root: string, { marker, calls = nodeFolderCalls, clock = systemClock }: ReplicaFolderOptions = {}) {
    this.#root = root;
    this.#marker = marker;
    this.#calls = limitedCalls(calls, clock);
  }

  put(name: string, bytes: Uint8Array, cancel: CancelSignal): Promise<ReplicaResult<"created" | "exists">> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    return this.#run(cancel, () => this.#put(name, bytes, cancel));
  }

  get(name: string, cancel: CancelSignal): Promise<ReplicaResult<Uint8Array | undefined>> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    return this.#run(cancel, async () => {
      const bytes = await unlessAbsent(this.#calls.readBytes(this.#pathOf(name)));
      const gone = bytes === undefined ? await this.#gone(name) : undefined;
      return gone === undefined ? ok(bytes) : err(gone);
    });
  }

  list(
    prefix: string,
    page: (objects: readonly ListedObject[]) => void,
    cancel: CancelSignal,
  ): Promise<ReplicaResult<void>> {
    invariant(isNamePrefix(prefix), `no name of an object begins with ${prefix}`);
    const passOn = (objects: readonly ListedObject[]): void => {
      if (!cancel.aborted) page(objects);
    };
    return this.#run(cancel, async () => {
      const folders = [prefix.slice(0, prefix.lastIndexOf("/") + 1)];
      for (let folder = folders.pop(); folder !== undefined && !cancel.aborted; folder = folders.pop()) {
        folders.push(...(await this.#listOne(folder, prefix, passOn, cancel)));
      }
      // A folder that is gone has been read as an empty one.
      const gone = await this.#gone();
      return gone === undefined ? ok(undefined) : err(gone);
    });
  }

  delete(name: string, cancel: CancelSignal): Promise<ReplicaResult<void>> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    return this.#run(cancel, async () => {
      const path = this.#pathOf(name);
      const wasThere = (await unlessAbsent(this.#calls.unlink(path).then(() => true))) ?? false;
      if (wasThere) await this.#calls.syncFolder(dirname(path));
      const gone = wasThere ? undefined : await this.#gone(name);
      return gone === undefined ? ok(undefined) : err(gone);
    });
  }

  async #put(name: string, bytes: Uint8Array, cancel: CancelSignal): Promise<ReplicaResult<"created" | "exists">> {
    if (bytes.length > MOST_OBJECT_BYTES) return err(replicaFailed("unexpected", `${name} is too large.`));
    const gone = await this.#gone(name);
    if (gone !== undefined) return err(gone);
    const path = this.#pathOf(name);
    const mode = (this.#rootMode ??= (await this.#calls.stat(this.#root)).mode);
    if (cancel.aborted) return err(CANCELLED);
    let outcome = await this.#create(path, bytes, mode);
    if (outcome === "noFolder") {
      await this.#makeFolders(name, mode);
      outcome = await this.#create(path, bytes, mode);
    }
    if (outcome === "noFolder") return err((await this.#gone(name)) ?? replicaFailed("busy", `${name} has no folder.`));
    await this.#calls.syncFolder(dirname(path));
    // Unmounted in between: what was written is not on the share.
    const goneSince = await this.#gone(name);
    return goneSince === undefined ? ok(outcome) : err(goneSince);
  }

  async #create(path: string, bytes: Uint8Array, mode: number): Promise<"created" | "exists" | "noFolder"> {
    try {
      await this.#calls.writeNew(path, bytes, mode & 0o666);
      return "created";
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT") return "noFolder";
      if (code !== "EEXIST") throw error;
    }
    try {
      await this.#calls.complete(path, bytes);
    } catch (error) {
      const isForReading = READ_ONLY.includes(systemErrorCode(error));
      if (!isForReading || (await this.#calls.stat(path)).size < bytes.length) throw error;
    }
    return "exists";
  }

  /** One by one, so that the root is never made. */
  async #makeFolders(name: string, mode: number): Promise<void> {
    let folder = this.#root;
    for (const part of name.split("/").slice(0, -1)) {
      const parent = folder;
      folder = join(parent, fileNameOf(part));
      try {
        await this.#calls.makeFolder(folder, mode & 0o777);
      } catch (error) {
        if (systemErrorCode(error) === "EEXIST") continue;
        if (systemErrorCode(error) === "ENOENT") return;
        throw error;
      }
      await this.#calls.syncFolder(parent);
    }
  }

  /** Passes the objects that lie directly in `folder`, which is empty or ends with `/`; returns the folders in it. */
  async #listOne(
    folder: string,
    prefix: string,
    page: (objects: readonly ListedObject[]) => void,
    cancel: CancelSignal,
  ): Promise<readonly string[]> {
    const entries = (await unlessAbsent(this.#calls.entries(this.#pathOf(folder)))) ?? [];
    const files: string[] = [];
    const folders: string[] = [];
    for (const entry of entries) {
      const part = partOf(entry.name);
      const name = `${folder}${part ?? ""}`;
      if (part === undefined || !name.startsWith(prefix) || !isObjectName(name)) continue;
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory()) folders.push(`${name}/`);
    }
    for (let at = 0; at < files.length && !cancel.aborted; at += MOST_PER_PAGE) {
      const objects = await Promise.all(
        files.slice(at, at + MOST_PER_PAGE).map(async (name): Promise<readonly ListedObject[]> => {
          const stats = await unlessAbsent(this.#calls.lstat(this.#pathOf(name)));
          return stats === undefined ? [] : [{ name, length: stats.size }];
        }),
      );
      page(objects.flat());
    }
    return folders;
  }

  /** The failure that explains why `name` cannot be found or put; `undefined` while the folder is the replica's. */
  async #gone(name?: string): Promise<ReplicaFailed | undefined> {
    const marker = name === this.#marker ? undefined : this.#marker;
    if (marker !== undefined && (await unlessAbsent(this.#calls.stat(this.#pathOf(marker)))) !== undefined) {
      return undefined;
    }
    const root = await unlessAbsent(this.#calls.stat(this.#root));
    if (root?.isDirectory() !== true) return replicaFailed("missing", errorDetail(`There is no folder ${this.#root}.`));
    if (marker === undefined) return undefined;
    return replicaFailed(
      "missing",
      errorDetail(`${this.#root} does not have what was put there: is it mounted, and synchronized?`),
    );
  }

  async #run<T>(cancel: CancelSignal, work: () => Promise<ReplicaResult<T>>): Promise<ReplicaResult<T>> {
    if (cancel.aborted) return err(CANCELLED);
    // A share that hangs lets nobody wait who does not want to any more.
    return raceCancel<ReplicaResult<T>>(
      work().catch((error: unknown) => err(folderFailure(error))),
      cancel,
      err(CANCELLED),
    );
  }

  #pathOf(name: string): string {
    return join(this.#root, ...name.split("/").map(fileNameOf));
  }
}

const READ_ONLY: readonly (string | undefined)[] = ["EACCES", "EPERM", "EROFS"];

/** Devices of Windows, with any extension, and files that it makes itself and synchronizers leave out. */
const RESERVED = /^(?:(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|(?:desktop\.ini|thumbs\.db)$)/;
/** Begins the names of files that would be reserved. No name of an object has it. */
const ESCAPE = "+";

function fileNameOf(part: string): string {
  return RESERVED.test(part) ? ESCAPE + part : part;
}

/**
 * `undefined` for what is not ours: hidden files, a synchronizer's temporary files and copies in conflict, which have
 * spaces, capitals or `~`. Such a copy without any of them is listed: its name does not fit its bytes.
 */
function partOf(fileName: string): string | undefined {
  const part = fileName.startsWith(ESCAPE) ? fileName.slice(ESCAPE.length) : fileName;
  return isObjectName(part) && fileNameOf(part) === fileName ? part : undefined;
}

/** Resolves with `undefined` if there is no such file: none of that name, or a folder. */
async function unlessAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (ABSENT.includes(systemErrorCode(error))) return undefined;
    throw error;
  }
}

const ABSENT: readonly (string | undefined)[] = ["ENOENT", "ENOTDIR", "EISDIR"];

/** Converts a system error; rethrows any other error, which is a bug. */
function folderFailure(error: unknown): ReplicaFailed {
  const code = systemErrorCode(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  return replicaFailed(REASONS[code] ?? "unexpected", errorDetail(error.message));
}

const REASONS: Readonly<Record<string, ReplicaFailure>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "readOnly",
  EACCES: "denied",
  EPERM: "denied",
  ENOENT: "missing",
  ENOTDIR: "missing",
  EBUSY: "busy",
  EAGAIN: "busy",
  EMFILE: "busy",
  ENFILE: "busy",
  ETXTBSY: "busy",
  // Shares and mounts whose other end is away; Windows has one word for most of them.
  EIO: "unreachable",
  ENXIO: "unreachable",
  ENODEV: "unreachable",
  ESTALE: "unreachable",
  ENOTCONN: "unreachable",
  ENETDOWN: "unreachable",
  ENETUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  EHOSTUNREACH: "unreachable",
  ECONNABORTED: "unreachable",
  ECONNREFUSED: "unreachable",
  ECONNRESET: "unreachable",
  ETIMEDOUT: "unreachable",
  UNKNOWN: "unreachable",
};
