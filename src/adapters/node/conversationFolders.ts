/**
 * The list of conversations is derived from their folders, and from a cache of those that did not change since. An
 * unreadable conversation is listed as broken; nothing here deletes one.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { META_FILE, readMeta, type ConversationMeta } from "./conversationMeta.ts";
import { systemErrorCode, fileFailure, nodeFiles, type Files } from "./files.ts";
import { stateOf, topLease } from "./lease.ts";
import { inShortSlices, stampOf, type FolderStamp, type ListingCache } from "./listingCache.ts";
import { thisPlatform, type Platform } from "./platform.ts";

export interface ConversationListing {
  readonly id: ConversationId;
  readonly folder: string;
  /** Absent if `meta.json` is missing or invalid; the conversation itself may still be intact. */
  readonly meta?: ConversationMeta;
  /** From `meta`, else the modification time of the database. */
  readonly lastUsedAtMs: number;
  /** Database plus log. */
  readonly sizeBytes: number;
  /** Why the conversation cannot be opened; absent if no problem is known. */
  readonly broken?: string;
  /** Lease holder: none, this process, another live process, or one whose state cannot be determined from here. */
  readonly openIn: "free" | "own" | "alive" | "unknown";
}

const DATABASE_FILE = "conversation.sqlite";
const MAGIC = "SQLite format 3\0";
/** Folders that are read at once. */
const CONCURRENCY = 64;

/** Most recently used first; empty if `root` does not exist. `cache`: of the same folder. */
export async function listConversations(
  root: string,
  cache?: ListingCache,
  files: Files = nodeFiles,
  platform: Platform = thisPlatform(),
): Promise<Result<readonly ConversationListing[], StorageFailed>> {
  const names = await namesIn(root, files);
  if (!names.ok) return names;
  const listings: ConversationListing[] = [];
  const unread: Unread[] = [];
  for await (const name of inShortSlices(names.value)) {
    const id = parseConversationId(name);
    if (id === undefined) continue;
    const folder = join(root, id);
    const stamp = cache && stampOf(folder, files);
    const saved = stamp && cache.find(id, stamp);
    if (saved === undefined) unread.push({ id, folder, stamp });
    else listings.push({ id, folder, ...saved, lastUsedAtMs: saved.meta.lastUsedAtMs, openIn: "free" });
  }
  for (let index = 0; index < unread.length; index += CONCURRENCY) {
    const some = unread.slice(index, index + CONCURRENCY).map(async ({ id, folder, stamp }) => {
      const described = await describe(id, folder, files, platform);
      if (described === undefined) return;
      const { listing, isClosed } = described;
      listings.push(listing);
      const { meta, sizeBytes, broken } = listing;
      if (stamp !== undefined && meta !== undefined && broken === undefined && isClosed)
        cache?.add(id, stamp, { meta, sizeBytes });
    });
    await Promise.all(some);
  }
  return ok(listings.sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs || (a.id < b.id ? -1 : 1)));
}

/**
 * Inspects a conversation's folder without opening or creating anything: `whole`; `missing` if only the database file
 * is gone; `nothing` if there is no folder, or one that never contained a message.
 */
export async function findConversation(
  folder: string,
  files: Files = nodeFiles,
): Promise<Result<"whole" | "missing" | "nothing", StorageFailed>> {
  try {
    const names = await files.list(folder);
    if (names.includes(DATABASE_FILE)) return ok("whole");
    return ok(isUntouched(names) ? "nothing" : "missing");
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? ok("nothing") : err(folderFailure(error));
  }
}

/** Creates a folder under `root` and syncs its name; returns its path. */
export async function createConversationFolder(
  root: string,
  id: ConversationId,
  files: Files = nodeFiles,
): Promise<Result<string, StorageFailed>> {
  const folder = join(root, id);
  try {
    await files.makeFolder(folder);
    await files.syncFolder(root);
    return ok(folder);
  } catch (error) {
    return err(folderFailure(error));
  }
}

async function namesIn(root: string, files: Files): Promise<Result<readonly string[], StorageFailed>> {
  try {
    return ok(await files.list(root));
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? ok([]) : err(folderFailure(error));
  }
}

/** `noFolder`: a file exists where the conversations folder or one of its parents should be. */
function folderFailure(error: unknown): StorageFailed {
  const failure = fileFailure(error);
  const isNoFolder = failure.reason === "fileGone" || systemErrorCode(error) === "EEXIST";
  return isNoFolder ? { ...failure, reason: "noFolder" } : failure;
}

/** Neither a database nor `meta.json`: left by a crash right after creation, or just being opened. */
function isUntouched(names: readonly string[]): boolean {
  return !names.some((name) => name.startsWith(DATABASE_FILE) || name === META_FILE);
}

interface Unread {
  readonly id: ConversationId;
  readonly folder: string;
  readonly stamp: FolderStamp | undefined;
}

interface Described {
  readonly listing: ConversationListing;
  /** Its last owner released it, which nobody does for an owner that was killed. */
  readonly isClosed: boolean;
}

/** `undefined` for a folder that was created but not used yet. */
async function describe(
  id: ConversationId,
  folder: string,
  files: Files,
  platform: Platform,
): Promise<Described | undefined> {
  try {
    const names = await files.list(folder);
    if (isUntouched(names)) return undefined;
    const meta = await readMeta(folder, files);
    const lease = await topLease(folder, names, files);
    const openIn = await stateOf(lease, platform);
    const file = await databaseIn(folder, names, files);
    return {
      listing: {
        id,
        folder,
        ...(meta === undefined ? {} : { meta }),
        lastUsedAtMs: meta?.lastUsedAtMs ?? file.changedAtMs,
        sizeBytes: file.sizeBytes,
        ...(file.broken === undefined ? {} : { broken: file.broken }),
        openIn,
      },
      isClosed: lease === undefined || lease.kind === "released",
    };
  } catch (error) {
    const { reason, detail } = fileFailure(error);
    if (reason === "fileGone") return undefined; // removed meanwhile, or not a folder
    const listing = { id, folder, lastUsedAtMs: 0, sizeBytes: 0, broken: detail, openIn: "free" } as const;
    return { listing, isClosed: false };
  }
}

interface DatabaseFile {
  readonly sizeBytes: number;
  readonly changedAtMs: number;
  readonly broken?: string;
}

async function databaseIn(folder: string, names: readonly string[], files: Files): Promise<DatabaseFile> {
  const parts = names.filter((name) => name === DATABASE_FILE || name === `${DATABASE_FILE}-wal`);
  const stats = await Promise.all(parts.map((name) => files.stat(join(folder, name))));
  const sizeBytes = stats.reduce((sum, { size }) => sum + size, 0);
  const changedAtMs = stats.reduce((newest, { mtimeMs }) => Math.max(newest, mtimeMs), 0);
  if (!parts.includes(DATABASE_FILE)) return { sizeBytes, changedAtMs, broken: `${DATABASE_FILE} is missing` };
  const start = await files.readStart(join(folder, DATABASE_FILE), MAGIC.length);
  const isWhole = start.length === 0 || Buffer.from(start).toString("latin1") === MAGIC;
  return isWhole ? { sizeBytes, changedAtMs } : { sizeBytes, changedAtMs, broken: `${DATABASE_FILE} is no database` };
}
