/**
 * One answer of the model: prepare -> stream -> journal -> show. The journal always runs ahead of what is shown. An answer
 * without calls enters the history in the transaction that drops its journal; one with calls becomes an open batch in the
 * transaction that drops it. So a crash at any point loses nothing seen.
 */

import type { PreparedContext } from "../context/request/preparedContext.ts";
import type { ForgeError } from "../errors.ts";
import { stepId, type StepId } from "../ids.ts";
import type { ActiveJournal } from "../journal/streamJournal.ts";
import type { AnswerStop, Message, MessageState } from "../message.ts";
import type { CancelSignal } from "../cancellation.ts";
import type { Provider } from "../stream/provider.ts";
import { err, ok, type Result } from "../result.ts";
import { answerStop } from "../stream/answerStop.ts";
import { durableBatches } from "../stream/durableBatches.ts";
import type { ProviderUsage, StreamEvent } from "../stream/streamEvent.ts";
import { AnswerLoops } from "./answerLoops.ts";
import { appendStreamed, endState } from "./appendAnswer.ts";
import type { TurnDeps, TurnRequest } from "./turnDeps.ts";
import type { TurnEnd, TurnEvent } from "./turnEvent.ts";

/** `calls`: the calls of the answer are an open batch now. */
export type StepEnd = TurnEnd | { readonly kind: "calls"; readonly stepId: StepId };

/** `continues`: the answer that this one goes on with. */
export async function* streamedStep(
  { asked, continues }: TurnRequest,
  deps: TurnDeps,
  cancel: CancelSignal,
): AsyncGenerator<TurnEvent, StepEnd> {
  const prepared = await prepareToFit(deps, cancel);
  if (!prepared.ok) {
    const { error } = prepared;
    return error.code === "CANCELLED" ? { kind: "cancelled" } : { kind: "failed", error, isPendingRecovery: false };
  }
  const { context, provider } = prepared.value;
  const step = stepId(deps.newUuid());
  const startedAtMs = deps.clock.nowMs();
  const { model, limits } = context;
  const request = { asked, ...(continues === undefined ? {} : { continues }) };
  const begun = await deps.journal.beginSession({ stepId: step, model, limits, startedAtMs, ...request });
  if (!begun.ok) return { kind: "failed", error: begun.error, isPendingRecovery: false };
  yield { kind: "stepStarted", stepId: step, model, startedAtMs, ...(continues === undefined ? {} : { continues }) };

  const active = begun.value;
  const stream = provider.stream(context, { model, maxOutputTokens: context.limits.maxOutput }, cancel);
  const batches = durableBatches(stream, (events) => active.append(events));
  const loops = new AnswerLoops();
  let last: StreamEvent | undefined;
  let reported: ProviderUsage | undefined;
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done === true) {
        if (!next.value.ok) last = { kind: "failed", error: next.value.error };
        break;
      }
      for (const event of next.value) {
        const shown = shownEvent(event, step);
        if (shown !== undefined) yield shown;
        if (event.kind === "usage") reported = event.usage;
        loops.read(event);
        last = event;
      }
      const loop = loops.news();
      if (loop !== undefined) yield { kind: "repeating", stepId: step, loop };
    }
  } finally {
    await batches.return(ok(undefined)); // a listener that returns early ends the request
  }
  return await settle({ deps, active, request, provider, context, startedAtMs, last, reported });
}

interface Prepared {
  readonly context: PreparedContext;
  readonly provider: Provider;
}

/** Nothing may happen between making room for the request and preparing it. */
async function prepareToFit(deps: TurnDeps, cancel: CancelSignal): Promise<Result<Prepared, ForgeError>> {
  const room = await deps.host.beforeRequest(cancel);
  if (cancel.aborted) return err({ code: "CANCELLED" });
  if (!room.ok) return room;
  const prepared = deps.conversation.context.prepare();
  switch (prepared.kind) {
    case "ready": {
      const { context } = prepared;
      // Reads the messages now: the user may switch models before the provider asks for them.
      context.apiMessages().catch(() => undefined);
      return ok({ context, provider: deps.host.provider });
    }
    case "tooLarge":
      return err(prepared.error);
    case "summarizationNeeded":
      return err({ code: "SUMMARIZATION_NEEDED", excessTokens: prepared.needed.excessTokens });
  }
}

function shownEvent(event: StreamEvent, step: StepId): TurnEvent | undefined {
  switch (event.kind) {
    case "text":
    case "thinking":
      return { kind: "delta", stepId: step, part: event.kind, text: event.text };
    case "usage":
      return event;
    case "waiting":
    case "reading":
      return { ...event, stepId: step };
    case "toolCallStart":
      return { kind: "callWritten", stepId: step, callId: event.callId, name: event.name };
    default:
      return undefined;
  }
}

interface Settling {
  readonly deps: TurnDeps;
  readonly active: ActiveJournal;
  readonly request: TurnRequest;
  readonly provider: Provider;
  readonly context: PreparedContext;
  readonly startedAtMs: number;
  readonly last: StreamEvent | undefined;
  readonly reported: ProviderUsage | undefined;
}

/** The journal becomes a message, an open batch, nothing, or a question to the user. */
async function settle(settling: Settling): Promise<StepEnd> {
  const { active, last, deps, provider, context, reported } = settling;
  const { stepId: step } = active;
  const message = active.seal();
  const isEmpty = message.parts.length === 0;

  if (last?.kind === "done") {
    const ignoresTools = reported !== undefined && deps.conversation.context.recordReportedUsage(reported);
    if (ignoresTools && message.parts.every(({ kind }) => kind !== "toolCall")) deps.host.noteIgnoredTools();
    const stop = answerStop(last.stopReason, reported, context.limits);
    if (isEmpty) return discardFailed(active, emptyAnswer(provider.name, stop));
    // Calls are whole only when the model stopped for tool use.
    const hasCalls = last.stopReason === "toolUse" && message.parts.some(({ kind }) => kind === "toolCall");
    if (hasCalls) return beginBatch(settling, message);
    const entered = await enter(settling, message, endState(stop), stop);
    if (!entered.ok) return failed(active, entered.error, true);
    return { kind: "completed", stepId: step, stopReason: last.stopReason, ...entered.value };
  }
  const error: ForgeError = last?.kind === "failed" ? last.error : cutOff(provider.name);
  if (error.code === "CANCELLED") {
    if (isEmpty) {
      const discarded = await active.discard();
      return discarded.ok ? { kind: "cancelled", stepId: step } : failed(active, discarded.error, true);
    }
    if (deps.host.isClosing) return failed(active, error, true);
    const entered = await enter(settling, message, "cancelled");
    if (!entered.ok) return failed(active, entered.error, true);
    return { kind: "cancelled", stepId: step, ...entered.value };
  }
  return isEmpty && error.code !== "STORAGE_FAILED" ? discardFailed(active, error) : failed(active, error, !isEmpty);
}

async function beginBatch(
  { deps, active, request, context, startedAtMs }: Settling,
  message: Message,
): Promise<StepEnd> {
  const begun = await deps.toolJournal.beginBatch({
    batchId: stepId(deps.newUuid()),
    model: context.model,
    ...request,
    assistant: message,
    from: active.stepId,
    askedAtMs: startedAtMs,
  });
  return begun.ok ? { kind: "calls", stepId: active.stepId } : failed(active, begun.error, true);
}

async function discardFailed(active: ActiveJournal, error: ForgeError): Promise<TurnEnd> {
  const discarded = await active.discard();
  return failed(active, discarded.ok ? error : discarded.error, false);
}

function failed(active: ActiveJournal, error: ForgeError, isPendingRecovery: boolean): TurnEnd {
  return { kind: "failed", stepId: active.stepId, error, isPendingRecovery };
}

function enter(
  { deps, active, request: { continues }, context, startedAtMs }: Settling,
  message: Message,
  state: MessageState,
  stop?: AnswerStop,
) {
  const meta = {
    state,
    createdAtMs: startedAtMs,
    durationMs: Math.max(0, deps.clock.nowMs() - startedAtMs),
    model: context.model,
    step: active.stepId,
    ...(stop === undefined ? {} : { stop }),
    ...(continues === undefined ? {} : { continues }),
  };
  return appendStreamed(message, meta, deps);
}

function emptyAnswer(provider: string, stop: AnswerStop | undefined): ForgeError {
  const detail = EMPTY_BECAUSE[stop?.reason ?? "endTurn"];
  return stop?.reason === "refusal"
    ? { code: "REFUSED", provider, detail }
    : { code: "SERVICE_UNAVAILABLE", provider, reason: "badAnswer", detail };
}

const EMPTY_BECAUSE: Readonly<Record<AnswerStop["reason"] | "endTurn", string>> = {
  endTurn: "The model ended without an answer.",
  maxTokens: "The model reached its limit without an answer.",
  contextFull: "The window was full before an answer.",
  refusal: "The answer was withheld.",
  pause: "The model paused without an answer.",
};

function cutOff(provider: string): ForgeError {
  return {
    code: "SERVICE_UNAVAILABLE",
    provider,
    reason: "cutOff",
    detail: "The answer ended without an end mark.",
  };
}
