/** One open conversation, one thing at a time; what is typed meanwhile waits. Every change is durable before it is shown. */

import type { StepId } from "../../core/ids.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import type { ToolBatch } from "../../core/journal/toolBatch.ts";
import type { Message } from "../../core/message.ts";
import type { Result } from "../../core/result.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { RecoveryChoice } from "../../protocol/toHost.ts";
import type { Activity } from "../background/exclusiveRun.ts";
import type { Connection } from "../connections/connections.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import { Transcript } from "../transcript/transcript.ts";
import { Answering } from "./turn/answering.ts";
import { MessageActions } from "./messageActions.ts";
import { PendingRecovery } from "./turn/pendingRecovery.ts";
import { RowsAfterHistory } from "./turn/rowsAfterHistory.ts";
import { Composer } from "./composer/composer.ts";
import { Sending } from "./composer/sending.ts";
import { SessionErasing } from "./sessionErasing.ts";
import { SessionModel } from "./sessionModel.ts";
import { SessionRun } from "./sessionRun.ts";
import type { SessionServices } from "./sessionServices.ts";
import { SessionTools } from "./tools/sessionTools.ts";
import { SessionSummaries } from "./summaries/sessionSummaries.ts";

/** The open conversation's life: asking, stopping, deciding, summarizing. */
export class Session {
  readonly opened: OpenConversation;
  readonly run: SessionRun;
  readonly model: SessionModel;
  readonly transcript: Transcript;
  readonly tools: SessionTools;
  readonly composer: Composer;
  readonly summaries: SessionSummaries;
  readonly sending: Sending;
  readonly actions: MessageActions;
  readonly erasing: SessionErasing;
  /** The messages that the reader has selected in the chat, from the first to the last one. */
  selected: { readonly first: number; readonly last: number } | null = null;
  readonly #recovery: PendingRecovery;
  readonly #answering: Answering;
  readonly #services: SessionServices;
  /** A Keep takes a moment; a message that is sent in it waits for it. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(opened: OpenConversation, connection: Connection, services: SessionServices) {
    const { conversation, store } = opened;
    const { clock, view, reportBug } = services;
    this.opened = opened;
    this.#services = services;
    this.run = new SessionRun(store.shape.readOnly === true, services);
    this.model = new SessionModel(opened, connection, services);
    this.#recovery = new PendingRecovery(opened, this.model, services);
    const { switchPreviews } = this.model;
    const rowsAfterHistory = new RowsAfterHistory(opened, this.#recovery, this.run);
    this.transcript = new Transcript({ conversation, clock, switchPreviews }, rowsAfterHistory, view);
    this.tools = new SessionTools(opened, this.transcript, this.model, services);
    this.composer = new Composer(opened, this.model, services);
    const { edits } = this.composer;
    this.summaries = new SessionSummaries(opened, this.transcript, edits, this.model, this.run, services);
    this.#answering = new Answering(
      opened,
      this.transcript,
      this.#recovery,
      this.model,
      this.run,
      this.tools,
      this.summaries,
      services,
    );
    this.sending = new Sending(this.composer, this.#answering, this.model, this.run, services);
    this.actions = new MessageActions(opened, this.#answering, this.#recovery, edits, this.model, this.run, services);
    this.erasing = new SessionErasing(opened, this.composer, this.summaries.automatic, this.run, services);

    // What follows from a change, in this order: who answers, rows, figures and the list's entry, summaries.
    conversation.useEffects([this.model, this.transcript, view, this.summaries.automatic]);
    this.run.onDidBegin((activity) => {
      if (activity !== "applying") view.showBanner(null);
      view.update();
    });
    this.run.onDidEnd(() => {
      this.transcript.trim();
      if (this.#answering.takeEnd() === "stopped") this.composer.queue.hold();
      view.update();
      this.summaries.automatic.checkDue();
      this.sending.advance().catch(reportBug);
    });
  }

  /** Reads what is shown first. */
  load(): Promise<Result<void, StorageFailed>> {
    return this.transcript.load();
  }

  /** Who answers. */
  get connection(): Connection {
    return this.model.connection;
  }

  /** Empty before the first message. */
  get title(): string {
    return this.opened.conversation.history.title?.title ?? "";
  }

  /** Written by a newer Forge: it can be read and searched, and nothing of it changes here. */
  get isReadOnly(): boolean {
    return this.run.isReadOnly;
  }

  /** Nothing was ever said in it. */
  get isEmpty(): boolean {
    const { length } = this.opened.conversation.history;
    return length === 0 && this.recoverableCount === 0 && this.composer.queue.view.items.length === 0;
  }

  get activity(): Activity {
    return this.run.activity;
  }

  /** Interrupted answers that wait for a decision, oldest first. */
  get recoverable(): readonly LeftoverStep[] {
    return this.#recovery.steps;
  }

  /** The answer whose tools were interrupted, and which waits for a decision. */
  get recoverableBatch(): ToolBatch | undefined {
    return this.activity === "streaming" ? undefined : this.#recovery.batch;
  }

  /** How many answers wait for a decision. */
  get recoverableCount(): number {
    return this.recoverable.length + (this.recoverableBatch === undefined ? 0 : 1);
  }

  /** Has the same choice of model answer through another connection, as after a key or a setting changed. */
  connect(connection: Connection): void {
    const before = this.connection;
    this.model.connect(connection);
    this.summaries.automatic.settingsChanged(before);
  }

  /** Has another model answer from now on, on the user's word; the chat says what that does to what is sent. */
  switchModel(connection: Connection): Promise<void> {
    return this.model.switchTo(connection);
  }

  /** Tokens of a message in the counting of the model in use, framing included. */
  tokensOf(message: Message): Promise<number> {
    return this.model.tokensOf(message);
  }

  /**
   * Sends what the user typed and has it answered, or puts it into the queue while something runs. Resolves when the answer
   * ended, whichever way, or the message is in the queue.
   */
  async send(sendId: string, text: string): Promise<void> {
    await this.#keeping;
    if (this.run.isClosing || this.isReadOnly) this.sending.refuse(sendId);
    else await this.sending.send(sendId, text);
  }

  /** Stops what runs; what was received is kept. */
  stop(): void {
    this.run.stop();
  }

  /** Ends the summary that is being made, and the answer that waits for it, if one does. False: there was none. */
  cancelSummary(): boolean {
    const cancelled = this.summaries.automatic.cancel();
    if (cancelled === "awaited") this.stop();
    return cancelled !== "nothing";
  }

  /**
   * Asks the last question again; an answer that it already had is hidden, never removed. Where tools have answered since,
   * it goes on from there: they are not run again.
   */
  async retry(): Promise<void> {
    await this.run.whenIdle("streaming", async (cancel) => {
      const kept = await this.#recovery.keepAll();
      if (kept.ok) await this.#answering.answerLast(cancel);
      else this.model.showFailure(kept.error);
    });
  }

  /** Carries out the user's decision about an interrupted answer. An unknown step was decided before: nothing happens. */
  async recover(step: StepId, choice: RecoveryChoice): Promise<void> {
    const isOpen = this.#recovery.step(step) !== undefined || this.#recovery.isBatch(step);
    if (!isOpen || !this.run.isIdle) return;
    const decided = this.run
      .whenIdle(choice === "discard" ? "applying" : "streaming", async (cancel) => {
        const done = await this.#answering.decide(step, choice, cancel);
        if (!done.ok) this.model.showFailure(done.error);
      })
      .then(() => undefined);
    if (choice === "keep") this.#keeping = decided;
    await decided;
  }

  /** Stores a setting that holds for this conversation alone; an empty value: as everywhere. Answers whether it is stored. */
  async setSetting(name: string, value: string, duringAnswer: string): Promise<boolean> {
    let isStored = false;
    await this.run.onUsersWord("applying", duringAnswer, async () => {
      const record = { kind: "setting", name, value, atMs: this.#services.clock.nowMs() } as const;
      const changed = await this.opened.conversation.change([record]);
      isStored = changed.ok;
      if (!changed.ok) this.model.showFailure(changed.error);
    });
    return isStored;
  }

  /** Ends what runs, because the conversation is being closed. An answer that is cut by it waits for the user's decision. */
  async settle(): Promise<void> {
    this.run.close();
    await this.summaries.automatic.close();
    await this.run.settled;
  }
}
