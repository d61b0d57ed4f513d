/** Shows the events of a running turn as rows of the transcript. */

import type { ForgeError } from "../../../core/errors.ts";
import type { StepId } from "../../../core/ids.ts";
import type { StreamJournal } from "../../../core/journal/streamJournal.ts";
import type { ToolCallPart } from "../../../core/message.ts";
import { stepOfBatch } from "../../../core/turn/toolRound.ts";
import type { SeenLoop } from "../../../core/turn/answerLoops.ts";
import type { CallEvent, TurnEnd, TurnEvent } from "../../../core/turn/turnEvent.ts";
import type { Banner } from "../../../protocol/toView.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { timeOfDay } from "../../../protocol/waitTime.ts";
import { endedCard, unfinishedCard, writtenCard } from "../../transcript/callCards.ts";
import { EDIT_QUESTION } from "../../words/banners.ts";
import { explain } from "../../words/explain.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { noticeRow, runningRow, streamingRow, recoverableBatchRow, recoverableRow } from "../../transcript/rows.ts";
import { readingText } from "../../words/localModelTexts.ts";
import { formatDateTime } from "../../words/formatting.ts";
import type { PendingRecovery } from "./pendingRecovery.ts";
import { CONTINUE, RETRY } from "./rowsAfterHistory.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { Transcript } from "../../transcript/transcript.ts";

/** Messages that enter the history are shown as a change of the conversation, not here. */
export class AnswerRows {
  readonly #opened: OpenConversation;
  readonly #transcript: Transcript;
  readonly #journal: StreamJournal;
  readonly #recovery: PendingRecovery;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  #retryAtMs: number | undefined;
  /** True while the failure told last may still be one. */
  #isFailureCurrent: () => boolean = () => true;

  constructor(
    opened: OpenConversation,
    transcript: Transcript,
    journal: StreamJournal,
    recovery: PendingRecovery,
    model: SessionModel,
    services: SessionServices,
  ) {
    this.#opened = opened;
    this.#transcript = transcript;
    this.#journal = journal;
    this.#recovery = recovery;
    this.#model = model;
    this.#services = services;
  }

  /** When the service can be asked again, as far as it has told; may be past. */
  get retryAtMs(): number | undefined {
    return this.#isFailureCurrent() ? this.#retryAtMs : undefined;
  }

  show(event: TurnEvent): void {
    const transcript = this.#transcript;
    this.#retryAtMs = undefined;
    this.#isFailureCurrent = () => true;
    if (ENDS_STREAM.has(event.kind)) transcript.remove(LOOP_ROW);
    switch (event.kind) {
      case "stepStarted":
        transcript.add([streamingRow(event.stepId, event.continues)]);
        break;
      case "delta":
        transcript.delta(event.stepId, event.part, event.text);
        return;
      case "waiting":
        this.#showWait(event);
        break;
      case "reading":
        transcript.setWait(event.stepId, readingText(event, this.#services.speeds.of(this.#model.connection.model)));
        return;
      case "repeating":
        this.#showLoop(event);
        break;
      case "usage":
      case "roundEnded":
        break;
      case "completed":
        if ("paused" in event) this.#showFailed(event.paused === "rounds" ? manyRounds(event.rounds) : REPEATED_CALLS);
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
    this.#services.view.update();
  }

  #showWait({ stepId, why, ms }: Extract<TurnEvent, { kind: "waiting" }>): void {
    if (why === "silent") {
      const since = formatDateTime(this.#services.clock.nowMs() - ms);
      const text = localize("No text since {0}. The model may be thinking; you can stop it.", since);
      this.#transcript.setWait(stepId, text);
      return;
    }
    if (why === "loading") {
      const text =
        ms === 0
          ? localize("The model is being loaded. Your message is sent as soon as it is there.")
          : localize(
              "The model has been loading since {0}. Your message is sent as soon as it is there.",
              formatDateTime(this.#services.clock.nowMs() - ms),
            );
      this.#transcript.setWait(stepId, text);
      return;
    }
    const nowMs = this.#services.clock.nowMs();
    this.#retryAtMs = nowMs + ms;
    const text = localize("The service is busy; it is asked again at {0}.", timeOfDay(this.#retryAtMs, nowMs));
    this.#transcript.setWait(stepId, text, this.#retryAtMs);
  }

  /** Under the answer, until it ends or goes on. */
  #showLoop({ loop }: Extract<TurnEvent, { kind: "repeating" }>): void {
    if (loop === null) this.#transcript.remove(LOOP_ROW);
    else this.#transcript.change(LOOP_ROW, noticeRow("loop", repeating(loop)));
  }

  #showCall(event: CallEvent): void {
    const transcript = this.#transcript;
    const { stepId } = event;
    switch (event.kind) {
      case "callWritten":
        transcript.call(stepId, writtenCard(event.callId, event.name));
        break;
      case "batchBegun":
        transcript.change(stepId, runningRow(event.batch));
        break;
      case "callStarted":
        transcript.call(stepId, unfinishedCard(this.#callOf(event), "running", event.view.title));
        break;
      case "callEnded":
        transcript.call(stepId, endedCard(this.#callOf(event), event.result));
        break;
    }
  }

  /** The call as the journal has it; the batch is open while its calls run. */
  #callOf({ callId }: Extract<CallEvent, { kind: "callStarted" | "callEnded" }>): ToolCallPart {
    const call = this.#opened.toolJournal.batch?.calls.find((candidate) => candidate.callId === callId);
    return call ?? { kind: "toolCall", callId, name: "", inputJson: "" };
  }

  #showCancelled({ stepId, record }: Extract<TurnEnd, { kind: "cancelled" }>): void {
    if (record !== undefined) return;
    if (stepId !== undefined) this.#transcript.remove(stepId);
    const isFirst = this.#opened.conversation.history.entries.at(-1)?.batch === undefined;
    this.#showFailed(isFirst ? STOPPED_BEFORE : STOPPED_BETWEEN);
  }

  #showFailure({ stepId, error, isPendingRecovery }: Extract<TurnEnd, { kind: "failed" }>): void {
    const banner = this.#explain(error);
    // A storage failure concerns the whole conversation: it is shown once, above the composer.
    const isGeneral = error.code === "STORAGE_FAILED";
    if (isGeneral) this.#services.view.showBanner(banner);
    if (isPendingRecovery && stepId !== undefined && this.#showRecoverable(stepId, isGeneral ? undefined : error))
      return;
    if (stepId !== undefined) this.#transcript.remove(stepId);
    if (isGeneral) return;
    this.#retryAtMs = banner.retryAtMs;
    this.#isFailureCurrent = this.#model.whileUnchanged();
    const isWait = banner.retryAtMs !== undefined && this.#opened.conversation.history.lastVisible?.batch === undefined;
    const actions = isWait ? [...banner.actions, EDIT_QUESTION] : banner.actions;
    this.#showFailed({ ...banner, actions });
  }

  #showFailed(banner: Banner): void {
    const row = noticeRow("failed", banner);
    this.#recovery.noteFailure(row);
    this.#transcript.add([row]);
  }

  /** Shows an interrupted answer for the user's decision; false when nothing of it is stored. */
  #showRecoverable(stepId: StepId, error: ForgeError | undefined): boolean {
    const { batch } = this.#opened.toolJournal;
    if (batch !== undefined && stepOfBatch(batch) === stepId) {
      this.#transcript.change(stepId, recoverableBatchRow(batch));
      return true;
    }
    const leftover = this.#journal.recoverableAnswer(stepId);
    if (leftover === undefined) return false;
    this.#recovery.add(leftover);
    const problem = error === undefined || error.code === "CANCELLED" ? null : { ...this.#explain(error), actions: [] };
    this.#transcript.change(stepId, recoverableRow(leftover, problem));
    return true;
  }

  #explain(error: ForgeError): Banner {
    return explain(error, this.#model.connection.provider.label, this.#services.clock.nowMs());
  }
}

const LOOP_ROW = "notice-loop";
const ENDS_STREAM = new Set<TurnEvent["kind"]>(["batchBegun", "completed", "cancelled", "failed"]);
/** Not "Stop", which is the name of the composer's button. */
const STOP = { label: localize("Stop the answer"), command: "stop" } as const;

/** Data can rightly repeat, so that it does is only said. */
function repeating({ times, where }: SeenLoop): Banner {
  return where === "prose"
    ? { tone: "warning", text: localize("The model repeats itself ({0} times).", times), actions: [STOP] }
    : {
        tone: "info",
        text: localize("The model writes the same data again and again ({0} times).", times),
        actions: [],
      };
}

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
const REPEATED_CALLS: Banner = {
  tone: "warning",
  text: localize(
    "The model made the same call with the same result again and again, so it was stopped. Nothing is lost. Say what it should do instead, or let it go on.",
  ),
  actions: [CONTINUE],
};

function manyRounds(rounds: number): Banner {
  const text = plural(
    rounds,
    "The model has used tools once for this message, and wants to go on. Nothing is lost.",
    "The model has used tools {0} times for this message, and wants to go on. Nothing is lost.",
  );
  return { tone: "info", text, actions: [CONTINUE, { label: localize("Change the limit"), command: "openSettings" }] };
}
