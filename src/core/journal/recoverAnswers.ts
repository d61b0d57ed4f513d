/** Recovers streamed answers from the rows that a crash left. Pure, so an interrupted recovery is simply run again. */

import type { ForgeError } from "../errors.ts";
import { messageId, modelId, type StepId } from "../ids.ts";
import { countIn, tryParseJson } from "../json.ts";
import type { AnswerStop, Message } from "../message.ts";
import { answerStop } from "../stream/answerStop.ts";
import type { ProviderUsage, StopReason } from "../stream/streamEvent.ts";
import { isToolRow, isUnsentRow, type JournalRow } from "../store/journalRow.ts";
import { MessageBuilder } from "./messageBuilder.ts";
import { contentEvent, parseBegin, parseObject, type StepBeginning } from "./stepContent.ts";

/** An answer in the journal that is not in the history. */
export interface RecoverableAnswer extends Omit<StepBeginning, "limits"> {
  /**
   * `complete`: the model finished, and the answer only has to enter the history. `errored`: the stream failed.
   * `incomplete`: the answer was cut off, or a part of it could not be read.
   */
  readonly kind: "complete" | "errored" | "incomplete";
  readonly stepId: StepId;
  /** Everything that was durable. */
  readonly message: Message;
  /** Only when `errored`. */
  readonly error?: ForgeError;
  /** Only when `complete`. */
  readonly stopReason?: StopReason;
  /** Why the model stopped, if not because it was done. Only when `complete`. */
  readonly stop?: AnswerStop;
  readonly startedAtMs: number;
  readonly lastAtMs: number;
}

/** Answers to the oldest question first, regardless of clock changes. */
export function recoverAnswers(rows: readonly JournalRow[]): readonly RecoverableAnswer[] {
  const steps = new Map<StepId, JournalRow[]>();
  for (const row of rows) {
    const step = steps.get(row.stepId);
    if (step === undefined) steps.set(row.stepId, [row]);
    else step.push(row);
  }
  return [...steps.values()]
    .filter((step) => !step.some((row) => isToolRow(row) || isUnsentRow(row)))
    .flatMap((step) => leftoverOf(step.toSorted((a, b) => a.seq - b.seq)))
    .toSorted((a, b) => a.asked - b.asked || a.startedAtMs - b.startedAtMs);
}

function leftoverOf(rows: readonly JournalRow[]): readonly RecoverableAnswer[] {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  const builder = new MessageBuilder();
  for (const row of rows) {
    const event = contentEvent(row);
    if (event !== undefined) builder.add(event, row.createdAtMs);
  }
  const beginning = first.eventType === "begin" ? parseBegin(first.content) : undefined;
  const isWhole = beginning !== undefined && rows.every((row, index) => row.seq === index && isReadable(row));
  const { limits, ...begun } = beginning ?? UNKNOWN_BEGINNING;
  const ending = endingOf(last, isWhole);
  const stop = ending.stopReason === undefined ? undefined : answerStop(ending.stopReason, usageIn(rows), limits);
  return [
    {
      stepId: first.stepId,
      ...begun,
      message: builder.message(),
      startedAtMs: first.createdAtMs,
      lastAtMs: last.createdAtMs,
      ...ending,
      ...(stop === undefined ? {} : { stop }),
    },
  ];
}

/** The newest bill of the step. */
function usageIn(rows: readonly JournalRow[]): ProviderUsage | undefined {
  const row = rows.findLast(({ eventType }) => eventType === "usage");
  if (row === undefined) return undefined;
  const billed = tryParseJson(row.content);
  return {
    inputTokens: countIn(billed, "inputTokens"),
    outputTokens: countIn(billed, "outputTokens"),
    cacheReadTokens: countIn(billed, "cacheReadTokens"),
    cacheWriteTokens: countIn(billed, "cacheWriteTokens"),
    reasoningTokens: countIn(billed, "reasoningTokens"),
  };
}

// Only a damaged file lacks the first row of a step. The answer matters more than its model.
const UNKNOWN_BEGINNING: StepBeginning = { model: modelId("unknown"), asked: messageId(0) };

function isReadable(row: JournalRow): boolean {
  const holdsPart = row.eventType === "toolCallStart" || row.eventType === "toolCallArgs";
  return !holdsPart || contentEvent(row) !== undefined;
}

function endingOf(last: JournalRow, isWhole: boolean): Pick<RecoverableAnswer, "kind" | "error" | "stopReason"> {
  const value = parseObject(last.content);
  // A cancellation is no error of the answer, which is merely incomplete.
  if (last.eventType === "error" && isForgeError(value) && value.code !== "CANCELLED") {
    return { kind: "errored", error: value };
  }
  const stopReason = STOP_REASONS.find((reason) => reason === value.stopReason);
  if (last.eventType === "done" && isWhole && stopReason !== undefined) return { kind: "complete", stopReason };
  return { kind: "incomplete" };
}

const STOP_REASONS: readonly StopReason[] = [
  "endTurn",
  "maxTokens",
  "stopSequence",
  "toolUse",
  "refusal",
  "contextFull",
  "pause",
];

// Rows are written from typed errors and guarded by the database; the code identifies the error.
function isForgeError(value: object): value is ForgeError {
  return "code" in value && typeof value.code === "string";
}
