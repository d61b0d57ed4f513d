/** The conversations that were imported before: those of the list, and by a fingerprint those that were deleted since. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileFailure, nodeFiles, undefinedIfMissing, unlinkIfThere } from "../../../adapters/node/files.ts";
import { importKey, type ImportLink } from "../../../core/history/importLink.ts";
import { fingerprint } from "../../../core/history/summaries/sourceHash.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { Conversations } from "../conversations.ts";
import type { ImportedBefore } from "../transfer/importFromFile.ts";
import { bringUpToDate, type StagedImport, type Updated } from "./bringUpToDate.ts";

/** Names the folders of other tools whose conversations are kept; read by `keptPlaces.ts`. */
export const KEPT_FILE = "kept.json";
const KNOWN_FILE = "known";

type Source = Pick<ImportLink, "tool" | "id">;

interface KnownImport extends Pick<ImportLink, "answers" | "bytes"> {
  readonly conversation: ConversationId;
}

export class KnownImports implements ImportedBefore {
  readonly #conversations: Conversations;
  readonly #folders: ForgeFolders;
  readonly #known: Map<string, KnownImport>;
  readonly #fingerprints: ReadonlySet<string>;

  private constructor(
    conversations: Conversations,
    folders: ForgeFolders,
    known: Map<string, KnownImport>,
    fingerprints: ReadonlySet<string>,
  ) {
    this.#conversations = conversations;
    this.#folders = folders;
    this.#known = known;
    this.#fingerprints = fingerprints;
  }

  static async read(conversations: Conversations, folders: ForgeFolders): Promise<KnownImports> {
    const known = new Map<string, KnownImport>();
    for (const { id, meta } of await conversations.list()) {
      const link = meta?.imported;
      // Of several with the same source, the one that was used last comes first.
      if (link !== undefined && !known.has(importKey(link))) known.set(importKey(link), { ...link, conversation: id });
    }
    const text = (await undefinedIfMissing(readFile(fileIn(folders), "utf8"))) ?? "";
    return new KnownImports(conversations, folders, known, new Set(text.split("\n")));
  }

  /** By `importKey`. */
  get all(): ReadonlyMap<string, Pick<ImportLink, "answers" | "bytes">> {
    return this.#known;
  }

  /** It was imported, and is no longer in the list. */
  wasDeleted(source: Source): boolean {
    return !this.#known.has(importKey(source)) && this.#fingerprints.has(fingerprint(importKey(source)));
  }

  find(source: Source): ConversationId | undefined {
    return this.#known.get(importKey(source))?.conversation;
  }

  bringUpToDate(id: ConversationId, staged: StagedImport): Promise<Updated> {
    return bringUpToDate(id, staged, this.#conversations, this.#folders);
  }

  async note(link: ImportLink, id: ConversationId): Promise<void> {
    this.#known.set(importKey(link), { ...link, conversation: id });
    await nodeFiles.makeFolder(importingFolder(this.#folders));
    await nodeFiles.append(fileIn(this.#folders), `${fingerprint(importKey(link))}\n`);
  }
}

/** Forgets what was imported, and no longer keeps what other tools write, in no window. */
export async function forgetImports(folders: Pick<ForgeFolders, "storage">): Promise<Result<void, StorageFailed>> {
  try {
    for (const name of [KEPT_FILE, KNOWN_FILE])
      await unlinkIfThere(nodeFiles, path.join(importingFolder(folders), name));
    return ok(undefined);
  } catch (error) {
    return err(fileFailure(error));
  }
}

/** Holds nothing of what was said. */
export function importingFolder({ storage }: Pick<ForgeFolders, "storage">): string {
  return path.join(storage, "importing");
}

/** A fingerprint of each imported conversation, one a line. */
function fileIn(folders: ForgeFolders): string {
  return path.join(importingFolder(folders), KNOWN_FILE);
}
