/**
 * Recovers the journals when a conversation is opened after a crash. Only what leaves nothing to decide is settled;
 * nothing is run, and nothing that was seen is dropped. Each step is one transaction, so recovery may be interrupted
 * too.
 */

import type { StorageFailed } from "../errors.ts";
import { messageId, stepId } from "../ids.ts";
import type { JournalRow } from "../store/journalRow.ts";
import { recoverAnswers, type RecoverableAnswer } from "../journal/recoverAnswers.ts";
import { recoverToolBatches } from "../journal/toolBatch.ts";
import { ok, type Result } from "../result.ts";
import type { TurnDeps } from "./turnDeps.ts";
import type { AppendedAnswer } from "./turnEvent.ts";
import { appendBatch, appendStreamed, endState, type AppendDeps } from "./appendAnswer.ts";

export type RecoveryDeps = AppendDeps & Pick<TurnDeps, "toolJournal" | "newUuid">;

/**
 * A complete answer that is not in the history enters it; a batch of calls, or an answer whose calls were about to be
 * run, is left open in the tool journal; answers that ended badly are returned, oldest first. The user decides about
 * both of these.
 */
export async function settleRecovery(
  rows: readonly JournalRow[],
  deps: RecoveryDeps,
): Promise<Result<readonly RecoverableAnswer[], StorageFailed>> {
  const { toolJournal, conversation } = deps;
  for (const { batchId, from } of recoverToolBatches(rows)) {
    if (from !== undefined && conversation.history.hasStep(from)) {
      const dropped = await conversation.store.commit([{ kind: "journalDrop", stepId: batchId }]);
      if (!dropped.ok) return dropped;
      continue;
    }
    const freed = await saveOpenBatch(deps);
    if (!freed.ok) return freed;
    toolJournal.resumeBatch(batchId, rows);
  }
  const pendingRecovery: RecoverableAnswer[] = [];
  for (const leftover of recoverAnswers(rows)) {
    if (leftover.kind === "complete") {
      const settled = isWaitingForTools(leftover) ? await openBatch(leftover, deps) : await saveAnswer(leftover, deps);
      if (!settled.ok) return settled;
    } else if (leftover.message.parts.length === 0) {
      const dropped = await conversation.store.commit([{ kind: "journalDrop", stepId: leftover.stepId }]);
      if (!dropped.ok) return dropped;
    } else {
      pendingRecovery.push(leftover);
    }
  }
  return ok(pendingRecovery);
}

/** Puts an answer into the history and drops its journal, in one transaction; `undefined` when it was there already. */
export async function saveAnswer(
  leftover: RecoverableAnswer,
  deps: AppendDeps,
): Promise<Result<AppendedAnswer | undefined, StorageFailed>> {
  const { conversation } = deps;
  if (conversation.history.hasStep(leftover.stepId)) {
    const dropped = await conversation.store.commit([{ kind: "journalDrop", stepId: leftover.stepId }]);
    return dropped.ok ? ok(undefined) : dropped;
  }
  const { kind, stop, continues } = leftover;
  const meta = {
    state: kind === "complete" ? endState(stop) : "interrupted",
    createdAtMs: leftover.startedAtMs,
    durationMs: Math.max(0, leftover.lastAtMs - leftover.startedAtMs),
    model: leftover.model,
    step: leftover.stepId,
    ...(stop === undefined ? {} : { stop }),
    ...(continues === undefined ? {} : { continues }),
  } as const;
  return appendStreamed(leftover.message, meta, deps);
}

/** Puts the open batch, if any, into the history as it is: no more of it is run. */
export async function saveOpenBatch(deps: RecoveryDeps): Promise<Result<AppendedAnswer | undefined, StorageFailed>> {
  if (deps.toolJournal.batch === undefined) return ok(undefined);
  return appendBatch("interrupted", deps.toolJournal, deps);
}

/** Puts the open batch into the history and hides it there, in one transaction: history is never deleted. */
export async function discardBatch(deps: RecoveryDeps): Promise<Result<AppendedAnswer, StorageFailed>> {
  return appendBatch("interrupted", deps.toolJournal, deps, ({ record, results }) => {
    const range = { start: record.entry.id, end: messageId(results.entry.id + 1) };
    return [{ kind: "visibility", range, hidden: true, atMs: deps.clock.nowMs() }];
  });
}

function isWaitingForTools({ stopReason, message }: RecoverableAnswer): boolean {
  return stopReason === "toolUse" && message.parts.some(({ kind }) => kind === "toolCall");
}

async function openBatch(leftover: RecoverableAnswer, deps: RecoveryDeps): Promise<Result<unknown, StorageFailed>> {
  const freed = await saveOpenBatch(deps);
  if (!freed.ok) return freed;
  const { model, asked, continues, message: assistant, stepId: from, startedAtMs: askedAtMs } = leftover;
  const batchId = stepId(deps.newUuid());
  const goesOn = continues === undefined ? {} : { continues };
  return deps.toolJournal.beginBatch({ batchId, model, asked, ...goesOn, assistant, from, askedAtMs });
}
