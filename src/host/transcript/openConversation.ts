/** Opens a conversation: lease, file, index, and what a crash left. Undoes its own steps when a later one fails. */

import path from "node:path";
import { acquireLease, type Lease } from "../../adapters/node/lease.ts";
import { openConversationStore } from "../../adapters/sqlite/conversationStore.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ForgeError, StorageFailed } from "../../core/errors.ts";
import type { ConversationId, ModelId } from "../../core/ids.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import { ToolJournal } from "../../core/journal/toolJournal.ts";
import type { Message, TokenCounts } from "../../core/message.ts";
import type { Clock, ConversationStore, NewUuid } from "../../core/ports.ts";
import { err, ok, type Err, type Result } from "../../core/result.ts";
import { settleLeftovers } from "../../core/turn/leftovers.ts";
import { foldIndex, type ModelChange } from "./foldIndex.ts";

/** An open conversation, held by this window until `close`. */
export interface OpenConversation {
  readonly id: ConversationId;
  readonly folder: string;
  readonly store: ConversationStore;
  readonly lease: Lease;
  readonly manager: ContextManager;
  /** Its open batch, if there is one, was cut by a crash and waits for the user's word. */
  readonly toolJournal: ToolJournal;
  /** Answers that ended badly and wait for the user's word, oldest first. */
  readonly undecided: readonly LeftoverStep[];
  /** Which models the conversation chose. Oldest first; grows with each switch. */
  readonly modelChanges: ModelChange[];
}

/** What an opening needs. */
export interface OpenRequest {
  readonly id: ConversationId;
  readonly folder: string;
  /** Folder of the shipped files. */
  readonly dist: string;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  /** Take it from an owner that nobody here can judge. Only on the user's word. */
  readonly takeOverUnknown: boolean;
  /** `model` answered first; `undefined` where none has. */
  readonly makeManager: (store: ConversationStore, model: ModelId | undefined) => ContextManager;
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
}

/** Opens the conversation in `folder`, which exists. */
export async function openConversation(request: OpenRequest): Promise<Result<OpenConversation, ForgeError>> {
  const lease = await acquireLease(request.folder, { takeOverUnknown: request.takeOverUnknown });
  if (!lease.ok) return lease;
  const opened = await openUnderLease(request, lease.value);
  if (!opened.ok) await lease.value.release();
  return opened;
}

async function openUnderLease(request: OpenRequest, lease: Lease): Promise<Result<OpenConversation, ForgeError>> {
  const store = await openConversationStore({
    folder: request.folder,
    workerFile: path.join(request.dist, "storageWorker.cjs"),
    sqlJsFile: path.join(request.dist, "sql-wasm-debug.js"),
    leaseFile: lease.file,
  });
  if (!store.ok) return store;
  const folded = await foldIndex(store.value, (model) => request.makeManager(store.value, model)).catch(unfoldable);
  if (!folded.ok) {
    await store.value.close();
    return folded;
  }
  const { clock, newUuid, countTokens } = request;
  const { manager, modelChanges } = folded.value;
  const toolJournal = new ToolJournal(store.value, clock);
  const deps = { store: store.value, manager, toolJournal, clock, newUuid, countTokens };
  const undecided = await settleLeftovers(store.value.shape.journal, deps);
  if (!undecided.ok) {
    await store.value.close();
    return undecided;
  }
  return ok({
    id: request.id,
    folder: request.folder,
    store: store.value,
    lease,
    manager,
    toolJournal,
    undecided: undecided.value,
    modelChanges,
  });
}

/** A file whose records contradict each other is to be rescued: there they are fitted to each other. */
function unfoldable(error: unknown): Err<StorageFailed> {
  return err({ code: "STORAGE_FAILED", reason: "damaged", detail: String(error) });
}
