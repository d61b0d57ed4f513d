/** Imports an exported file as new conversations, which are listed only when all of them is on disk. */

import { randomUUID } from "node:crypto";
import { access, constants, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { fileFailure, nodeFiles } from "../../../adapters/node/files.ts";
import { IMPORTING_SUFFIX } from "../../../adapters/node/crashCleanup.ts";
import { acquireLease, type Lease } from "../../../adapters/node/lease.ts";
import { moveLeasedFolder } from "../../../adapters/node/moveLeasedFolder.ts";
import { importConversation, OTHERS_FOLDER } from "../../../adapters/sqlite/import/importConversation.ts";
import type { ImportedConversation } from "../../../adapters/sqlite/import/importedFacts.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { ImportLink } from "../../../core/history/importLink.ts";
import { parseConversationId, type ConversationId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ConversationBusy } from "../../../core/replica/conversationReplica.ts";
import { err, invariant, ok, type Result } from "../../../core/result.ts";
import type { FileFault, TransferFailed } from "../../words/explainFiles.ts";
import type { StagedImport, Updated } from "../import/bringUpToDate.ts";
import { writeImportedListing } from "../import/importedListing.ts";

export interface ImportOptions {
  readonly file: string;
  /** Id of the new conversation. */
  readonly id: ConversationId;
  /** Folder of all conversations. */
  readonly root: string;
  readonly workerFile: string;
  readonly sqlJsFile: string;
  /** Folder of the token ranks. Absent: the file was written by Forge itself. */
  readonly ranksFolder?: string;
  /** Conversations that were imported before; absent: none. */
  readonly before?: ImportedBefore;
  readonly cancel: CancelSignal;
}

/** Finds the conversations that were imported before, and adds to them. */
export interface ImportedBefore {
  find(link: ImportLink): ConversationId | undefined;
  bringUpToDate(id: ConversationId, staged: StagedImport): Promise<Updated>;
  note(link: ImportLink, id: ConversationId): Promise<void>;
}

const NOTHING_BEFORE: ImportedBefore = {
  find: () => undefined,
  bringUpToDate: () => Promise.resolve(ok(0)),
  note: () => Promise.resolve(),
};

/** Like `importFromFile`, for untrusted files: distinguishes faults of the file from failures of Forge's storage. */
export async function importUntrustedFile(options: ImportOptions): Promise<Result<ImportedFile, TransferFailed>> {
  const fault = await faultOf(options.file);
  if (fault !== undefined) return err({ of: "file", error: fault });
  const imported = await importFromFile(options);
  if (imported.ok) return imported;
  const { error } = imported;
  return err(error.code === "VALIDATION_ERROR" ? { of: "file", error } : { of: "conversation", error });
}

/** A reason not to read the file at all: no file, empty, or not accessible. A pipe is not opened: that would wait. */
async function faultOf(file: string): Promise<FileFault | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) return { code: "FOLDER" };
    if (!stats.isFile()) return { code: "NO_FILE" };
    await access(file, constants.R_OK);
    return stats.size === 0 ? { code: "EMPTY" } : undefined;
  } catch (error) {
    return fileFailure(error);
  }
}

/** One conversation of a file. */
export type ImportedOne =
  | { readonly kind: "created"; readonly id: ConversationId; readonly messages: number }
  /** It was here already; `answers` that it had not were added. */
  | { readonly kind: "updated"; readonly id: ConversationId; readonly answers: number }
  /** It is here and could not be brought up to date. */
  | { readonly kind: "notUpdated"; readonly id: ConversationId; readonly error: ForgeError | ConversationBusy };

/** In the order of the file; at least one. */
export type ImportedFile = readonly ImportedOne[];

/**
 * An export of a whole account has several conversations: the first one gets `id`, and each is listed only when all are
 * on disk. On failure none exists, unless the disk fails while they are being listed.
 */
export async function importFromFile({
  file,
  id,
  root,
  before = NOTHING_BEFORE,
  ...options
}: ImportOptions): Promise<Result<ImportedFile, ForgeError>> {
  const folder = path.join(root, id) + IMPORTING_SUFFIX;
  try {
    await nodeFiles.makeFolder(folder);
    // The lease keeps the cleanup of other windows away from the folder.
    const lease = await acquireLease(folder);
    if (!lease.ok) return lease;
    const imported = await importConversation({ ...options, folder, importFile: file });
    if (!imported.ok) return imported;
    return await listAll(imported.value, lease.value, { id, root, before });
  } catch (error) {
    return err(fileFailure(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first lies in the folder of `lease`, with the others inside. */
async function listAll(
  imported: readonly ImportedConversation[],
  lease: Lease,
  { id, root, before }: Required<Pick<ImportOptions, "id" | "root" | "before">>,
): Promise<Result<ImportedFile, ForgeError>> {
  const done: ImportedOne[] = [];
  const others = path.join(lease.folder, OTHERS_FOLDER);
  const list = async (facts: ImportedConversation, staged: Lease, created: ConversationId): Promise<ImportedOne> => {
    const known = facts.link && before.find(facts.link);
    if (known !== undefined) {
      const updated = await before.bringUpToDate(known, { folder: staged.folder, leaseFile: staged.file });
      if (updated.ok) return { kind: "updated", id: known, answers: updated.value };
      return { kind: "notUpdated", id: known, error: updated.error };
    }
    await writeImportedListing(staged.folder, facts);
    await moveLeasedFolder(staged, path.join(root, created), nodeFiles);
    if (facts.link !== undefined) await before.note(facts.link, created);
    return { kind: "created", id: created, messages: facts.messages };
  };
  for (const [index, facts] of imported.entries()) {
    if (index === 0) continue; // its folder has the others
    const staged = await acquireLease(path.join(others, String(index)));
    if (!staged.ok) return staged;
    done.push(await list(facts, staged.value, newId()));
  }
  if (imported.length > 1) await rm(others, { recursive: true });
  const [first] = imported;
  if (first !== undefined) done.unshift(await list(first, lease, id));
  return ok(done);
}

function newId(): ConversationId {
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is a conversation id");
  return id;
}

/** Erases what crashed imports left under `root`. */
export async function eraseUnfinishedImports(root: string): Promise<Result<void, ForgeError>> {
  try {
    for (const name of await readdir(root))
      if (name.endsWith(IMPORTING_SUFFIX)) await rm(path.join(root, name), { recursive: true, force: true });
    return ok(undefined);
  } catch (error) {
    const failure = fileFailure(error);
    return failure.reason === "fileGone" ? ok(undefined) : err(failure); // no conversation was ever created
  }
}
