/**
 * What crashes leave among the conversations, and nobody wants: an import that was not finished, a folder in which nothing
 * was ever said, an erasing that was interrupted. Whatever holds a message is kept, and becomes a conversation where it is
 * none yet; what somebody has open, or may be about to open, is left alone.
 */

import { basename, dirname, join } from "node:path";
import type { ConversationInUse, StorageFailed } from "../../core/errors.ts";
import { parseConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { fileFailure, nodeFiles, TEMPORARY_PREFIX, unlessMissing, unlinkIfThere, type Files } from "./files.ts";
import { REQUESTS_FOLDER } from "./handOver.ts";
import { acquireLease, type Lease, type LeaseOptions } from "./lease.ts";
import { moveLeasedFolder } from "./movedFolder.ts";
import { removeFolder } from "./removedFolder.ts";
import { ERASING, finishErasing, type TrashPlaces } from "./trash.ts";

/** Of a folder's name while an import fills it. */
export const IMPORTING = ".importing";

/** In the folder that an import fills: what is imported, where Forge itself wrote it. */
export const IMPORT_FILE = "import.json";

/** Where earlier versions wrote what a fork copies: beside the conversations. */
const OLD_FORK_FILE = /^fork-[0-9a-f-]{36}\.json$/;

/** How to tidy. */
export interface TidyOptions extends Omit<LeaseOptions, "takeOverUnknown"> {
  /** Whether the database in a folder, whose lease is held, holds a message. */
  readonly holdsMessages: (folder: string) => Promise<Result<boolean, StorageFailed>>;
  readonly nowMs: number;
}

/** An import has its lease within milliseconds. */
const IMPORT_AGE_MS = 60 * 1_000;
/** A window that begins a conversation may leave it empty for hours. */
const EMPTY_AGE_MS = 24 * 60 * 60 * 1_000;

/** Tidies; answers what stood in the way. Nothing depends on it being done. */
export async function tidyLeftovers(places: TrashPlaces, options: TidyOptions): Promise<readonly StorageFailed[]> {
  const failures: StorageFailed[] = [];
  const attempt = async (work: () => Promise<Result<void, ConversationInUse | StorageFailed>>): Promise<void> => {
    const done = await work().catch((error: unknown) => err(fileFailure(error)));
    if (!done.ok && done.error.code === "STORAGE_FAILED") failures.push(done.error);
  };
  const { files = nodeFiles } = options;
  for (const root of [places.conversations, places.trash]) await attempt(() => finishErasing(root, files));
  await attempt(async () => {
    for (const name of (await unlessMissing(files.list(places.conversations))) ?? []) {
      const folder = join(places.conversations, name);
      if (name.endsWith(IMPORTING)) await attempt(() => settleImport(folder, options));
      else if (parseConversationId(name) !== undefined) await attempt(() => removeIfEmpty(folder, options));
    }
    return ok(undefined);
  });
  await attempt(() => removeOldForkFiles(dirname(places.conversations), options));
  return failures;
}

/** Removes what a crash left of forks that earlier versions made, unless one of them may be under way. */
async function removeOldForkFiles(storage: string, options: TidyOptions): Promise<Settled> {
  const { files = nodeFiles } = options;
  for (const name of (await unlessMissing(files.list(storage))) ?? []) {
    const file = join(storage, name);
    if (OLD_FORK_FILE.test(name) && (await isOlderThan(file, IMPORT_AGE_MS, options))) await unlinkIfThere(files, file);
  }
  return ok(undefined);
}

/** Erases them all. */
export async function eraseOldForkFiles(
  storage: string,
  files: Files = nodeFiles,
): Promise<Result<void, StorageFailed>> {
  try {
    for (const name of (await unlessMissing(files.list(storage))) ?? [])
      if (OLD_FORK_FILE.test(name)) await unlinkIfThere(files, join(storage, name));
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

type Settled = Result<void, ConversationInUse | StorageFailed>;

/** An import that ended without a word: its conversation is whole or there is none, as it is made in one transaction. */
async function settleImport(folder: string, options: TidyOptions): Promise<Settled> {
  const { files = nodeFiles, holdsMessages } = options;
  const id = parseConversationId(basename(folder, IMPORTING));
  if (id === undefined || !(await isOlderThan(folder, IMPORT_AGE_MS, options))) return ok(undefined);
  return await whileLeased(folder, options, async (lease) => {
    const holds = await holdsMessages(folder);
    if (!holds.ok) return holds;
    await unlinkIfThere(files, join(folder, IMPORT_FILE));
    if (holds.value) await moveLeasedFolder(lease, join(dirname(folder), id), files);
    else await eraseLeased(folder, files);
    return ok(undefined);
  });
}

async function removeIfEmpty(folder: string, options: TidyOptions): Promise<Settled> {
  const { files = nodeFiles } = options;
  if (!isEmpty(await files.list(folder)) || !(await isOlderThan(folder, EMPTY_AGE_MS, options))) return ok(undefined);
  return await whileLeased(folder, options, async () => {
    if (isEmpty(await files.list(folder))) await eraseLeased(folder, files);
    return ok(undefined);
  });
}

/** Nothing but leases, what was on its way to become one, and requests to let go. */
function isEmpty(names: readonly string[]): boolean {
  return names.every(
    (name) => /^lease\.\d+$/.test(name) || name.startsWith(TEMPORARY_PREFIX) || name === REQUESTS_FOLDER,
  );
}

/** The lease is given back, unless its folder is gone or has given it back under another name. */
async function whileLeased(
  folder: string,
  options: TidyOptions,
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

/** Takes the name away first: whoever looks meanwhile finds the whole folder or none. */
async function eraseLeased(folder: string, files: Files): Promise<void> {
  await files.rename(folder, folder + ERASING);
  await removeFolder(folder + ERASING, files);
  await files.syncFolder(dirname(folder));
}

/** A clock that was set back makes nothing old. */
async function isOlderThan(folder: string, ageMs: number, { files = nodeFiles, nowMs }: TidyOptions): Promise<boolean> {
  return nowMs - (await files.stat(folder)).mtimeMs > ageMs;
}
