/** Puts an answer, and the results of its calls, into the history in one transaction with the end of their journal. */

import { type MessageMeta, resultsRecord } from "../context/messageRecord.ts";
import { sentForm } from "../context/request/sentMessage.ts";
import type { StorageFailed } from "../errors.ts";
import type { ConversationRecord } from "../history/records.ts";
import { resultsNotRun, resultsOf } from "../journal/toolBatch.ts";
import { withUniqueCallIds } from "../journal/uniqueCallIds.ts";
import type { ToolJournal } from "../journal/toolJournal.ts";
import { messageId, type StepId } from "../ids.ts";
import type { AnswerStop, Message, MessageState } from "../message.ts";
import { invariant, ok, type Result } from "../result.ts";
import type { TurnDeps } from "./turnDeps.ts";
import type { AppendedAnswer } from "./turnEvent.ts";

export type AppendDeps = Pick<TurnDeps, "conversation" | "clock" | "messageCounter">;

export interface StreamedMeta extends Pick<
  MessageMeta,
  "state" | "createdAtMs" | "durationMs" | "model" | "stop" | "continues"
> {
  readonly step: StepId;
}

/** State of an answer that the model ended. */
export function endState(stop: AnswerStop | undefined): MessageState {
  return stop?.reason === "refusal" ? "failed" : "complete";
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
  const { startedAtMs, askedAtMs = startedAtMs, model, from: step, continues } = batch;
  const meta = {
    ...{ state, createdAtMs: askedAtMs, durationMs: Math.max(0, startedAtMs - askedAtMs), model, step },
    ...(continues === undefined ? {} : { continues }),
  };
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

type Counted = { readonly message: Message } & Pick<MessageMeta, "tokens" | "sentTokens">;

interface CountedAnswer extends Counted {
  readonly results?: Counted;
}

async function countAnswer(
  message: Message,
  results: Message | undefined,
  { conversation, messageCounter }: AppendDeps,
): Promise<CountedAnswer> {
  // Counted in full and as sent at the position that it will have; results follow the answer.
  const count = async (whole: Message, place: number): Promise<Counted> => {
    const sent = sentForm(whole, messageId(conversation.history.length + place));
    const counted = { message: whole, tokens: await messageCounter.count(whole) };
    return sent === whole ? counted : { ...counted, sentTokens: await messageCounter.count(sent) };
  };
  const counted = await count(message, 0);
  return results === undefined ? counted : { ...counted, results: await count(results, 1) };
}

/** Records of an answer at the present end of the history. */
function recordsOf(
  { message, tokens, sentTokens, results }: CountedAnswer,
  { step, ...meta }: Omit<StreamedMeta, "step"> & { readonly step: StepId | undefined },
  { conversation, clock }: AppendDeps,
): AppendedAnswer {
  const counts = { tokens, ...(sentTokens === undefined ? {} : { sentTokens }) };
  const record = conversation.context.record(message, { ...meta, ...counts, ...(step === undefined ? {} : { step }) });
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
