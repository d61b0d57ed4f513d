/** Opens a conversation: lease, file, index, and what a crash left. Undoes its own steps when a later one fails. */

import path from "node:path";
import { acquireLease, type Lease } from "../adapters/node/lease.ts";
import { openConversationStore } from "../adapters/sqlite/conversationStore.ts";
import type { SwitchPreview } from "../core/context/contextAdaptation.ts";
import type { ContextManager } from "../core/context/contextManager.ts";
import type { ForgeError, StorageFailed } from "../core/errors.ts";
import type { ModelRecord } from "../core/history/records.ts";
import type { ConversationId, MessageId } from "../core/ids.ts";
import { recoverJournal, type LeftoverStep } from "../core/journal/recover.ts";
import type { Message, TokenCounts } from "../core/message.ts";
import type { Clock, ConversationStore } from "../core/ports.ts";
import { ok, type Result } from "../core/result.ts";

/** Index records read in one go: a few milliseconds of work each. */
const INDEX_PAGE = 2_000;

/** An open conversation, held by this window until `close`. */
export interface OpenConversation {
  readonly id: ConversationId;
  readonly folder: string;
  readonly store: ConversationStore;
  readonly lease: Lease;
  readonly manager: ContextManager;
  /** Answers that ended badly and wait for the user's word, oldest first. */
  readonly undecided: readonly LeftoverStep[];
  /** Which models the conversation chose. Oldest first; grows with each switch. */
  readonly modelChanges: ModelChange[];
}

/** A model chosen behind a message. */
export interface ModelChange {
  /** -1: before the first. */
  readonly behind: number;
  readonly record: ModelRecord;
  /** What it did to what is sent; only of a switch in this session. */
  readonly preview?: SwitchPreview;
}

/** What an opening needs. */
export interface OpenRequest {
  readonly id: ConversationId;
  readonly folder: string;
  /** Folder of the shipped files. */
  readonly dist: string;
  readonly clock: Clock;
  /** Take it from an owner that nobody here can judge. Only on the user's word. */
  readonly takeOverUnknown: boolean;
  readonly makeManager: (store: ConversationStore) => ContextManager;
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
  const manager = request.makeManager(store.value);
  const folded = await foldIndex(store.value, manager);
  if (!folded.ok) {
    await store.value.close();
    return folded;
  }
  const undecided = await settleLeftovers(request, store.value, manager);
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
    undecided: undecided.value,
    modelChanges: folded.value,
  });
}

async function foldIndex(
  store: ConversationStore,
  manager: ContextManager,
): Promise<Result<ModelChange[], StorageFailed>> {
  const modelChanges: ModelChange[] = [];
  for (let from = 0; from < store.shape.recordCount; from += INDEX_PAGE) {
    const page = await store.readIndex(from, INDEX_PAGE);
    if (!page.ok) return page;
    for (const record of page.value) {
      manager.apply(record);
      if (record.kind === "model") modelChanges.push({ behind: manager.history.length - 1, record });
    }
  }
  return ok(modelChanges);
}

/** A whole answer that only missed its place in the history gets it; the others are the user's to decide. */
async function settleLeftovers(
  request: OpenRequest,
  store: ConversationStore,
  manager: ContextManager,
): Promise<Result<readonly LeftoverStep[], ForgeError>> {
  const undecided: LeftoverStep[] = [];
  for (const leftover of recoverJournal(store.shape.journal)) {
    if (leftover.kind === "complete") {
      const added = await addLeftover(leftover, "complete", { store, manager, countTokens: request.countTokens });
      if (!added.ok) return added;
    } else if (leftover.message.parts.length === 0) {
      const dropped = await store.commit([{ kind: "journalDrop", stepId: leftover.stepId }]);
      if (!dropped.ok) return dropped;
    } else {
      undecided.push(leftover);
    }
  }
  return ok(undecided);
}

/** What adding a leftover answer to the history needs. */
export interface AddingDeps {
  readonly store: ConversationStore;
  readonly manager: ContextManager;
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
}

/** Puts a leftover answer into the history and drops its journal, in one transaction; a second time it does nothing. */
export async function addLeftover(
  leftover: LeftoverStep,
  state: "complete" | "interrupted",
  { store, manager, countTokens }: AddingDeps,
): Promise<Result<MessageId, StorageFailed>> {
  const known = manager.history.hasStep(leftover.stepId)
    ? manager.history.entries.find((entry) => entry.step === leftover.stepId)?.id
    : undefined;
  if (known !== undefined) {
    const dropped = await store.commit([{ kind: "journalDrop", stepId: leftover.stepId }]);
    return dropped.ok ? ok(known) : dropped;
  }
  const record = manager.record(leftover.message, {
    state,
    createdAtMs: leftover.startedAtMs,
    durationMs: Math.max(0, leftover.lastAtMs - leftover.startedAtMs),
    tokens: await countTokens(leftover.message),
    model: leftover.model,
    step: leftover.stepId,
  });
  const committed = await store.commit([
    { kind: "record", record },
    { kind: "journalDrop", stepId: leftover.stepId },
  ]);
  if (!committed.ok) return committed;
  manager.apply(record);
  return ok(record.entry.id);
}
