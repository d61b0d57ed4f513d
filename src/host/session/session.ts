/** One open conversation, one thing at a time; what is typed meanwhile waits. Every change is durable before it is shown. */

import type { ForgeError } from "../../core/errors.ts";
import type { StepId } from "../../core/ids.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import type { ToolBatch } from "../../core/journal/toolBatch.ts";
import type { Message } from "../../core/message.ts";
import { countingFormula, tokensOf } from "../../core/tokens/countingFormula.ts";
import type { RecoveryChoice } from "../../protocol/toHost.ts";
import type { Row } from "../../protocol/toView.ts";
import { Answering } from "./answering.ts";
import { Composer } from "./composer/composer.ts";
import type { Connection } from "../connections/connections.ts";
import { ExclusiveRun, type Activity } from "../background/exclusiveRun.ts";
import { explain } from "../words/explain.ts";
import { MessageActs } from "./messageActs.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import { SessionErasing } from "./sessionErasing.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import { SessionModel } from "./sessionModel.ts";
import type { SessionParts } from "./sessionParts.ts";
import { SessionSummaries } from "./sessionSummaries.ts";
import { SessionTools } from "./sessionTools.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** The open conversation's life: asking, stopping, deciding, summarizing. */
export class Session {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly summaries: SessionSummaries;
  readonly erasing: SessionErasing;
  readonly tools: SessionTools;
  readonly composer: Composer;
  readonly acts: MessageActs;
  /** The messages that the reader has selected in the chat, from the first to the last one. */
  selected: { readonly first: number; readonly last: number } | null = null;
  readonly #environment: SessionEnvironment;
  readonly #answering: Answering;
  readonly #model: SessionModel;
  readonly #run: ExclusiveRun;
  /** A Keep takes a moment; a message that is sent in it waits for it. */
  #keeping: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor({ opened, transcript, connection, environment }: SessionParts) {
    this.opened = opened;
    this.transcript = transcript;
    this.#environment = environment;
    this.summaries = new SessionSummaries(this, environment);
    this.#model = new SessionModel({
      opened,
      transcript,
      environment,
      connection,
      connected: () => void this.tools.refresh().catch(environment.bug),
      hasRows: () => !this.isEmpty,
    });
    const shared = { opened, transcript, environment, connection: () => this.connection };
    this.tools = new SessionTools(shared);
    const isClosing = (): boolean => this.#isClosing;
    this.#answering = new Answering({ ...shared, summaries: this.summaries, tools: this.tools, isClosing });
    this.composer = new Composer(this, this.#answering, environment);
    this.erasing = new SessionErasing(this, environment);
    const showProblem = this.showProblem.bind(this);
    const isIdle = (): boolean => this.isIdle;
    const exclusively = this.exclusively.bind(this);
    const activity = (): Activity => this.activity;
    const acting = { answering: this.#answering, environment, isIdle, activity, exclusively, showProblem };
    const { composer, summaries } = this;
    this.acts = new MessageActs({ ...acting, opened, transcript, summaries, edits: composer.edits });
    this.#run = new ExclusiveRun({
      begun: (activity) => {
        if (activity !== "applying") environment.showBanner(null);
        environment.changed();
      },
      ended: () => {
        transcript.trim();
        if (this.#answering.takeEnd() === "stopped") composer.queue.hold();
        environment.changed();
        this.summaries.automatic.look();
      },
      bug: environment.bug,
    });
  }

  /** Who answers. */
  get connection(): Connection {
    return this.#model.connection;
  }

  /** Empty before the first message. */
  get title(): string {
    return this.opened.manager.history.title?.title ?? "";
  }

  /** Written by a newer Forge: it can be read and searched, and nothing of it changes here. */
  get isReadOnly(): boolean {
    return this.opened.store.shape.readOnly === true;
  }

  /** Nothing was ever said in it. */
  get isEmpty(): boolean {
    const { length } = this.opened.manager.history;
    return length === 0 && this.undecidedCount === 0 && this.composer.queue.view.items.length === 0;
  }

  /** Nothing runs, and it is not being closed. */
  get isIdle(): boolean {
    return this.activity === "idle" && !this.#isClosing;
  }

  /** What it is busy with. */
  get activity(): Activity {
    return this.#run.activity;
  }

  /** Interrupted answers that wait for a decision, oldest first. */
  get undecided(): readonly LeftoverStep[] {
    return this.#answering.undecided.steps;
  }

  /** The answer whose tools were interrupted, and which waits for a decision. */
  get undecidedBatch(): ToolBatch | undefined {
    return this.activity === "streaming" ? undefined : this.#answering.undecided.batch;
  }

  /** How many answers wait for a decision. */
  get undecidedCount(): number {
    return this.undecided.length + (this.undecidedBatch === undefined ? 0 : 1);
  }

  /** What stands behind the history: interrupted answers, or that the last message has none. Nothing while one begins. */
  rowsBehindHistory(): readonly Row[] {
    return this.activity === "streaming" || this.isReadOnly ? [] : this.#answering.rowsBehindHistory();
  }

  /** Has the same choice of model answer through another connection, as after a key or a setting changed. */
  connect(connection: Connection): void {
    const { connection: before } = this;
    this.#model.connect(connection);
    this.summaries.automatic.settingsChanged(before);
  }

  /** Has another model answer from now on, on the user's word; the chat says what that does to what is sent. */
  async switchModel(connection: Connection): Promise<void> {
    if (await this.#model.switchTo(connection)) this.summaries.automatic.modelSwitched();
  }

  /** Tokens of a message in the counting of the model in use, framing included. */
  async tokensOf(message: Message): Promise<number> {
    return tokensOf(await this.#environment.countTokens(message), countingFormula(this.connection.model));
  }

  /**
   * Sends what the user typed and has it answered, or puts it into the queue while something runs. Resolves when the answer
   * ended, whichever way, or the message is in the queue.
   */
  async send(sendId: string, text: string): Promise<void> {
    await this.#keeping;
    const { sending } = this.composer;
    if (this.#isClosing || this.isReadOnly) sending.refuse(sendId);
    else await sending.send(sendId, text);
  }

  /** Stops what runs; what was received is kept. */
  stop(): void {
    this.#run.stop();
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
    if (this.activity !== "idle" || this.#isClosing || this.isReadOnly) return;
    await this.#exclusively("streaming", async (cancel) => {
      const kept = await this.#answering.undecided.keepAll();
      if (kept.ok) await this.#answering.answerLast(cancel);
      else this.showProblem(kept.error);
    });
  }

  /** Carries out the user's decision about an interrupted answer. An unknown step was decided before: nothing happens. */
  async recover(step: StepId, choice: RecoveryChoice): Promise<void> {
    const { undecided } = this.#answering;
    const isUndecided = undecided.step(step) !== undefined || undecided.isBatch(step);
    if (!isUndecided || this.activity !== "idle" || this.#isClosing) return;
    const decided = this.#exclusively("streaming", async (cancel) => {
      const done = await this.#answering.decide(step, choice, cancel);
      if (!done.ok) this.showProblem(done.error);
    });
    if (choice === "keep") this.#keeping = decided;
    await decided;
  }

  /** Runs a compaction, or another change of the conversation, when nothing else runs; answers whether it could. */
  async alone(activity: "summarizing" | "applying", work: (cancel: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.activity !== "idle" || this.#isClosing || this.isReadOnly) return false;
    await this.#exclusively(activity, work);
    return true;
  }

  /** Ends what runs, because the conversation is being closed. An answer that is cut by it waits for the user's decision. */
  async settle(): Promise<void> {
    this.#isClosing = true;
    this.stop();
    await this.summaries.automatic.close();
    await this.#run.settled;
  }

  /** Runs a turn when nothing else runs. */
  async exclusively(work: (cancel: AbortSignal) => Promise<void>): Promise<void> {
    await this.#exclusively("streaming", work);
  }

  /** Says what stands in the way of what the user asked for. */
  showProblem(error: ForgeError): void {
    this.#environment.showBanner(explain(error, this.connection.provider.label));
  }

  async #exclusively(activity: Activity, work: (cancel: AbortSignal) => Promise<void>): Promise<void> {
    await this.#run.run(activity, work);
    this.composer.queue.advance().catch(this.#environment.bug);
  }
}
