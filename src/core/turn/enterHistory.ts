/** Puts a message, and the results of its calls, into the history: in one transaction with the end of their journal. */

import type { ContextManager } from "../context/contextManager.ts";
import { type MessageMeta, resultsRecord } from "../context/messageRecord.ts";
import { sentForm } from "../context/request/sentResults.ts";
import type { StorageFailed } from "../errors.ts";
import { resultsNotRun, resultsOf } from "../journal/toolBatch.ts";
import { withUniqueCallIds } from "../journal/uniqueCallIds.ts";
import type { ToolJournal } from "../journal/toolJournal.ts";
import { messageId, type StepId } from "../ids.ts";
import type { Message, MessageState, TokenCounts } from "../message.ts";
import type { Clock } from "../clock.ts";
import type { ConversationStore, StoreWrite } from "../store/conversationStore.ts";
import { invariant, ok, type Result } from "../result.ts";
import type { Entered } from "./turnEvent.ts";

/** What entering needs. */
export interface EnteringDeps {
  readonly manager: ContextManager;
  readonly store: ConversationStore;
  readonly clock: Clock;
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
}

/** A streamed answer: when it began and ended, and who gave it. */
export interface StreamedMeta extends Pick<MessageMeta, "state" | "createdAtMs" | "durationMs" | "model"> {
  readonly step: StepId;
}

/** Puts a streamed answer into the history. Calls in it were not run: they get results that say so. */
export async function enterStreamed(
  streamed: Message,
  meta: StreamedMeta,
  deps: EnteringDeps,
): Promise<Result<Entered, StorageFailed>> {
  const message = withUniqueCallIds(streamed);
  const entered = await recordsOf(message, resultsNotRun(message), meta, deps);
  const writes = recordsIn(entered).map((record): StoreWrite => ({ kind: "record", record }));
  const committed = await deps.store.commit([...writes, { kind: "journalDrop", stepId: meta.step }]);
  if (!committed.ok) return committed;
  applyAll(entered, deps.manager);
  return ok(entered);
}

/** The answer that a batch belongs to, with a result for every call. */
export interface EnteredBatch extends Entered {
  readonly results: NonNullable<Entered["results"]>;
}

/**
 * Puts the open batch into the history; calls without a result get one that says so. `others` are stored with it, and may
 * name the two messages.
 */
export async function enterBatch(
  state: MessageState,
  toolJournal: ToolJournal,
  deps: EnteringDeps,
  others: (entered: EnteredBatch) => readonly StoreWrite[] = () => [],
): Promise<Result<EnteredBatch, StorageFailed>> {
  const { batch } = toolJournal;
  invariant(batch !== undefined, "a batch is open");
  const { startedAtMs, askedAtMs = startedAtMs, model, from: step } = batch;
  const meta = { state, createdAtMs: askedAtMs, durationMs: Math.max(0, startedAtMs - askedAtMs), model, step };
  const { record, results } = await recordsOf(batch.assistant, resultsOf(batch), meta, deps);
  invariant(results !== undefined, "a batch has results");
  const entered = { record, results };
  const more = others(entered);
  const committed = await toolJournal.commitBatch(record, results, more);
  if (!committed.ok) return committed;
  applyAll(entered, deps.manager);
  for (const write of more) if (write.kind === "record") deps.manager.apply(write.record);
  return ok(entered);
}

async function recordsOf(
  message: Message,
  results: Message | undefined,
  { step, ...meta }: Omit<StreamedMeta, "step"> & { readonly step: StepId | undefined },
  { manager, clock, countTokens }: EnteringDeps,
): Promise<Entered> {
  const tokens = await countTokens(message);
  const counted = results === undefined ? undefined : await resultTokens(results, { manager, countTokens });
  const record = manager.record(message, { ...meta, tokens, ...(step === undefined ? {} : { step }) });
  if (results === undefined || counted === undefined) return { record };
  const answered = { state: "complete", createdAtMs: clock.nowMs(), ...counted } as const;
  return { record, results: resultsRecord(record, results, answered) };
}

/** Tokens of results that come behind the next message, whole and as they are sent. */
async function resultTokens(
  results: Message,
  { manager, countTokens }: Pick<EnteringDeps, "manager" | "countTokens">,
): Promise<Pick<MessageMeta, "tokens" | "sentTokens">> {
  const sent = sentForm(results, messageId(manager.history.length + 1));
  const tokens = await countTokens(results);
  return sent === results ? { tokens } : { tokens, sentTokens: await countTokens(sent) };
}

function recordsIn({ record, results }: Entered): readonly Entered["record"][] {
  return results === undefined ? [record] : [record, results];
}

function applyAll(entered: Entered, manager: ContextManager): void {
  for (const record of recordsIn(entered)) manager.apply(record);
}
