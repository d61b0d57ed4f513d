/**
 * The list of conversations is the list of their folders: no catalogue can disagree with it. A conversation that cannot
 * be read is listed as broken; nothing here ever deletes one.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { META_FILE, readMeta, type ConversationMeta } from "./conversationMeta.ts";
import { codeOf, fileFailure, nodeFiles, type Files } from "./files.ts";
import { leaseState } from "./lease.ts";
import { thisPlatform, type Platform } from "./platform.ts";

/** A conversation as it lies on the disk. */
export interface ConversationListing {
  readonly id: ConversationId;
  readonly folder: string;
  /** What the list shows; absent when the copy is missing or torn, which makes the conversation no less whole. */
  readonly meta?: ConversationMeta;
  /** From `meta`, else from the database file. */
  readonly lastUsedAtMs: number;
  /** Of the database and its log. */
  readonly sizeBytes: number;
  /** Why the conversation cannot be opened as it is, in words; absent when nothing speaks against it. */
  readonly broken?: string;
  /** Who holds it: nobody, this process, another one that lives, or one that cannot be judged from here. */
  readonly openIn: "free" | "own" | "alive" | "unknown";
}

const DATABASE_FILE = "conversation.sqlite";
const MAGIC = "SQLite format 3\0";
const AT_ONCE = 16;

/** Lists the conversations under `root`, the one used last first. A `root` that is not there holds none. */
export async function listConversations(
  root: string,
  files: Files = nodeFiles,
  platform: Platform = thisPlatform(),
): Promise<Result<readonly ConversationListing[], StorageFailed>> {
  const names = await namesIn(root, files);
  if (!names.ok) return names;
  const ids = names.value.map(parseConversationId).filter((id) => id !== undefined);
  const listings: ConversationListing[] = [];
  for (let index = 0; index < ids.length; index += AT_ONCE) {
    const some = ids.slice(index, index + AT_ONCE).map((id) => describe(root, id, files, platform));
    for (const listing of await Promise.all(some)) if (listing !== undefined) listings.push(listing);
  }
  return ok(listings.sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs || (a.id < b.id ? -1 : 1)));
}

/**
 * What there is in the folder of a conversation, before anything is opened or made there: `whole`, a conversation whose
 * database file is `missing`, or `nothing`: no folder, or one in which nothing was ever said.
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
    return codeOf(error) === "ENOENT" ? ok("nothing") : err(folderFailure(error));
  }
}

/** Makes the folder of a new conversation under `root`; answers its path. Its name is on the medium. */
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
    return codeOf(error) === "ENOENT" ? ok([]) : err(folderFailure(error));
  }
}

/** Something else stands where the folder of conversations should be, or above it. */
function folderFailure(error: unknown): StorageFailed {
  const failure = fileFailure(error);
  const isNoFolder = failure.reason === "fileGone" || codeOf(error) === "EEXIST";
  return isNoFolder ? { ...failure, reason: "noFolder" } : failure;
}

/** A crash right after its making left it, or somebody is just opening it: neither a database nor a copy for the list. */
function isUntouched(names: readonly string[]): boolean {
  return !names.some((name) => name.startsWith(DATABASE_FILE) || name === META_FILE);
}

/** `undefined` for a folder that holds nothing yet. */
async function describe(
  root: string,
  id: ConversationId,
  files: Files,
  platform: Platform,
): Promise<ConversationListing | undefined> {
  const folder = join(root, id);
  try {
    const names = await files.list(folder);
    if (isUntouched(names)) return undefined;
    const meta = await readMeta(folder, files);
    const openIn = await leaseState(folder, files, platform);
    const file = await databaseIn(folder, names, files);
    return {
      id,
      folder,
      ...(meta === undefined ? {} : { meta }),
      lastUsedAtMs: meta?.lastUsedAtMs ?? file.changedAtMs,
      sizeBytes: file.sizeBytes,
      ...(file.broken === undefined ? {} : { broken: file.broken }),
      openIn,
    };
  } catch (error) {
    const { reason, detail } = fileFailure(error);
    if (reason === "fileGone") return undefined; // removed meanwhile, or no folder at all
    return { id, folder, lastUsedAtMs: 0, sizeBytes: 0, broken: detail, openIn: "free" };
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
