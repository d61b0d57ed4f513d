/** Opens a conversation: lease, file, index, crash recovery. Undoes its own steps when a later one fails. */

import path from "node:path";
import { CHECKPOINTS, CheckpointFolder } from "../../adapters/node/checkpoints/checkpointFolder.ts";
import { acquireLease, type Lease } from "../../adapters/node/lease.ts";
import { openConversationStore } from "../../adapters/sqlite/conversationStore.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import { Conversation } from "../../core/conversation/conversation.ts";
import { isUnwritable, type ForgeError, type StorageFailed } from "../../core/errors.ts";
import type { ConversationId, ModelId, NewUuid } from "../../core/ids.ts";
import type { RecoverableAnswer } from "../../core/journal/recoverAnswers.ts";
import { ToolJournal } from "../../core/journal/toolJournal.ts";
import type { MessageCounter } from "../../core/tokens/messageCounter.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationStore, OpenStore } from "../../core/store/conversationStore.ts";
import { err, ok, type Err, type Result } from "../../core/result.ts";
import { settleRecovery } from "../../core/turn/settleRecovery.ts";
import { FileStates } from "../checkpoints/fileStates.ts";
import { replayRecords } from "./replayRecords.ts";

/** An open conversation, held by this window until it is closed. */
export interface OpenConversation {
  readonly id: ConversationId;
  readonly folder: string;
  readonly lease: Lease;
  /** The owner of all changes. */
  readonly conversation: Conversation;
  /** Same as `conversation.context`. */
  readonly manager: ContextManager;
  /** Same as `conversation.store`. */
  readonly store: OpenStore;
  /** Its open batch, if any, was interrupted by a crash and awaits the user's decision. */
  readonly toolJournal: ToolJournal;
  /** Interrupted answers that await the user's decision, oldest first. */
  readonly recoverable: readonly RecoverableAnswer[];
  /** Of the files that its tools changed. */
  readonly fileStates: FileStates;
}

export interface ReadRequest {
  readonly id: ConversationId;
  readonly folder: string;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  /** `model`: that of the first answer; `undefined` when there is none. */
  readonly makeManager: (store: ConversationStore, model: ModelId | undefined) => ContextManager;
  readonly messageCounter: MessageCounter;
}

export interface OpenRequest extends ReadRequest {
  /** Folder of the shipped files. */
  readonly dist: string;
  /** Take the lease from an owner whose state cannot be checked; only at the user's request. */
  readonly takeOverUnknown: boolean;
}

export interface HeldFile {
  readonly store: Pick<ConversationStore, "close" | "closed">;
  readonly lease: Pick<Lease, "release">;
}

/** Closes the file and releases the lease; where a hung worker may still be writing, once that has ended. */
export async function releaseFile({ store, lease }: HeldFile): Promise<void> {
  const closed = await store.close();
  if (closed.ok) await lease.release();
  else void store.closed.then(() => lease.release());
}

/** Runs `work`; releases what is held when it fails or throws, since nobody else would. */
export async function releaseOnFailure<T>(
  held: HeldFile,
  work: () => Promise<Result<T, ForgeError>>,
): Promise<Result<T, ForgeError>> {
  let isDone = false;
  try {
    const done = await work();
    isDone = done.ok;
    return done;
  } finally {
    if (!isDone) await releaseFile(held);
  }
}

/** Opens only for reading where nothing can be written. The folder must exist. */
export async function openConversation(request: OpenRequest): Promise<Result<OpenConversation, ForgeError>> {
  const opened = await openToWrite(request);
  const isReadable = !opened.ok && opened.error.code === "STORAGE_FAILED" && isUnwritable(opened.error);
  return isReadable ? await openToRead(request, opened.error) : opened;
}

/** Without a lease: that would be a file. A conversation that another window holds has been refused before. */
async function openToRead(
  request: OpenRequest,
  unwritable: StorageFailed,
): Promise<Result<OpenConversation, ForgeError>> {
  const store = await openConversationStore({ ...filesOf(request), unwritable });
  if (!store.ok) return store;
  const lease: Lease = { folder: request.folder, file: "", release: () => Promise.resolve(ok(undefined)) };
  const held = { store: store.value, lease };
  return await releaseOnFailure(held, () => readConversation(request, held));
}

async function openToWrite(request: OpenRequest): Promise<Result<OpenConversation, ForgeError>> {
  const lease = await acquireLease(request.folder, { takeOverUnknown: request.takeOverUnknown });
  if (!lease.ok) return lease;
  const store = await openConversationStore({ ...filesOf(request), leaseFile: lease.value.file });
  if (!store.ok) {
    await lease.value.release();
    return store;
  }
  const held = { store: store.value, lease: lease.value };
  return await releaseOnFailure(held, () => readConversation(request, held));
}

function filesOf({ folder, dist }: OpenRequest) {
  return {
    folder,
    workerFile: path.join(dist, "storageWorker.cjs"),
    sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
  };
}

/** Reads the index of a held file and recovers what a crash left in its journals. */
export async function readConversation(
  request: ReadRequest,
  { store: file, lease }: { readonly store: ConversationStore; readonly lease: Lease },
): Promise<Result<OpenConversation, ForgeError>> {
  const { id, folder, clock, newUuid, messageCounter } = request;
  const context = await replayRecords(file, (model) => request.makeManager(file, model)).catch(toDamaged);
  if (!context.ok) return context;
  const conversation = new Conversation(file, context.value, clock);
  const toolJournal = new ToolJournal(conversation.store, clock);
  const deps = { conversation, toolJournal, clock, newUuid, messageCounter };
  const recoverable = await settleRecovery(file.shape.journal, deps);
  if (!recoverable.ok) return recoverable;
  const { store } = conversation;
  return ok({
    id,
    folder,
    lease,
    conversation,
    manager: context.value,
    store,
    toolJournal,
    recoverable: recoverable.value,
    fileStates: new FileStates(new CheckpointFolder(path.join(folder, CHECKPOINTS)), clock),
  });
}

/** Records that contradict each other count as damage: a rescue reconciles them. */
function toDamaged(error: unknown): Err<StorageFailed> {
  return err({ code: "STORAGE_FAILED", reason: "damaged", detail: String(error) });
}
