/**
 * Reads what a crash left of streamed answers. Pure: decides nothing, changes nothing, and gives the same answer each
 * time, so that an interrupted recovery is simply made again.
 */

import type { ForgeError } from "../errors.ts";
import { messageId, modelId, type StepId } from "../ids.ts";
import type { Message } from "../message.ts";
import type { StopReason } from "../stream/streamEvent.ts";
import { isToolRow, isUnsentRow, type JournalRow } from "../store/journalRow.ts";
import { MessageBuilder } from "./messageBuilder.ts";
import { contentEvent, parseBegin, parseObject, type StepBeginning } from "./stepContent.ts";

/** An answer that is in the journal and not in the history. */
export interface LeftoverStep extends StepBeginning {
  /**
   * `complete`: the model had ended, the answer only has to enter the history. `errored`: the stream had ended badly.
   * `incomplete`: the answer was cut off, or a part of it could not be read.
   */
  readonly kind: "complete" | "errored" | "incomplete";
  readonly stepId: StepId;
  /** All that was durable. */
  readonly message: Message;
  /** Why it ended badly; only when `errored`. */
  readonly error?: ForgeError;
  /** Why the model ended; only when `complete`. */
  readonly stopReason?: StopReason;
  readonly startedAtMs: number;
  readonly lastAtMs: number;
}

/** Folds left-over rows into answers: those that were asked first come first, whatever the clock did meanwhile. */
export function recoverJournal(rows: readonly JournalRow[]): readonly LeftoverStep[] {
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

function leftoverOf(rows: readonly JournalRow[]): readonly LeftoverStep[] {
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
  return [
    {
      stepId: first.stepId,
      ...(beginning ?? UNKNOWN_BEGINNING),
      message: builder.message(),
      startedAtMs: first.createdAtMs,
      lastAtMs: last.createdAtMs,
      ...endingOf(last, isWhole),
    },
  ];
}

// Only a damaged file loses the beginning of a step. The answer counts more than who gave it.
const UNKNOWN_BEGINNING: StepBeginning = { model: modelId("unknown"), asked: messageId(0) };

function isReadable(row: JournalRow): boolean {
  const holdsPart = row.eventType === "toolCallStart" || row.eventType === "toolCallArgs";
  return !holdsPart || contentEvent(row) !== undefined;
}

function endingOf(last: JournalRow, isWhole: boolean): Pick<LeftoverStep, "kind" | "error" | "stopReason"> {
  const value = parseObject(last.content);
  // An end that somebody asked for is no error of the answer: it is as long as it came.
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

// The row was written by this program from a typed error and the database guards it; the code says which error.
function isForgeError(value: object): value is ForgeError {
  return "code" in value && typeof value.code === "string";
}
