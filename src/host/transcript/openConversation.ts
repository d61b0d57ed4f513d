/** Opens a conversation: lease, file, index, and what a crash left. Undoes its own steps when a later one fails. */

import path from "node:path";
import { acquireLease, type Lease } from "../../adapters/node/lease.ts";
import { openConversationStore } from "../../adapters/sqlite/conversationStore.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ForgeError, StorageFailed } from "../../core/errors.ts";
import type { ConversationId, ModelId, NewUuid } from "../../core/ids.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import { ToolJournal } from "../../core/journal/toolJournal.ts";
import type { Message, TokenCounts } from "../../core/message.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";
import { err, ok, type Err, type Result } from "../../core/result.ts";
import { settleLeftovers } from "../../core/turn/leftovers.ts";
import { foldIndex, type ModelChange } from "./foldIndex.ts";
import { notingModel } from "./notedModel.ts";

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

/** What this window holds of a conversation: its open file, and the lease of its folder. */
export interface HeldFile {
  readonly store: Pick<ConversationStore, "close" | "gone">;
  readonly lease: Pick<Lease, "release">;
}

/** Closes the file and gives its folder back. A thread that hangs may still be writing: then, once it has ended. */
export async function letGo({ store, lease }: HeldFile): Promise<void> {
  const closed = await store.close();
  if (closed.ok) await lease.release();
  else void store.gone.then(() => lease.release());
}

/** Does `work` with what is held, and lets that go where it comes to nothing, be it by a bug: nobody else would. */
export async function unlessLetGo<T>(
  held: HeldFile,
  work: () => Promise<Result<T, ForgeError>>,
): Promise<Result<T, ForgeError>> {
  let isDone = false;
  try {
    const done = await work();
    isDone = done.ok;
    return done;
  } finally {
    if (!isDone) await letGo(held);
  }
}

/** Opens the conversation in `folder`, which exists. */
export async function openConversation(request: OpenRequest): Promise<Result<OpenConversation, ForgeError>> {
  const lease = await acquireLease(request.folder, { takeOverUnknown: request.takeOverUnknown });
  if (!lease.ok) return lease;
  const store = await openConversationStore({
    folder: request.folder,
    workerFile: path.join(request.dist, "storageWorker.cjs"),
    sqlJsFile: path.join(request.dist, "sql-wasm-debug.js"),
    leaseFile: lease.value.file,
  });
  if (!store.ok) {
    await lease.value.release();
    return store;
  }
  const held = { store: store.value, lease: lease.value };
  return await unlessLetGo(held, () => readConversation(request, held));
}

async function readConversation(
  request: OpenRequest,
  { store: file, lease }: Pick<OpenConversation, "store" | "lease">,
): Promise<Result<OpenConversation, ForgeError>> {
  const folded = await foldIndex(file, (model) => request.makeManager(file, model)).catch(unfoldable);
  if (!folded.ok) return folded;
  const { clock, newUuid, countTokens } = request;
  const { manager, modelChanges } = folded.value;
  const store = notingModel(file, manager, clock);
  const toolJournal = new ToolJournal(store, clock);
  const deps = { store, manager, toolJournal, clock, newUuid, countTokens };
  const undecided = await settleLeftovers(file.shape.journal, deps);
  if (!undecided.ok) return undecided;
  return ok({
    id: request.id,
    folder: request.folder,
    store,
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
