/**
 * The list of conversations is the list of their folders: no catalogue can disagree with it. A conversation that can not
 * be read is listed as broken; nothing here ever deletes one.
 */

import { join } from "node:path";
import type { StorageFailed } from "../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { readMeta, type ConversationMeta } from "./conversationMeta.ts";
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
  /** Why the conversation can not be opened as it is, in words; absent when nothing speaks against it. */
  readonly broken?: string;
  /** Who holds it: nobody, this process, another one that lives, or one that can not be judged from here. */
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
): Promise<readonly ConversationListing[]> {
  const ids = (await namesIn(root, files)).map(parseConversationId).filter((id) => id !== undefined);
  const listings: ConversationListing[] = [];
  for (let index = 0; index < ids.length; index += AT_ONCE) {
    const some = ids.slice(index, index + AT_ONCE).map((id) => describe(root, id, files, platform));
    for (const listing of await Promise.all(some)) if (listing !== undefined) listings.push(listing);
  }
  return listings.sort((a, b) => b.lastUsedAtMs - a.lastUsedAtMs || (a.id < b.id ? -1 : 1));
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
    return err(fileFailure(error));
  }
}

async function namesIn(root: string, files: Files): Promise<readonly string[]> {
  try {
    return await files.list(root);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** `undefined` for a folder that holds nothing: a crash right after its making left it. */
async function describe(
  root: string,
  id: ConversationId,
  files: Files,
  platform: Platform,
): Promise<ConversationListing | undefined> {
  const folder = join(root, id);
  try {
    const names = await files.list(folder);
    if (names.length === 0) return undefined;
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
