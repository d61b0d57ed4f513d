/**
 * One answer: prepare -> stream -> journal -> show -> history. The journal always runs ahead of what is shown, and the
 * message enters the history in the transaction that drops its journal, so a crash at any point loses nothing seen.
 * States: preparing -> streaming -> settling -> one terminal event.
 */

import type { ContextManager } from "../context/contextManager.ts";
import type { PreparedContext } from "../context/preparedContext.ts";
import type { ForgeError } from "../errors.ts";
import type { MessageRecord } from "../history/records.ts";
import { stepId, type MessageId, type ModelId } from "../ids.ts";
import type { ActiveJournal, StreamJournal } from "../journal/streamJournal.ts";
import type { Message, MessageState, TokenCounts } from "../message.ts";
import type { CancelSignal, Clock, ConversationStore, NewUuid, Provider } from "../ports.ts";
import { err, ok, type Result } from "../result.ts";
import { durableBatches } from "../stream/durableBatches.ts";
import type { ProviderUsage, StreamEvent } from "../stream/streamEvent.ts";
import type { TurnEnd, TurnEvent } from "./turnEvent.ts";

/** What a turn works with; all of it belongs to one open conversation. */
export interface TurnDeps {
  readonly manager: ContextManager;
  readonly store: ConversationStore;
  readonly journal: StreamJournal;
  readonly provider: Provider;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  /** Counts without holding the thread for more than a frame. */
  readonly countTokens: (message: Message) => Promise<TokenCounts>;
  /** Makes room when the next request does not fit; an error when it could not, or may not. */
  readonly makeRoom: (excessTokens: number, cancel: CancelSignal) => Promise<Result<void, ForgeError>>;
  /** The conversation is being closed: what is cancelled now was not stopped by the user, who decides about it later. */
  readonly isClosing: () => boolean;
}

/** Which message is to be answered, and by whom. The message is in the history already. */
export interface TurnRequest {
  readonly asked: MessageId;
  readonly model: ModelId;
  readonly maxOutputTokens: number;
}

/** More rounds of making room than this mean that it does not help; every accepted one is strictly smaller. */
const MAKE_ROOM_ROUNDS = 8;

/**
 * Answers `request.asked`. Aborting `cancel` ends it in any state, keeping what was received: as a message that the user
 * stopped, or, when the conversation is being closed, in the journal, as a crash would leave it.
 */
export async function* runTurn(request: TurnRequest, deps: TurnDeps, cancel: CancelSignal): AsyncGenerator<TurnEvent> {
  const prepared = await prepareToFit(deps, cancel);
  if (!prepared.ok) {
    yield prepared.error.code === "CANCELLED"
      ? { kind: "cancelled" }
      : { kind: "failed", error: prepared.error, undecided: false };
    return;
  }
  const step = stepId(deps.newUuid());
  const startedAtMs = deps.clock.nowMs();
  const begun = await deps.journal.beginSession({
    stepId: step,
    model: request.model,
    asked: request.asked,
    startedAtMs,
  });
  if (!begun.ok) {
    yield { kind: "failed", error: begun.error, undecided: false };
    return;
  }
  yield { kind: "stepStarted", stepId: step, model: request.model, startedAtMs };

  const active = begun.value;
  const stream = deps.provider.stream(prepared.value, request, cancel);
  const batches = durableBatches(stream, (events) => active.append(events));
  let last: StreamEvent | undefined;
  let reported: ProviderUsage | undefined;
  for (;;) {
    const next = await batches.next();
    if (next.done === true) {
      if (!next.value.ok) last = { kind: "failed", error: next.value.error };
      break;
    }
    for (const event of next.value) {
      if (event.kind === "text" || event.kind === "thinking") {
        yield { kind: "delta", stepId: step, part: event.kind, text: event.text };
      } else if (event.kind === "usage") {
        reported = event.usage;
        yield event;
      } else if (event.kind === "waiting") {
        yield { ...event, stepId: step };
      }
      last = event;
    }
  }
  yield await settle({ request, deps, active, startedAtMs, last, reported });
}

/** Prepares the next request, making room as often as that helps. */
async function prepareToFit(deps: TurnDeps, cancel: CancelSignal): Promise<Result<PreparedContext, ForgeError>> {
  for (let round = 0; ; round++) {
    if (cancel.aborted) return err({ code: "CANCELLED" });
    const prepared = deps.manager.prepare();
    if (prepared.kind === "ready") return ok(prepared.context);
    if (prepared.kind === "tooLarge") return err(prepared.error);
    const excessTokens = prepared.needed.excessTokens;
    if (round === MAKE_ROOM_ROUNDS) return err({ code: "SUMMARIZATION_NEEDED", excessTokens });
    const room = await deps.makeRoom(excessTokens, cancel);
    if (!room.ok) return room;
  }
}

interface Settling {
  readonly request: TurnRequest;
  readonly deps: TurnDeps;
  readonly active: ActiveJournal;
  readonly startedAtMs: number;
  readonly last: StreamEvent | undefined;
  readonly reported: ProviderUsage | undefined;
}

/** Decides what becomes of the journal: a message, nothing, or a question to the user. */
async function settle(settling: Settling): Promise<TurnEnd> {
  const { active, last, deps, reported } = settling;
  const { stepId: step } = active;
  const message = active.seal();
  const isEmpty = message.parts.length === 0;

  if (last?.kind === "done") {
    if (isEmpty) return discardFailed(active, emptyAnswer(deps.provider.name));
    const entered = await enterHistory(settling, message, last.stopReason === "refusal" ? "failed" : "complete");
    if (!entered.ok) return { kind: "failed", stepId: step, error: entered.error, undecided: true };
    if (reported !== undefined) deps.manager.noteReportedUsage(reported);
    return { kind: "completed", stepId: step, record: entered.value, stopReason: last.stopReason };
  }
  const error: ForgeError = last?.kind === "failed" ? last.error : cutOff(deps.provider.name);
  if (error.code === "CANCELLED") {
    if (isEmpty) {
      const discarded = await active.discard();
      return discarded.ok ? { kind: "cancelled", stepId: step } : failed(active, discarded.error, true);
    }
    if (deps.isClosing()) return failed(active, error, true);
    const entered = await enterHistory(settling, message, "cancelled");
    if (!entered.ok) return failed(active, entered.error, true);
    return { kind: "cancelled", stepId: step, record: entered.value };
  }
  return isEmpty && error.code !== "STORAGE_FAILED" ? discardFailed(active, error) : failed(active, error, !isEmpty);
}

async function discardFailed(active: ActiveJournal, error: ForgeError): Promise<TurnEnd> {
  const discarded = await active.discard();
  return failed(active, discarded.ok ? error : discarded.error, false);
}

function failed(active: ActiveJournal, error: ForgeError, undecided: boolean): TurnEnd {
  return { kind: "failed", stepId: active.stepId, error, undecided };
}

async function enterHistory(
  { request, deps, active, startedAtMs }: Settling,
  message: Message,
  state: MessageState,
): Promise<Result<MessageRecord, ForgeError>> {
  const record = deps.manager.record(message, {
    state,
    createdAtMs: startedAtMs,
    durationMs: Math.max(0, deps.clock.nowMs() - startedAtMs),
    tokens: await deps.countTokens(message),
    model: request.model,
    step: active.stepId,
  });
  const committed = await deps.store.commit([
    { kind: "record", record },
    { kind: "journalDrop", stepId: active.stepId },
  ]);
  if (!committed.ok) return committed;
  deps.manager.apply(record);
  return ok(record);
}

function emptyAnswer(provider: string): ForgeError {
  return {
    code: "SERVICE_UNAVAILABLE",
    provider,
    reason: "badAnswer",
    detail: "The model ended without an answer.",
  };
}

function cutOff(provider: string): ForgeError {
  return {
    code: "SERVICE_UNAVAILABLE",
    provider,
    reason: "cutOff",
    detail: "The answer ended without an end mark.",
  };
}
