/** Puts an answer, and the results of its calls, into the history in one transaction with the end of their journal. */

import { type MessageMeta, resultsRecord } from "../context/messageRecord.ts";
import { withTruncatedResults } from "../context/request/resultTruncation.ts";
import type { StorageFailed } from "../errors.ts";
import type { ConversationRecord } from "../history/records.ts";
import { resultsNotRun, resultsOf } from "../journal/toolBatch.ts";
import { withUniqueCallIds } from "../journal/uniqueCallIds.ts";
import type { ToolJournal } from "../journal/toolJournal.ts";
import { messageId, type StepId } from "../ids.ts";
import type { Message, MessageState, TokenCounts } from "../message.ts";
import { invariant, ok, type Result } from "../result.ts";
import type { TurnDeps } from "./turnDeps.ts";
import type { AppendedAnswer } from "./turnEvent.ts";

export type AppendDeps = Pick<TurnDeps, "conversation" | "clock" | "messageCounter">;

export interface StreamedMeta extends Pick<MessageMeta, "state" | "createdAtMs" | "durationMs" | "model"> {
  readonly step: StepId;
}

/** Calls in a streamed answer were not run: they get results that say so. */
export async function appendStreamed(
  streamed: Message,
  meta: StreamedMeta,
  deps: AppendDeps,
): Promise<Result<AppendedAnswer, StorageFailed>> {
  const message = withUniqueCallIds(streamed);
  const counted = await countAnswer(message, resultsNotRun(message), deps);
  const entered = await deps.conversation.changeBy(() => {
    const records = recordsOf(counted, meta, deps);
    return ok({ ...records, records: inOrder(records), writes: [{ kind: "journalDrop", stepId: meta.step }] });
  });
  return entered.ok ? ok(onlyEntered(entered.value)) : entered;
}

export interface AppendedBatch extends AppendedAnswer {
  readonly results: NonNullable<AppendedAnswer["results"]>;
}

/** Calls of the open batch without a result get one that says so. `others` makes records to commit with them. */
export async function appendBatch(
  state: MessageState,
  toolJournal: ToolJournal,
  deps: AppendDeps,
  others: (entered: AppendedBatch) => readonly ConversationRecord[] = () => [],
): Promise<Result<AppendedBatch, StorageFailed>> {
  const { batch } = toolJournal;
  invariant(batch !== undefined, "a batch is open");
  const { startedAtMs, askedAtMs = startedAtMs, model, from: step } = batch;
  const meta = { state, createdAtMs: askedAtMs, durationMs: Math.max(0, startedAtMs - askedAtMs), model, step };
  const answers = resultsOf(batch);
  const counted = await countAnswer(batch.assistant, answers, deps);
  const entered = await toolJournal.commitBatch(answers, (end, ended) =>
    deps.conversation.changeBy(() => {
      const { record, results } = recordsOf(counted, meta, deps);
      invariant(results !== undefined, "a batch has results");
      const batchRecords = { record, results };
      return ok({
        ...batchRecords,
        records: [record, results, ...others(batchRecords)],
        writes: [end],
        applied: ended,
      });
    }),
  );
  if (!entered.ok) return entered;
  const { record, results } = entered.value;
  return ok({ record, results });
}

interface CountedAnswer {
  readonly message: Message;
  readonly tokens: TokenCounts;
  readonly results?: { readonly message: Message } & Pick<MessageMeta, "tokens" | "sentTokens">;
}

async function countAnswer(
  message: Message,
  results: Message | undefined,
  { conversation, messageCounter }: AppendDeps,
): Promise<CountedAnswer> {
  const tokens = await messageCounter.count(message);
  if (results === undefined) return { message, tokens };
  // Results follow the answer, and are counted both in full and as sent at that position.
  const sent = withTruncatedResults(results, messageId(conversation.history.length + 1));
  const counted = { message: results, tokens: await messageCounter.count(results) };
  const isWhole = sent === results;
  return {
    message,
    tokens,
    results: isWhole ? counted : { ...counted, sentTokens: await messageCounter.count(sent) },
  };
}

/** Records of an answer at the present end of the history. */
function recordsOf(
  { message, tokens, results }: CountedAnswer,
  { step, ...meta }: Omit<StreamedMeta, "step"> & { readonly step: StepId | undefined },
  { conversation, clock }: AppendDeps,
): AppendedAnswer {
  const record = conversation.context.record(message, { ...meta, tokens, ...(step === undefined ? {} : { step }) });
  if (results === undefined) return { record };
  const { message: answers, ...counted } = results;
  const answered = { state: "complete", createdAtMs: clock.nowMs(), ...counted } as const;
  return { record, results: resultsRecord(record, answers, answered) };
}

function inOrder({ record, results }: AppendedAnswer): readonly AppendedAnswer["record"][] {
  return results === undefined ? [record] : [record, results];
}

function onlyEntered({ record, results }: AppendedAnswer): AppendedAnswer {
  return results === undefined ? { record } : { record, results };
}
