/** Shows an answer that is being given: what a turn tells becomes rows of the transcript. */

import type { ForgeError } from "../../core/errors.ts";
import type { StepId } from "../../core/ids.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import type { StreamJournal } from "../../core/journal/streamJournal.ts";
import type { ToolCallPart } from "../../core/message.ts";
import { stepOfBatch } from "../../core/turn/toolRound.ts";
import type { CallEvent, Entered, TurnEnd, TurnEvent } from "../../core/turn/turnEvent.ts";
import type { Banner, MessageRow } from "../../protocol/toView.ts";
import { localize, plural } from "../../protocol/localize.ts";
import { endedCard, openCard, writtenCard } from "../transcript/callCards.ts";
import type { Connection } from "../connections/connections.ts";
import { explain } from "../words/explain.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import { placeInHistory } from "../transcript/placeInHistory.ts";
import {
  messageRow,
  noticeRow,
  runningRow,
  streamingRow,
  undecidedBatchRow,
  undecidedRow,
} from "../transcript/rows.ts";
import { formatDuration } from "../words/rowWords.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** What showing works with. */
export interface AnswerRowsParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  readonly journal: StreamJournal;
  readonly connection: () => Connection;
  /** An answer ended badly: from now on it waits for the user's decision. */
  readonly undecided: (leftover: LeftoverStep) => void;
}

/** The listener of turns. */
export class AnswerRows {
  readonly #parts: AnswerRowsParts;

  constructor(parts: AnswerRowsParts) {
    this.#parts = parts;
  }

  /** Shows what has happened. */
  show(event: TurnEvent): void {
    const { transcript, environment } = this.#parts;
    switch (event.kind) {
      case "stepStarted":
        transcript.add([streamingRow(event.stepId)]);
        break;
      case "delta":
        transcript.delta(event.stepId, event.part, event.text);
        return;
      case "waiting":
        transcript.note(event.stepId, waitingText(event));
        break;
      case "usage":
        break;
      case "roundEnded":
        transcript.change(event.stepId, this.rowOf(event));
        break;
      case "completed":
        this.#showCompleted(event);
        break;
      case "cancelled":
        this.#showCancelled(event);
        break;
      case "failed":
        this.#showFailure(event);
        break;
      default:
        this.#showCall(event);
    }
    environment.changed();
  }

  /** The row of an answer that is in the history. */
  rowOf({ record: { entry, message }, results }: Entered): MessageRow {
    const { history } = this.#parts.opened.manager;
    const options = {
      summarized: false,
      nowMs: this.#parts.environment.clock.nowMs(),
      ...placeInHistory(history, entry.id),
    };
    return messageRow(entry, message, results === undefined ? options : { ...options, results: results.message });
  }

  #showCall(event: CallEvent): void {
    const { transcript } = this.#parts;
    const { stepId } = event;
    switch (event.kind) {
      case "callWritten":
        transcript.call(stepId, writtenCard(event.callId, event.name));
        break;
      case "batchBegun":
        transcript.change(stepId, runningRow(event.batch));
        break;
      case "callStarted":
        transcript.call(stepId, openCard(this.#callOf(event), "running", event.view.title));
        break;
      case "callEnded":
        transcript.call(stepId, endedCard(this.#callOf(event), event.result));
        break;
    }
  }

  /** The call as the journal has it; the batch is open while its calls run. */
  #callOf({ callId }: Extract<CallEvent, { kind: "callStarted" | "callEnded" }>): ToolCallPart {
    const call = this.#parts.opened.toolJournal.batch?.calls.find((candidate) => candidate.callId === callId);
    return call ?? { kind: "toolCall", callId, name: "", inputJson: "" };
  }

  #showCompleted(event: Extract<TurnEnd, { kind: "completed" }>): void {
    const { transcript } = this.#parts;
    if (!("paused" in event)) transcript.change(event.stepId, this.rowOf(event));
    else transcript.add([noticeRow("failed", event.paused === "rounds" ? manyRounds(event.rounds) : IN_A_CIRCLE)]);
  }

  #showCancelled({ stepId, record, results }: Extract<TurnEnd, { kind: "cancelled" }>): void {
    const { transcript, opened } = this.#parts;
    if (record !== undefined && stepId !== undefined) {
      transcript.change(stepId, this.rowOf(results === undefined ? { record } : { record, results }));
      return;
    }
    if (stepId !== undefined) transcript.remove(stepId);
    const isFirst = opened.manager.history.entries.at(-1)?.batch === undefined;
    transcript.add([noticeRow("failed", isFirst ? STOPPED_BEFORE : STOPPED_BETWEEN)]);
  }

  #showFailure({ stepId, error, undecided }: Extract<TurnEnd, { kind: "failed" }>): void {
    const { transcript, environment } = this.#parts;
    const banner = this.#explain(error);
    // Failed storage concerns the whole conversation: it is said once, above the composer.
    const isGeneral = error.code === "STORAGE_FAILED";
    if (isGeneral) environment.showBanner(banner);
    if (undecided && stepId !== undefined && this.#showUndecided(stepId, isGeneral ? undefined : error)) return;
    if (stepId !== undefined) transcript.remove(stepId);
    if (!isGeneral) transcript.add([noticeRow("failed", banner)]);
  }

  #showUndecided(stepId: StepId, error: ForgeError | undefined): boolean {
    const { transcript, environment, journal, opened } = this.#parts;
    const { batch } = opened.toolJournal;
    const nowMs = environment.clock.nowMs();
    if (batch !== undefined && stepOfBatch(batch) === stepId) {
      transcript.change(stepId, undecidedBatchRow(batch, nowMs));
      return true;
    }
    const leftover = journal.leftover(stepId);
    if (leftover === undefined) return false;
    this.#parts.undecided(leftover);
    const problem = error === undefined || error.code === "CANCELLED" ? null : { ...this.#explain(error), actions: [] };
    transcript.change(stepId, undecidedRow(leftover, problem, nowMs));
    return true;
  }

  #explain(error: ForgeError): Banner {
    return explain(error, this.#parts.connection().provider.label);
  }
}

/** Goes on behind the newest results, or asks the last question again. */
const CONTINUE = { label: localize("Continue"), command: "retry" } as const;
const RETRY = { label: localize("Retry"), command: "retry" } as const;

/** A question without any answer. */
export const NOT_ANSWERED: Banner = {
  tone: "info",
  text: localize("This message has no answer yet."),
  actions: [RETRY],
};
/** Tools have run, and the model was not told. */
export const NOT_GONE_ON: Banner = {
  tone: "info",
  text: localize("The answer stopped after its tools had run. Everything is kept."),
  actions: [CONTINUE],
};
const STOPPED_BEFORE: Banner = {
  tone: "info",
  text: localize("Stopped before the answer began. Your message is kept."),
  actions: [RETRY],
};
const STOPPED_BETWEEN: Banner = {
  tone: "info",
  text: localize("Stopped. Everything you saw is kept."),
  actions: [CONTINUE],
};
const IN_A_CIRCLE: Banner = {
  tone: "warning",
  text: localize(
    "The model made the same call with the same result again and again, so it was stopped. Everything is kept. Say what it should do instead, or let it go on.",
  ),
  actions: [CONTINUE],
};

function manyRounds(rounds: number): Banner {
  const text = plural(
    rounds,
    "The model has used tools once for this message, and wants to go on. Everything is kept.",
    "The model has used tools {0} times for this message, and wants to go on. Everything is kept.",
  );
  return { tone: "info", text, actions: [CONTINUE, { label: localize("Change the limit"), command: "openSettings" }] };
}

function waitingText({ why, ms }: Extract<TurnEvent, { kind: "waiting" }>): string {
  return why === "silent"
    ? localize("No text for {0}. The model may be thinking; you can stop it.", formatDuration(ms))
    : localize("The service is busy; asking again in {0}.", formatDuration(ms));
}
