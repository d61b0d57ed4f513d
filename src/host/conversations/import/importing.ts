/** Looks for conversations of other tools, and imports them one after the other. One import at a time, of all windows. */

import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import { nodeFiles } from "../../../adapters/node/files.ts";
import { acquireLease } from "../../../adapters/node/lease.ts";
import { scan } from "../../../adapters/sqlite/import/scan.ts";
import type { FoundFile, FromScan, ScannedPlace, ScanRequest } from "../../../adapters/sqlite/import/scanned.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Cancelled, ConversationInUse, ForgeError, StorageFailed } from "../../../core/errors.ts";
import { parseConversationId, type ConversationId } from "../../../core/ids.ts";
import { invariant, ok, type Result } from "../../../core/result.ts";
import { WorkQueue } from "../../../core/workQueue.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { TransferFailed } from "../../words/explainFiles.ts";
import type { Conversations } from "../conversations.ts";
import { importUntrustedFile } from "../transfer/importFromFile.ts";
import { importingFolder, KnownImports } from "./knownImports.ts";

export interface Found {
  /** Newest first. */
  readonly files: readonly FoundFile[];
  readonly known: KnownImports;
}

export interface FailedFile {
  readonly file: string;
  readonly error: TransferFailed;
}

/** Of one import of some files. */
export interface ImportSummary {
  readonly created: readonly ConversationId[];
  readonly updated: readonly ConversationId[];
  /** Conversations that were here, with nothing new in the file. */
  readonly unchanged: readonly ConversationId[];
  /** Their conversations are being used, so nothing was added to them. */
  readonly busy: readonly string[];
  readonly failed: readonly FailedFile[];
  /** Files that were not looked at, as the user stopped it. */
  readonly left: number;
}

export interface ImportProgress {
  readonly done: number;
  readonly total: number;
}

export class Importing {
  readonly #conversations: Conversations;
  readonly #folders: ForgeFolders;
  readonly #work = new WorkQueue();

  constructor(conversations: Conversations, folders: ForgeFolders) {
    this.#conversations = conversations;
    this.#folders = folders;
  }

  async find(
    places: readonly ScannedPlace[],
    cancel: CancelSignal,
    onProgress?: (progress: Pick<FromScan, "done" | "total">) => void,
    seen: ScanRequest["seen"] = new Map(),
  ): Promise<Result<Found, StorageFailed | Cancelled>> {
    const known = await KnownImports.read(this.#conversations, this.#folders);
    const folder = path.join(importingFolder(this.#folders), randomUUID());
    await nodeFiles.makeFolder(folder);
    try {
      const files = await scan({
        folder,
        request: { places, known: known.all, seen },
        ...this.#shipped,
        cancel,
        ...(onProgress === undefined ? {} : { onProgress }),
      });
      return files.ok ? ok({ files: files.value, known }) : files;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Never changes the files. Fails only if another window is importing, or nothing can be stored at all. */
  async importAll(
    files: readonly string[],
    cancel: CancelSignal,
    onProgress?: (progress: ImportProgress) => void,
  ): Promise<Result<ImportSummary, ConversationInUse | StorageFailed>> {
    return this.#work.run(async () => {
      const folder = importingFolder(this.#folders);
      await nodeFiles.makeFolder(folder);
      const lease = await acquireLease(folder);
      if (!lease.ok) return lease;
      try {
        return ok(await this.#importAll(files, cancel, onProgress));
      } finally {
        await lease.value.release();
      }
    });
  }

  async #importAll(
    files: readonly string[],
    cancel: CancelSignal,
    onProgress: ((progress: ImportProgress) => void) | undefined,
  ): Promise<ImportSummary> {
    const before = await KnownImports.read(this.#conversations, this.#folders);
    const [created, updated, unchanged] = [
      new Set<ConversationId>(),
      new Set<ConversationId>(),
      new Set<ConversationId>(),
    ];
    const busy: string[] = [];
    const failed: FailedFile[] = [];
    let done = 0;
    for (const file of files) {
      if (cancel.aborted) break;
      onProgress?.({ done, total: files.length });
      const root = this.#conversations.places.conversations;
      const imported = await importUntrustedFile({ file, id: newId(), root, ...this.#shipped, before, cancel });
      if (!imported.ok && imported.error.error.code === "CANCELLED") break;
      done++;
      if (!imported.ok) {
        failed.push({ file, error: imported.error });
        continue;
      }
      for (const one of imported.value) {
        if (one.kind === "created") created.add(one.id);
        else if (one.kind === "updated") (one.answers > 0 ? updated : unchanged).add(one.id);
        else if (one.error.code === "CONVERSATION_BUSY") busy.push(file);
        else failed.push({ file, error: ofFile(one.error) });
      }
    }
    return {
      created: [...created],
      updated: [...updated],
      unchanged: [...unchanged].filter((id) => !created.has(id) && !updated.has(id)),
      busy,
      failed,
      left: files.length - done,
    };
  }

  get #shipped() {
    const { dist } = this.#folders;
    return {
      workerFile: path.join(dist, "storageWorker.cjs"),
      sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
      ranksFolder: path.join(dist, "ranks"),
    };
  }
}

function ofFile(error: ForgeError): TransferFailed {
  return error.code === "VALIDATION_ERROR" ? { of: "file", error } : { of: "conversation", error };
}

function newId(): ConversationId {
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is a conversation id");
  return id;
}
