/**
 * One owner per conversation: sql.js has no lock of its own, and two writers destroy the file.
 *
 * Files `lease.<generation>`; the highest one counts. Taking = creating generation top + 1 with link(2) from a complete
 * temporary file (atomic, never half written), allowed only when the top one is released or its owner is dead. The top
 * file is superseded, never deleted, so two takers cannot both win: the slower one gets EEXIST, or sees a higher
 * generation afterwards and withdraws. An owner is host + boot + process id + start time, so kill -9 frees at once and
 * a reused process id is recognized as another process.
 *
 * A brief lease says that it is held for moments only, as by what copies a closed conversation: whoever wants the folder
 * waits for its end instead of failing.
 */

import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { storageFailed, type ConversationInUse, type StorageFailed } from "../../core/errors.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { systemClock } from "./clock.ts";
import {
  systemErrorCode,
  fileFailure,
  nodeFiles,
  TEMPORARY_PREFIX,
  undefinedIfMissing,
  unlinkIfThere,
  type Files,
} from "./files.ts";
import {
  generationsIn,
  serializeOwner,
  leaseName,
  markReleased,
  createOwner,
  ownerState,
  parseLease,
  RELEASED_TEXT,
  type LeaseContent,
  type OwnerState,
} from "./leaseFile.ts";
import { thisPlatform, type Platform } from "./platform.ts";

/** Held by this process until `release`, or until the process ends in any way. */
export interface Lease {
  readonly folder: string;
  /** The lease file. If it disappears, another window has taken the folder over at the user's request. */
  readonly file: string;
  /**
   * Idempotent. If it fails, the folder is free for this process at once, and for others when this process ends. Call
   * only when nothing in this process writes to the folder any more.
   */
  release(): Promise<Result<void, StorageFailed>>;
}

export interface LeaseOptions {
  /** Take the lease from an owner whose state cannot be determined from here. Only at the user's request. */
  readonly takeOverUnknown?: boolean;
  /** It is released within a moment: meanwhile others wait for it, and lists do not show the conversation as open. */
  readonly isBrief?: boolean;
  readonly watcher?: LeaseWatcher;
  readonly files?: Files;
  readonly platform?: Platform;
  readonly clock?: Pick<Clock, "after">;
}

/** Of leases by their files and nonces. */
export interface LeaseWatcher {
  /** Before the file is there. */
  taking(file: string, nonce: string): void;
  /** Released, or not taken after all. */
  over(file: string, nonce: string): void;
}

export const NO_WATCHER: LeaseWatcher = { taking: () => undefined, over: () => undefined };

const ATTEMPTS = 100;
const TORN_AGE_MS = 2_000; // without links a lease file is created empty, and written within milliseconds
const TORN_PAUSE_MS = 50;
const BRIEF_PAUSE_MS = 20;
/** 3 seconds: whoever holds a brief lease for longer hangs, or has much to do. */
const BRIEF_PAUSES = 150;
const TEMPORARY_AGE_MS = 24 * 60 * 60 * 1_000;
const NO_LINKS: readonly (string | undefined)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"];

/** `folder` must exist. Fails if the owner is alive, or its state is unknown; waits for a brief one. */
export async function acquireLease(
  folder: string,
  options: LeaseOptions = {},
): Promise<Result<Lease, ConversationInUse | StorageFailed>> {
  const { takeOverUnknown = false, isBrief = false, watcher = NO_WATCHER, clock = systemClock } = options;
  const { files = nodeFiles, platform = thisPlatform() } = options;
  let pauses = 0;
  try {
    for (let attempt = 0; attempt < ATTEMPTS + pauses; attempt++) {
      const top = generationsIn(await files.list(folder))[0] ?? 0;
      const held = await holderOf(folder, top, files, platform);
      if (held === "changing") continue;
      if (held !== undefined && !(held.error.owner === "unknown" && takeOverUnknown)) {
        if (!held.isBrief || pauses++ === BRIEF_PAUSES) return err(held.error);
        await new Promise<void>((resolve) => clock.after(BRIEF_PAUSE_MS, resolve));
        continue;
      }
      const lease = await take({ folder, generation: top + 1, isBrief, watcher, files, platform });
      if (lease !== undefined) return ok(lease);
    }
    return err(storageFailed(undefined, "too many windows want this conversation at once"));
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** State of the folder: free, or soon to be; held by this process, or by another one. Rejects if it cannot be read. */
export async function leaseState(
  folder: string,
  files: Files = nodeFiles,
  platform: Platform = thisPlatform(),
): Promise<"free" | "own" | "alive" | "unknown"> {
  return stateOf(await topLease(folder, await files.list(folder), files), platform);
}

/** The lease that counts, of a folder with files of these names; `undefined` if there is none. */
export function topLease(folder: string, names: readonly string[], files: Files): Promise<LeaseContent | undefined> {
  return readLease(folder, generationsIn(names)[0] ?? 0, files);
}

export async function stateOf(
  lease: LeaseContent | undefined,
  platform: Platform,
): Promise<"free" | "own" | "alive" | "unknown"> {
  if (lease?.kind !== "held" || lease.owner.isBrief === true) return "free";
  const state = await ownerState(lease.owner, platform);
  if (state === "dead") return "free";
  return state === "alive" && lease.owner.pid === process.pid ? "own" : state;
}

type Holder = { readonly error: ConversationInUse; readonly isBrief: boolean } | "changing" | undefined;

async function holderOf(folder: string, top: number, files: Files, platform: Platform): Promise<Holder> {
  if (top === 0) return undefined;
  const content = await readLease(folder, top, files);
  if (content === undefined) return "changing"; // superseded in the meantime
  if (content.kind === "released") return undefined;
  if (content.kind === "torn") {
    const { mtimeMs } = await files.stat(join(folder, leaseName(top)));
    if (Math.abs(Date.now() - mtimeMs) > TORN_AGE_MS) return undefined;
    await new Promise((resolve) => setTimeout(resolve, TORN_PAUSE_MS));
    return "changing";
  }
  const state: OwnerState = await ownerState(content.owner, platform);
  if (state === "dead") return undefined;
  const { hostName: host, pid, isBrief = false } = content.owner;
  return { error: { code: "CONVERSATION_IN_USE", owner: state, host, pid }, isBrief };
}

async function readLease(folder: string, generation: number, files: Files): Promise<LeaseContent | undefined> {
  if (generation === 0) return undefined;
  try {
    return parseLease(await files.readText(join(folder, leaseName(generation))));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

interface Taking {
  readonly folder: string;
  readonly generation: number;
  readonly isBrief: boolean;
  readonly watcher: LeaseWatcher;
  readonly files: Files;
  readonly platform: Platform;
}

/** `undefined` if another process was faster. */
async function take({ folder, generation, isBrief, watcher, files, platform }: Taking): Promise<Lease | undefined> {
  const path = join(folder, leaseName(generation));
  const owner = await createOwner(platform, isBrief);
  const temporary = join(folder, TEMPORARY_PREFIX + randomUUID());
  const text = serializeOwner(owner);
  await files.writeNew(temporary, text);
  watcher.taking(path, owner.nonce);
  if (!(await createAtomically({ temporary, path, text, files }))) {
    watcher.over(path, owner.nonce);
    await unlinkIfThere(files, temporary);
    return undefined;
  }
  const lease = new HeldLease(folder, path, { nonce: owner.nonce, length: Buffer.byteLength(text), watcher, files });
  try {
    await unlinkIfThere(files, temporary);
    const names = await files.list(folder);
    const [newest, ...older] = generationsIn(names);
    if (newest !== generation) {
      await unlinkIfThere(files, path); // too late: a higher generation exists
      watcher.over(path, owner.nonce);
      return undefined;
    }
    for (const old of older) await unlinkIfThere(files, join(folder, leaseName(old)));
    await removeOldTemporaries(folder, names, files);
    return lease;
  } catch (error) {
    await lease.release(); // otherwise nobody could take it while this process is alive
    throw error;
  }
}

interface Making {
  /** A complete file, to be linked. */
  readonly temporary: string;
  readonly path: string;
  readonly text: string;
  readonly files: Files;
}

/** Atomically creates the complete file; false if the name is taken. */
async function createAtomically({ temporary, path, text, files }: Making): Promise<boolean> {
  try {
    await files.link(temporary, path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    if (!NO_LINKS.includes(systemErrorCode(error))) throw error;
    return await writeDirectly(path, text, files); // exFAT and some network drives do not support links
  }
}

async function writeDirectly(path: string, text: string, files: Files): Promise<boolean> {
  try {
    await files.writeNew(path, text);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes temporary files of killed processes. Recent ones may belong to another window that is taking the lease. */
async function removeOldTemporaries(folder: string, names: readonly string[], files: Files): Promise<void> {
  for (const name of names.filter((candidate) => candidate.startsWith(TEMPORARY_PREFIX))) {
    const path = join(folder, name);
    try {
      const { mtimeMs } = await files.stat(path);
      if (Date.now() - mtimeMs > TEMPORARY_AGE_MS) await unlinkIfThere(files, path);
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
    }
  }
}

/** Lets go of a lease that a thread of this process held when it ended. Nothing may still write to its folder. */
export async function releaseLeft(file: string, nonce: string, files: Files = nodeFiles): Promise<void> {
  markReleased(nonce);
  const text = await undefinedIfMissing(files.readText(file)).catch(() => undefined);
  if (text === undefined) return; // it was moved or removed, with its folder
  const content = parseLease(text);
  if (content.kind !== "held" || content.owner.nonce !== nonce) return;
  const length = Buffer.byteLength(text);
  await new HeldLease(dirname(file), file, { nonce, length, watcher: NO_WATCHER, files }).release();
}

interface HeldLeaseOptions {
  readonly nonce: string;
  /** Of its text, in bytes. */
  readonly length: number;
  readonly watcher: LeaseWatcher;
  readonly files: Files;
}

class HeldLease implements Lease {
  readonly folder: string;
  readonly file: string;
  readonly #nonce: string;
  readonly #length: number;
  readonly #watcher: LeaseWatcher;
  readonly #files: Files;
  #released: Promise<Result<void, StorageFailed>> | undefined;

  constructor(folder: string, file: string, { nonce, length, watcher, files }: HeldLeaseOptions) {
    this.folder = folder;
    this.file = file;
    this.#nonce = nonce;
    this.#length = length;
    this.#watcher = watcher;
    this.#files = files;
  }

  async release(): Promise<Result<void, StorageFailed>> {
    markReleased(this.#nonce);
    const released = (this.#released ??= this.#release());
    const result = await released;
    if (result.ok) this.#watcher.over(this.file, this.#nonce);
    else if (this.#released === released) this.#released = undefined; // may be retried
    return result;
  }

  /** In place, which makes no file: whoever reads half of it reads again, as of a lease that is being written. */
  async #release(): Promise<Result<void, StorageFailed>> {
    try {
      await this.#files.overwrite(this.file, RELEASED_TEXT.padEnd(this.#length));
      return ok(undefined);
    } catch (error) {
      return await this.#releaseWithoutSpace(fileFailure(error));
    }
  }

  /** A full disk allows no new file, but truncation: an empty lease counts as released. */
  async #releaseWithoutSpace(first: StorageFailed): Promise<Result<void, StorageFailed>> {
    try {
      await this.#files.truncate(this.file);
      return ok(undefined);
    } catch (error) {
      const second = fileFailure(error);
      // The folder is gone, or another window has taken it over.
      return second.reason === "fileGone" ? ok(undefined) : err(first);
    }
  }
}
