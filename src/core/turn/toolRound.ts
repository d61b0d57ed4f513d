/**
 * Runs the calls of the open batch, one after another, and puts answer and results into the history. A call is on the
 * disk before its tool runs, its result before it is shown. A failure of a call is a result that says so: only failed
 * storage ends the turn.
 */

import type { ForgeError, StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import { NOT_STARTED_TEXT, type BatchCall, type ToolBatch } from "../journal/toolBatch.ts";
import type { ToolResultPart } from "../message.ts";
import { type CancelSignal, raceCancel } from "../cancellation.ts";
import { err, invariant, ok, type Result } from "../result.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import { appendBatch } from "./appendAnswer.ts";
import { describeCall, runTool, type DescribedCall } from "./toolCall.ts";
import { REPEATED_TEXT, WARN_AT_REPEATS, type RepeatedCalls } from "./repeatedCalls.ts";
import type { TurnDeps } from "./turnDeps.ts";
import type { AppendedAnswer, TurnEnd, TurnEvent } from "./turnEvent.ts";

export const REFUSED_TEXT =
  "The user does not allow this in this conversation, so it was not run. Do not try it again here.";
export const DENIED_TEXT = "The user did not allow this call, so it was not run.";

/** `entered`: the model can be asked again; else the turn has ended. */
export type RoundEnd = TurnEnd | ({ readonly kind: "entered"; readonly stepId: StepId } & AppendedAnswer);

/** The step under which listeners know the answer. */
export function stepOfBatch({ from, batchId }: ToolBatch): StepId {
  return from ?? batchId;
}

/** Runs the calls of the open batch that have not been started; none is run a second time. */
export async function* toolRound(
  deps: TurnDeps,
  repeated: RepeatedCalls,
  cancel: CancelSignal,
): AsyncGenerator<TurnEvent, RoundEnd> {
  const { batch } = deps.toolJournal;
  invariant(batch !== undefined, "a batch is open");
  const stepId = stepOfBatch(batch);
  yield { kind: "batchBegun", stepId, batch };
  for (const call of batch.calls) {
    if (cancel.aborted) break;
    if (call.state !== "notStarted") continue;
    const stored = yield* runCall({ stepId, call, deps, repeated }, cancel);
    if (!stored.ok) return { kind: "failed", stepId, error: stored.error, isPendingRecovery: true };
  }
  const isCancelled = cancel.aborted;
  if (isCancelled && deps.host.isClosing) return { kind: "failed", stepId, error: CANCELLED, isPendingRecovery: true };
  const entered = await appendBatch(isCancelled ? "cancelled" : "complete", deps.toolJournal, deps);
  if (!entered.ok) return { kind: "failed", stepId, error: entered.error, isPendingRecovery: true };
  return { kind: isCancelled ? "cancelled" : "entered", stepId, ...entered.value };
}

const CANCELLED: ForgeError = { code: "CANCELLED" };

interface Running {
  readonly stepId: StepId;
  readonly call: BatchCall;
  readonly deps: TurnDeps;
  readonly repeated: RepeatedCalls;
}

/** A call that is cancelled while running has the outcome that it had reached, or no result afterwards. */
async function* runCall(
  running: Running,
  cancel: CancelSignal,
): AsyncGenerator<TurnEvent, Result<void, StorageFailed>> {
  const { stepId, call, deps } = running;
  const { callId } = call;
  const described = await raceCancel(describeCall(call, deps.host.tools), cancel, undefined);
  if (described === undefined) return ok(undefined);
  if (!described.ok) return yield* recordResult(running, { outcome: "error", text: described.error });
  const { tool, view } = described.value;

  if (view.mustAsk === true || !deps.approvals.isAutomatic(tool, view)) {
    const answer = await raceCancel(deps.approvals.ask({ stepId, call, tool, view }, cancel), cancel, undefined);
    if (answer === undefined) return ok(undefined);
    if (answer !== "allowed") {
      const text = answer === "refused" ? REFUSED_TEXT : DENIED_TEXT;
      return yield* recordResult(running, { outcome: "denied", text }, described.value);
    }
  }
  const started = await deps.toolJournal.recordRunStart(callId, view.title);
  if (!started.ok) return err(started.error);
  if (cancel.aborted) return yield* recordResult(running, { outcome: "interrupted", text: NOT_STARTED_TEXT });
  yield { kind: "callStarted", stepId, callId, view };
  const startedAtMs = deps.clock.nowMs();
  let reached: ToolOutcome | undefined;
  const ended = runTool(described.value, cancel, (outcome) => (reached = outcome));
  const outcome = (await raceCancel<ToolOutcome | undefined>(ended, cancel, undefined)) ?? reached;
  if (outcome === undefined) return ok(undefined);
  const durationMs = Math.max(0, deps.clock.nowMs() - startedAtMs);
  return yield* recordResult(running, outcome, described.value, durationMs);
}

async function* recordResult(
  { stepId, call, deps, repeated }: Running,
  { outcome, text, sources = [], problems }: Pick<ToolResultPart, "outcome" | "text" | "sources" | "problems">,
  described?: DescribedCall,
  durationMs?: number,
): AsyncGenerator<TurnEvent, Result<void, StorageFailed>> {
  const { callId, name, inputJson } = call;
  const effect = described === undefined ? {} : { effect: described.tool.effect };
  const times = repeated.note({ name, inputJson, ...effect, result: { outcome, text } });
  const result: ToolResultPart = {
    kind: "toolResult",
    callId,
    outcome,
    text: times >= WARN_AT_REPEATS ? text + REPEATED_TEXT : text,
    ...(described === undefined ? {} : { title: described.view.title }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(sources.length === 0 ? {} : { sources }),
    ...(problems === undefined ? {} : { problems }),
  };
  const stored = await deps.toolJournal.recordResult(result);
  if (stored.ok) yield { kind: "callEnded", stepId, callId, result };
  return stored;
}
