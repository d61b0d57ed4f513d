/**
 * Asking and answering in the open conversation: questions enter the history, answers are streamed into it, and those that
 * ended badly wait for the user's decision. Knows nothing of what else runs: the session sees to that.
 */

import type { ForgeError } from "../core/errors.ts";
import { messageId, type MessageId, type StepId } from "../core/ids.ts";
import type { LeftoverStep } from "../core/journal/recover.ts";
import { StreamJournal } from "../core/journal/streamJournal.ts";
import { textMessage, type Message } from "../core/message.ts";
import type { StoreWrite } from "../core/ports.ts";
import { ok, type Result } from "../core/result.ts";
import { runTurn } from "../core/turn/turn.ts";
import type { TurnEvent } from "../core/turn/turnEvent.ts";
import type { Banner, MessageRow, Row } from "../protocol/toView.ts";
import type { Connection } from "./connections.ts";
import { explain } from "./explain.ts";
import { addLeftover, type OpenConversation } from "./openConversation.ts";
import { formatDuration, messageRow, noticeRow, streamingRow, undecidedRow } from "./rows.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SessionSummaries } from "./sessionSummaries.ts";
import { titleFrom } from "./title.ts";
import type { Transcript } from "./transcript.ts";

/** What answering works with. */
export interface AnsweringParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  readonly summaries: SessionSummaries;
  readonly connection: () => Connection;
  /** Whether the session is being closed: what is cut off then was not stopped by the user. */
  readonly isClosing: () => boolean;
}

/** Questions, answers, and what becomes of them. */
export class Answering {
  readonly #parts: AnsweringParts;
  readonly #journal: StreamJournal;
  readonly #undecided = new Map<StepId, LeftoverStep>();

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    this.#journal = new StreamJournal(parts.opened.store, parts.environment.clock);
    for (const leftover of parts.opened.undecided) this.#undecided.set(leftover.stepId, leftover);
  }

  /** Interrupted answers that wait for a decision, oldest first. */
  get undecided(): readonly LeftoverStep[] {
    return [...this.#undecided.values()];
  }

  /** The interrupted answer of `step`; `undefined` once it was decided. */
  undecidedStep(step: StepId): LeftoverStep | undefined {
    return this.#undecided.get(step);
  }

  /** What stands behind the history: interrupted answers, or that the last message has none at all. */
  rowsBehindHistory(): readonly Row[] {
    if (this.undecided.length === 0) {
      const { history } = this.#parts.opened.manager;
      const last = history.entries.findLast((entry) => history.isVisible(entry));
      return last?.role === "user" ? [noticeRow("failed", NOT_ANSWERED)] : [];
    }
    const nowMs = this.#parts.environment.clock.nowMs();
    return this.undecided.map((leftover) => {
      const problem = leftover.error === undefined ? null : { ...this.#explain(leftover.error), actions: [] };
      return undecidedRow(leftover, problem, nowMs);
    });
  }

  /** Puts a question into the history: refused while it could not be sent, durable before it is shown. */
  async ask(text: string): Promise<Result<MessageId, ForgeError>> {
    const { manager, store } = this.#parts.opened;
    const { clock, countTokens } = this.#parts.environment;
    const kept = await this.keepUndecided();
    if (!kept.ok) return kept;
    const message = textMessage("user", text);
    const admitted = manager.admit(message, {
      state: "complete",
      createdAtMs: clock.nowMs(),
      tokens: await countTokens(message),
    });
    if (!admitted.ok) return admitted;
    const record = admitted.value;
    const isFirst = manager.history.length === 0;
    const writes: StoreWrite[] = [
      { kind: "record", record },
      { kind: "draft", text: "" },
    ];
    if (isFirst) {
      const title = { kind: "title", title: titleFrom(text), by: "automatic", atMs: clock.nowMs() } as const;
      writes.push({ kind: "record", record: title });
    }
    const committed = await store.commit(writes);
    if (!committed.ok) return committed;
    for (const write of writes) if (write.kind === "record") manager.apply(write.record);
    this.#parts.transcript.remove("notice-failed");
    this.#parts.transcript.add([this.#rowOf(record.entry.id, message)]);
    this.#parts.environment.changed();
    return ok(record.entry.id);
  }

  /** Has the message `asked` answered anew; what came after it is hidden, never removed. */
  async askAgain(asked: MessageId, cancel: AbortSignal): Promise<void> {
    const { manager, store } = this.#parts.opened;
    const end = manager.history.length;
    if (asked + 1 < end) {
      const record = manager.hide(
        { start: messageId(asked + 1), end: messageId(end) },
        this.#parts.environment.clock.nowMs(),
      );
      if (!record.ok) return;
      const committed = await store.commit([{ kind: "record", record: record.value }]);
      if (!committed.ok) {
        this.#parts.environment.showBanner(this.#explain(committed.error));
        return;
      }
      manager.apply(record.value);
      for (let id = asked + 1; id < end; id++) this.#parts.transcript.remove(`message-${id}`);
    }
    await this.answer(asked, cancel);
  }

  /** Has the message `asked` answered by the model in use. */
  async answer(asked: MessageId, cancel: AbortSignal): Promise<void> {
    const { manager, store } = this.#parts.opened;
    const { clock, newUuid, countTokens } = this.#parts.environment;
    this.#parts.transcript.remove("notice-failed");
    const { provider, model } = this.#parts.connection();
    const turn = runTurn(
      { asked, model, maxOutputTokens: manager.limits.maxOutput },
      {
        manager,
        store,
        journal: this.#journal,
        provider,
        clock,
        newUuid,
        countTokens,
        makeRoom: (excessTokens, signal) => this.#parts.summaries.makeRoom(excessTokens, signal),
        isClosing: this.#parts.isClosing,
      },
      cancel,
    );
    for await (const event of turn) this.#show(event);
  }

  #show(event: TurnEvent): void {
    switch (event.kind) {
      case "stepStarted":
        this.#parts.transcript.add([streamingRow(event.stepId)]);
        break;
      case "delta":
        this.#parts.transcript.delta(event.stepId, event.part, event.text);
        break;
      case "waiting":
        this.#parts.transcript.note(event.stepId, waitingText(event));
        break;
      case "usage":
        break;
      case "completed":
        this.#parts.transcript.change(event.stepId, this.#rowOf(event.record.entry.id, event.record.message));
        break;
      case "cancelled":
        if (event.record !== undefined) {
          this.#parts.transcript.change(event.stepId ?? "", this.#rowOf(event.record.entry.id, event.record.message));
        } else {
          if (event.stepId !== undefined) this.#parts.transcript.remove(event.stepId);
          this.#parts.transcript.add([noticeRow("failed", STOPPED_BEFORE)]);
        }
        break;
      case "failed":
        this.#showFailure(event);
        break;
    }
    if (event.kind !== "delta") this.#parts.environment.changed();
  }

  #showFailure(event: Extract<TurnEvent, { kind: "failed" }>): void {
    const banner = this.#explain(event.error);
    // Failed storage concerns the whole conversation: it is said once, above the composer.
    const isGeneral = event.error.code === "STORAGE_FAILED";
    if (isGeneral) this.#parts.environment.showBanner(banner);
    if (event.undecided && event.stepId !== undefined) {
      const leftover = this.#journal.leftover(event.stepId);
      if (leftover !== undefined) {
        this.#undecided.set(leftover.stepId, leftover);
        const problem = isGeneral || event.error.code === "CANCELLED" ? null : { ...banner, actions: [] };
        const row = undecidedRow(leftover, problem, this.#parts.environment.clock.nowMs());
        this.#parts.transcript.change(event.stepId, row);
        return;
      }
    }
    if (event.stepId !== undefined) this.#parts.transcript.remove(event.stepId);
    if (!isGeneral) this.#parts.transcript.add([noticeRow("failed", banner)]);
  }

  /** A message typed after an interrupted answer says that the user goes on: the answer stays, as it was seen. */
  async keepUndecided(): Promise<Result<void, ForgeError>> {
    for (const leftover of this.undecided) {
      const kept = await this.keep(leftover);
      if (!kept.ok) return kept;
    }
    return ok(undefined);
  }

  /** Makes an interrupted answer a message, as it was seen. */
  async keep(leftover: LeftoverStep): Promise<Result<void, ForgeError>> {
    const { manager, store } = this.#parts.opened;
    const deps = { store, manager, countTokens: this.#parts.environment.countTokens };
    const added = await addLeftover(leftover, "interrupted", deps);
    if (!added.ok) return added;
    this.#undecided.delete(leftover.stepId);
    this.#parts.transcript.change(leftover.stepId, this.#rowOf(added.value, leftover.message));
    return ok(undefined);
  }

  #rowOf(id: MessageId, message: Message): MessageRow {
    const { history } = this.#parts.opened.manager;
    const options = { summarized: false, nowMs: this.#parts.environment.clock.nowMs() };
    return messageRow(history.entry(id), message, options);
  }

  #explain(error: ForgeError): Banner {
    return explain(error, this.#parts.connection().provider.label);
  }
}

const RETRY = { label: "Retry", command: "retry" } as const;
const STOPPED_BEFORE: Banner = {
  tone: "info",
  text: "Stopped before the answer began. Your message is kept.",
  actions: [RETRY],
};
const NOT_ANSWERED: Banner = { tone: "info", text: "This message has no answer yet.", actions: [RETRY] };

function waitingText({ why, ms }: Extract<TurnEvent, { kind: "waiting" }>): string {
  return why === "silent"
    ? `No text for ${formatDuration(ms)}. The model may be thinking; you can stop it.`
    : `The service is busy; asking again in ${formatDuration(ms)}.`;
}
