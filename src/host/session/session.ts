/**
 * One open conversation: runs one activity at a time and queues messages typed meanwhile. Every change is durable
 * before it is shown.
 */

import type { Change } from "../../core/conversation/conversation.ts";
import { isFromElsewhere } from "../../core/history/writtenElsewhere.ts";
import type { MessageId, ModelId, StepId } from "../../core/ids.ts";
import type { RecoverableAnswer } from "../../core/journal/recoverAnswers.ts";
import type { ToolBatch } from "../../core/journal/toolBatch.ts";
import { textOf, type Message } from "../../core/message.ts";
import type { Result } from "../../core/result.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { RecoveryChoice } from "../../protocol/toHost.ts";
import { Emitter } from "../background/emitter.ts";
import type { Activity } from "../background/exclusiveRun.ts";
import type { Connection } from "../connections/connections.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import { computeCurrentCut } from "../opening/switchToModel.ts";
import { localModelText } from "../words/localModelTexts.ts";
import { visibleTitle } from "../transcript/title.ts";
import { Transcript } from "../transcript/transcript.ts";
import { Answering } from "./turn/answering.ts";
import { MessageActions } from "./messageActions.ts";
import { PendingRecovery } from "./turn/pendingRecovery.ts";
import { RowsAfterHistory } from "./turn/rowsAfterHistory.ts";
import { Composer } from "./composer/composer.ts";
import { MessageSender } from "./composer/messageSender.ts";
import { PlacedVersions } from "./placedVersions.ts";
import { SessionErasing } from "./sessionErasing.ts";
import { SessionModel } from "./sessionModel.ts";
import { SessionReplica } from "./sessionReplica.ts";
import { SessionRun } from "./sessionRun.ts";
import type { SessionServices } from "./sessionServices.ts";
import { SessionTools } from "./tools/sessionTools.ts";
import { SessionSummaries } from "./summaries/sessionSummaries.ts";

export class Session {
  readonly opened: OpenConversation;
  readonly run: SessionRun;
  readonly model: SessionModel;
  readonly transcript: Transcript;
  readonly tools: SessionTools;
  readonly composer: Composer;
  readonly summaries: SessionSummaries;
  readonly sending: MessageSender;
  readonly actions: MessageActions;
  readonly erasing: SessionErasing;
  readonly replica: SessionReplica;
  readonly #settled = new Emitter<void>();
  /** Fires when a turn has ended, or something was changed, and nothing runs. */
  readonly onDidSettle = this.#settled.event;
  /** Ids of the first and the last message that the reader has selected in the chat. */
  selected: { readonly first: number; readonly last: number } | null = null;
  readonly #recovery: PendingRecovery;
  readonly #versions: PlacedVersions;
  readonly #answering: Answering;
  readonly #services: SessionServices;
  /** The "keep" of an interrupted answer that is being stored; sends wait for it. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(opened: OpenConversation, connection: Connection, services: SessionServices) {
    const { conversation, store } = opened;
    const { clock, view, reportBug } = services;
    this.opened = opened;
    this.#services = services;
    this.run = new SessionRun(store.shape.readOnly !== undefined, services);
    this.model = new SessionModel(opened, connection, services);
    this.#recovery = new PendingRecovery(opened, this.model, services);
    this.#versions = new PlacedVersions(conversation.history);
    const { previewOf } = this.model;
    const { speeds, registry } = services;
    const localModel = (model: ModelId) => localModelText(speeds.of(model), registry.get(model));
    const rowsAfterHistory = new RowsAfterHistory(opened, this.#recovery, this.#versions, this.run);
    this.transcript = new Transcript(
      { conversation, clock, localModelText: localModel, previewOf },
      rowsAfterHistory,
      view,
    );
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
    this.sending = new MessageSender(this.composer, this.#answering, this.model, this.run, services);
    this.actions = new MessageActions(opened, this.#answering, this.#recovery, edits, this.model, this.run, services);
    this.erasing = new SessionErasing(opened, this.composer, this.summaries.automatic, this.run, services);
    this.replica = new SessionReplica(opened, this.#recovery, this.erasing, this.run);

    this.model.onDidChangeConnection(() => void this.transcript.afterConnection().catch(reportBug));
    // The others read the cut, which a change may have reset: it is computed first, in slices.
    const cut = {
      afterChange: () => (conversation.context.isCutBuilt ? undefined : computeCurrentCut(conversation.context)),
    };
    const tools = {
      afterChange: ({ records }: Change) =>
        isFromElsewhere(records) && records.some(({ kind }) => kind === "setting") ? this.tools.refresh() : undefined,
    };
    const settling = {
      afterChange: () => {
        this.#noteSettled();
      },
    };
    // The order matters: cut, answering model, its tools, rows, figures and list entry, summaries, what waits for all.
    const { automatic } = this.summaries;
    conversation.setEffects([cut, this.model, tools, this.#versions, this.transcript, view, automatic, settling]);
    this.run.onDidBegin((activity) => {
      if (activity !== "applying") view.showBanner(null);
      view.update();
    });
    this.run.onDidEnd(() => {
      this.transcript.trim();
      if (this.#answering.takeOutcome() === "stopped") this.composer.queue.hold();
      view.update();
      this.summaries.automatic.checkDue();
      this.sending.advance().catch(reportBug);
      this.#noteSettled();
    });
  }

  /** Reads the newest rows. */
  load(): Promise<Result<void, StorageFailed>> {
    return this.transcript.load();
  }

  get connection(): Connection {
    return this.model.connection;
  }

  /** Empty before the first message. */
  get title(): string {
    return visibleTitle(this.opened.conversation.history.title?.title ?? "");
  }

  /** Written by a newer Forge: can be read and searched, not changed. */
  /** Why nothing can be saved; `undefined` when it can. */
  get readOnlyReason(): StorageFailed["reason"] | undefined {
    return this.opened.store.shape.readOnly;
  }

  get isReadOnly(): boolean {
    return this.run.isReadOnly;
  }

  get isEmpty(): boolean {
    const { length } = this.opened.conversation.history;
    return length === 0 && this.recoverableCount === 0 && this.composer.queue.view.items.length === 0;
  }

  get activity(): Activity {
    return this.run.activity;
  }

  /** Number of questions that something running waits for: calls of tools, and a summary that a message needs. */
  get waiting(): number {
    return this.tools.waiting + (this.summaries.automatic.isAnswerAwaited ? 1 : 0);
  }

  /** Interrupted answers that await the user's decision, oldest first. */
  get recoverable(): readonly RecoverableAnswer[] {
    return this.#recovery.steps;
  }

  /** The interrupted tool batch that awaits the user's decision; `undefined` while a turn runs. */
  get recoverableBatch(): ToolBatch | undefined {
    return this.activity === "streaming" ? undefined : this.#recovery.batch;
  }

  get recoverableCount(): number {
    return this.recoverable.length + (this.recoverableBatch === undefined ? 0 : 1);
  }

  /** Replaces the connection of the chosen model, as after a change of key or setting. */
  connect(connection: Connection): void {
    const before = this.connection;
    this.model.connect(connection);
    this.summaries.automatic.settingsChanged(before);
  }

  /** A key or a setting has changed: what was told of its effects may be outdated. */
  noteSetupChanged(): void {
    this.model.noteSetupChanged();
    void this.transcript.afterConnection().catch(this.#services.reportBug);
    this.#services.view.update();
  }

  /** Switches the model at the user's request; a notice in the chat tells the effect on what is sent. */
  switchModel(connection: Connection): Promise<void> {
    return this.model.switchTo(connection);
  }

  tokensOf(message: Message): Promise<number> {
    return this.model.tokensOf(message);
  }

  /**
   * Sends the message and has it answered, or queues it while something runs. Resolves when the answer has ended, in
   * any way, or the message is queued.
   */
  async send(sendId: string, text: string): Promise<void> {
    await this.#keeping;
    if (this.run.isClosing || this.isReadOnly) this.sending.refuse(sendId);
    else await this.sending.send(sendId, text);
  }

  /** Text received so far is preserved. */
  stop(): void {
    this.run.stop();
  }

  /** Cancels the running summary, and the answer that waits for it, if any. False when no summary was running. */
  cancelSummary(): boolean {
    const cancelled = this.summaries.automatic.cancel();
    if (cancelled === "awaited") this.stop();
    return cancelled !== "nothing";
  }

  /**
   * Answers the last question again; an existing answer is hidden. After tool results it continues from them, without
   * running the tools again.
   */
  async retry(): Promise<void> {
    await this.run.runIfIdle("streaming", async (cancel) => {
      const kept = await this.#recovery.saveAll();
      if (kept.ok) await this.#answering.answerLast(cancel);
      else this.model.showFailure(kept.error);
    });
  }

  /** Goes on in the last answer, which was cut. */
  async continueAnswer(): Promise<void> {
    await this.run.runIfIdle("streaming", async (cancel) => {
      const kept = await this.#recovery.saveAll();
      if (kept.ok) await this.#answering.continueLast(cancel);
      else this.model.showFailure(kept.error);
    });
  }

  /** When the service can be asked again, as far as it has told; may be past. */
  get retryAtMs(): number | undefined {
    return this.#answering.retryAtMs;
  }

  /**
   * Puts the last question, which has no answer yet, back into the composer, with its attachments; it is hidden, and can
   * be shown again. Cancels an answer that waits to be asked for again.
   */
  async editQuestion(): Promise<void> {
    this.stop();
    await this.run.settled;
    const { lastVisible } = this.opened.conversation.history;
    if (this.isReadOnly || lastVisible?.role !== "user" || lastVisible.batch !== undefined) return;
    const read = await this.opened.store.readMessages([lastVisible.id]);
    if (!read.ok) {
      this.model.showFailure(read.error);
      return;
    }
    for (const { message } of read.value) {
      for (const part of message.parts) {
        if (part.kind === "attachment" || part.kind === "image") await this.composer.attachments.add(part);
      }
      await this.composer.addText(textOf(message));
    }
    this.transcript.remove("notice-failed");
    await this.actions.setHidden(lastVisible.id, true);
  }

  /** Shows the newest version that another machine wrote and nobody has seen here; resolves to its first message. */
  async showNewVersion(): Promise<MessageId | undefined> {
    const { newest } = this.#versions;
    return newest !== undefined && (await this.actions.showVersion(newest)) ? newest : undefined;
  }

  /** Carries out the user's decision about an interrupted answer. Ignores a step that was decided before. */
  async recover(step: StepId, choice: RecoveryChoice): Promise<void> {
    const isOpen = this.#recovery.step(step) !== undefined || this.#recovery.isOpenBatch(step);
    if (!isOpen || !this.run.isIdle) return;
    const decided = this.run
      .runIfIdle(choice === "discard" ? "applying" : "streaming", async (cancel) => {
        const done = await this.#answering.resolveRecovery(step, choice, cancel);
        if (!done.ok) this.model.showFailure(done.error);
      })
      .then(() => undefined);
    if (choice === "keep") this.#keeping = decided;
    await decided;
  }

  /** Stores a setting of this conversation; empty restores the global one. Resolves to whether it was stored. */
  async setSetting(name: string, value: string, duringAnswer: string): Promise<boolean> {
    let isStored = false;
    await this.run.runOrNotify("applying", duringAnswer, async () => {
      const record = { kind: "setting", name, value, atMs: this.#services.clock.nowMs() } as const;
      const changed = await this.opened.conversation.change([record]);
      isStored = changed.ok;
      if (!changed.ok) this.model.showFailure(changed.error);
    });
    return isStored;
  }

  #noteSettled(): void {
    if (this.run.isIdle) this.#settled.fire();
  }

  /** Stops what runs before the conversation is closed. An answer cut off by that awaits the user's decision. */
  async shutDown(): Promise<void> {
    this.run.close();
    await this.summaries.automatic.close();
    await this.run.settled;
  }
}
