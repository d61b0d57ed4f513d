/**
 * Cleans up after crashes: unfinished imports, conversation folders that were never used, interrupted erasures.
 * Anything that contains a message is preserved, an import as a conversation; whatever is open or may be about to be
 * opened is not touched.
 */

import { basename, dirname, join } from "node:path";
import type { ConversationInUse, StorageFailed } from "../../core/errors.ts";
import { parseConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { fileFailure, nodeFiles, TEMPORARY_PREFIX, undefinedIfMissing, unlinkIfThere, type Files } from "./files.ts";
import { REQUESTS_FOLDER } from "./handOver.ts";
import { acquireLease, type Lease, type LeaseOptions } from "./lease.ts";
import { moveLeasedFolder } from "./moveLeasedFolder.ts";
import { removeFolder } from "./removeFolder.ts";
import { ERASING_SUFFIX, completeInterruptedErasures, type TrashPlaces } from "./trash.ts";

/** Suffix of a folder's name during an import. */
export const IMPORTING_SUFFIX = ".importing";

/** The document that earlier versions wrote for forking, in the folder that became the fork. */
const IMPORT_FILE = "import.json";

/** Documents that earlier versions wrote for forking, next to the conversations folder. */
const OLD_FORK_FILE = /^fork-[0-9a-f-]{36}\.json$/;

export interface CleanupOptions extends Omit<LeaseOptions, "takeOverUnknown"> {
  /** Whether the database in `folder` contains a message. Called with the lease held. */
  readonly holdsMessages: (folder: string) => Promise<Result<boolean, StorageFailed>>;
  readonly nowMs: number;
}

/** Younger folders are skipped: an import takes its lease within milliseconds. */
const IMPORT_AGE_MS = 60 * 1_000;
/** Younger folders are skipped: a new conversation may stay empty for hours. */
const EMPTY_AGE_MS = 24 * 60 * 60 * 1_000;

/** Best effort; returns the failures. Folders that are in use are skipped. */
export async function cleanUpAfterCrash(
  places: TrashPlaces,
  options: CleanupOptions,
): Promise<readonly StorageFailed[]> {
  const failures: StorageFailed[] = [];
  const attempt = async (work: () => Promise<Result<void, ConversationInUse | StorageFailed>>): Promise<void> => {
    const done = await work().catch((error: unknown) => err(fileFailure(error)));
    if (!done.ok && done.error.code === "STORAGE_FAILED") failures.push(done.error);
  };
  const { files = nodeFiles } = options;
  for (const root of [places.conversations, places.trash])
    await attempt(() => completeInterruptedErasures(root, files));
  await attempt(async () => {
    for (const name of (await undefinedIfMissing(files.list(places.conversations))) ?? []) {
      const folder = join(places.conversations, name);
      if (name.endsWith(IMPORTING_SUFFIX)) await attempt(() => completeOrDiscardImport(folder, options));
      else if (parseConversationId(name) !== undefined) await attempt(() => removeIfEmpty(folder, options));
    }
    return ok(undefined);
  });
  await attempt(() => removeOldForkFiles(dirname(places.conversations), options));
  return failures;
}

/** Removes fork documents of earlier versions, unless recent enough to be in use. */
async function removeOldForkFiles(storage: string, options: CleanupOptions): Promise<Settled> {
  const { files = nodeFiles } = options;
  for (const name of (await undefinedIfMissing(files.list(storage))) ?? []) {
    const file = join(storage, name);
    if (OLD_FORK_FILE.test(name) && (await isOlderThan(file, IMPORT_AGE_MS, options))) await unlinkIfThere(files, file);
  }
  return ok(undefined);
}

/** Removes the fork documents regardless of age. */
export async function eraseOldForkFiles(
  storage: string,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  try {
    for (const name of (await undefinedIfMissing(files.list(storage))) ?? [])
      if (OLD_FORK_FILE.test(name)) await unlinkIfThere(files, join(storage, name));
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

type Settled = Result<void, ConversationInUse | StorageFailed>;

/** Completes or discards a crashed import. An import is one transaction, so the conversation is complete or absent. */
async function completeOrDiscardImport(folder: string, options: CleanupOptions): Promise<Settled> {
  const { files = nodeFiles, holdsMessages } = options;
  const id = parseConversationId(basename(folder, IMPORTING_SUFFIX));
  if (id === undefined || !(await isOlderThan(folder, IMPORT_AGE_MS, options))) return ok(undefined);
  return await withLease(folder, options, async (lease) => {
    const holds = await holdsMessages(folder);
    if (!holds.ok) return holds;
    await unlinkIfThere(files, join(folder, IMPORT_FILE));
    if (holds.value) await moveLeasedFolder(lease, join(dirname(folder), id), files);
    else await eraseLeased(folder, files);
    return ok(undefined);
  });
}

async function removeIfEmpty(folder: string, options: CleanupOptions): Promise<Settled> {
  const { files = nodeFiles } = options;
  if (!isEmpty(await files.list(folder)) || !(await isOlderThan(folder, EMPTY_AGE_MS, options))) return ok(undefined);
  return await withLease(folder, options, async () => {
    if (isEmpty(await files.list(folder))) await eraseLeased(folder, files);
    return ok(undefined);
  });
}

/** Nothing but lease files, temporary files and hand-over requests. */
function isEmpty(names: readonly string[]): boolean {
  return names.every(
    (name) => /^lease\.\d+$/.test(name) || name.startsWith(TEMPORARY_PREFIX) || name === REQUESTS_FOLDER,
  );
}

/** `release` is harmless if `work` has removed or moved the folder. */
async function withLease(
  folder: string,
  options: CleanupOptions,
  work: (lease: Lease) => Promise<Settled>,
): Promise<Settled> {
  const lease = await acquireLease(folder, options);
  if (!lease.ok) return lease;
  try {
    return await work(lease.value);
  } finally {
    await lease.value.release();
  }
}

/** Renames first: other processes see the complete folder or none. */
async function eraseLeased(folder: string, files: Files): Promise<void> {
  await files.rename(folder, folder + ERASING_SUFFIX);
  await removeFolder(folder + ERASING_SUFFIX, files);
  await files.syncFolder(dirname(folder));
}

/** False for a modification time in the future, after the clock was set back. */
async function isOlderThan(
  folder: string,
  ageMs: number,
  { files = nodeFiles, nowMs }: CleanupOptions,
): Promise<boolean> {
  return nowMs - (await files.stat(folder)).mtimeMs > ageMs;
}
