/** The conversations that no window has open, for the thread that replicates. */

import path from "node:path";
import { systemClock } from "../../../adapters/node/clock.ts";
import {
  createConversationFolder,
  listConversations,
  type ConversationListing,
} from "../../../adapters/node/conversationFolders.ts";
import { readMeta, writeMeta, type ConversationMeta } from "../../../adapters/node/conversationMeta.ts";
import { nodeFiles, undefinedIfMissing } from "../../../adapters/node/files.ts";
import type { LeaseWatcher } from "../../../adapters/node/lease.ts";
import { ListingCache } from "../../../adapters/node/listingCache.ts";
import { threadFiles } from "../../../adapters/node/threadFiles.ts";
import { moveToTrash } from "../../../adapters/node/trash.ts";
import { ClosedFile, type HeldFolder } from "../../../adapters/sqlite/closedFile.ts";
import type { SqlJsShim } from "../../../adapters/sqlite/engine/sqlJsShim.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import type { FullHistory } from "../../../core/history/fullHistory.ts";
import { parseConversationId, type ConversationId } from "../../../core/ids.ts";
import type { Message, TokenCounts } from "../../../core/message.ts";
import type { ConversationReplica, ReplicatedFileFailed } from "../../../core/replica/conversationReplica.ts";
import { ok, type Result } from "../../../core/result.ts";
import { lastModelIn } from "../../connections/lastModel.ts";
import { listingStateOf } from "../../conversations/list/listingState.ts";
import { leaseOrBusy } from "./leaseOrBusy.ts";

export interface ClosedConversationsOptions {
  /** Global storage. */
  readonly storage: string;
  readonly shim: SqlJsShim;
  /** Of what stands for an erased message. */
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
  readonly leases: LeaseWatcher;
}

type ListedReplica = Pick<ConversationReplica, "history" | "recordCount">;

/** Whoever waits for a folder looks more often. */
const PAUSE_MS = 50;

export class ClosedConversations {
  readonly #options: ClosedConversationsOptions;

  constructor(options: ClosedConversationsOptions) {
    this.#options = options;
  }

  async list(): Promise<Result<readonly ConversationListing[], StorageFailed>> {
    return listConversations(this.#root, await ListingCache.read(path.join(this.#options.storage, "search")));
  }

  /** Ids of those in the trash. */
  async trashed(): Promise<ReadonlySet<ConversationId>> {
    const names = (await undefinedIfMissing(nodeFiles.list(this.#trash))) ?? [];
    return new Set(names.flatMap((name) => parseConversationId(name) ?? []));
  }

  file(id: ConversationId): ClosedFile {
    const folder = path.join(this.#root, id);
    return new ClosedFile({
      id,
      folder,
      shim: this.#options.shim,
      hold: () => this.#hold(folder),
      create: () => createConversationFolder(this.#root, id),
      countTokens: this.#options.countTokens,
      nowMs: () => systemClock.nowMs(),
      pause: () => new Promise((resolve) => systemClock.after(PAUSE_MS, resolve)),
    });
  }

  /** The list's copy of a conversation that was changed here without being opened. */
  async writeListing(id: ConversationId, replica: ListedReplica): Promise<void> {
    const held = await this.#hold(path.join(this.#root, id));
    if (!held.ok) return; // whoever has it writes its own
    try {
      await this.writeHeldListing(id, replica);
    } finally {
      await held.value.release();
    }
  }

  /** The same while the folder is held. */
  async writeHeldListing(id: ConversationId, { history, recordCount }: ListedReplica): Promise<void> {
    const folder = path.join(this.#root, id);
    const before = await readMeta(folder, threadFiles);
    await writeMeta(folder, listingOf(history, recordCount, before), { files: threadFiles, isDurable: "content" });
  }

  /** Its person deleted it on another machine. */
  async moveToTrash(id: ConversationId): Promise<boolean> {
    const moved = await moveToTrash(
      id,
      { conversations: this.#root, trash: this.#trash },
      { watcher: this.#options.leases },
    );
    return moved.ok;
  }

  /** For moments: whoever wants to open the conversation waits that long. */
  async #hold(folder: string): Promise<Result<HeldFolder, ReplicatedFileFailed>> {
    const lease = await leaseOrBusy(folder, { isBrief: true, watcher: this.#options.leases });
    return lease.ok ? ok({ leaseFile: lease.value.file, release: () => lease.value.release() }) : lease;
  }

  get #root(): string {
    return path.join(this.#options.storage, "conversations");
  }

  get #trash(): string {
    return path.join(this.#options.storage, "trash");
  }
}

function listingOf(history: FullHistory, recordCount: number, before: ConversationMeta | undefined): ConversationMeta {
  const [first, last] = [history.entries[0], history.entries.at(-1)];
  return {
    version: 1,
    title: history.title?.title ?? "",
    createdAtMs: before?.createdAtMs ?? first?.createdAtMs ?? 0,
    lastUsedAtMs: Math.max(before?.lastUsedAtMs ?? 0, last?.createdAtMs ?? 0),
    messageCount: history.length,
    recordCount,
    provider: before?.provider ?? history.model?.provider ?? "",
    model: history.model?.model ?? lastModelIn(history) ?? before?.model ?? "",
    usage: before?.usage ?? { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 },
    undecided: before?.undecided ?? 0,
    ...listingStateOf(history),
    projects: history.projects,
  };
}
