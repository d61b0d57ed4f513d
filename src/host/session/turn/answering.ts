/**
 * Questions and answers of the open conversation: questions enter the history, answers are streamed into it, and
 * interrupted ones await the user's decision. Exclusion is up to the session.
 */

import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { recallForQuestion } from "../../../core/context/recalled/recallForQuestion.ts";
import { isEqualProject, type Project } from "../../../core/history/project.ts";
import type { ProjectRecord, VisibilityRecord } from "../../../core/history/records.ts";
import { questionOf } from "../../../core/history/branches/branches.ts";
import { endsWithHiddenTurns } from "../../../core/history/branches/hiddenTurns.ts";
import type { FullHistory } from "../../../core/history/fullHistory.ts";
import { messageId, type MessageId, type StepId } from "../../../core/ids.ts";
import { StreamJournal } from "../../../core/journal/streamJournal.ts";
import { textOf, type Message, type RecalledPassage } from "../../../core/message.ts";
import { ok, type Result } from "../../../core/result.ts";
import type { JournalWrite } from "../../../core/store/conversationStore.ts";
import type { Provider } from "../../../core/stream/provider.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { runTurn } from "../../../core/turn/turn.ts";
import type { TurnDeps, TurnHost, TurnRequest } from "../../../core/turn/turnDeps.ts";
import type { RecoveryChoice } from "../../../protocol/toHost.ts";
import { localize } from "../../../protocol/localize.ts";
import { modelName } from "../../../core/models/modelName.ts";
import { info, SWITCH_MODEL } from "../../words/banners.ts";
import { isServerName } from "../../connections/unreachableServers.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { automaticTitle } from "../../transcript/title.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import { AnswerRows } from "./answerRows.ts";
import type { PendingRecovery } from "./pendingRecovery.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { SessionSummaries } from "../summaries/sessionSummaries.ts";
import type { SessionTools } from "../tools/sessionTools.ts";

/** What is committed together with a question. */
export interface QuestionCommit {
  /** Its id in the queue; becomes the step of its message, so that it enters the history once. */
  readonly queueId?: StepId;
  /** Remove it from the composer or the queue. */
  readonly drops?: readonly JournalWrite[];
  /** Records before and after it: they hide the question it replaces, and meanwhile show the message it follows. */
  readonly visibility?: { readonly before: readonly VisibilityRecord[]; readonly after: readonly VisibilityRecord[] };
}

/** The message that answer `id` answers, with the answers that it goes on with. */
function askedOf(history: FullHistory, id: MessageId): MessageId {
  const { continues } = history.entry(id);
  return continues === undefined ? (history.branches.parentOf(id) ?? id) : askedOf(history, continues);
}

/** Of the open projects that the conversation does not have yet. */
function projectRecords(open: readonly Project[], { projects }: FullHistory, atMs: number): readonly ProjectRecord[] {
  const isNew = (project: Project): boolean => !projects.some((known) => isEqualProject(known, project));
  return open.filter(isNew).map((project) => ({ kind: "project", project, atMs }));
}

export class Answering implements TurnHost {
  readonly #opened: OpenConversation;
  readonly #transcript: Transcript;
  readonly #recovery: PendingRecovery;
  readonly #model: SessionModel;
  readonly #run: SessionRun;
  readonly #tools: SessionTools;
  readonly #summaries: SessionSummaries;
  readonly #services: SessionServices;
  readonly #journal: StreamJournal;
  readonly #rows: AnswerRows;
  #end: "complete" | "stopped" | undefined;

  constructor(
    opened: OpenConversation,
    transcript: Transcript,
    recovery: PendingRecovery,
    model: SessionModel,
    run: SessionRun,
    tools: SessionTools,
    summaries: SessionSummaries,
    services: SessionServices,
  ) {
    this.#opened = opened;
    this.#transcript = transcript;
    this.#recovery = recovery;
    this.#model = model;
    this.#run = run;
    this.#tools = tools;
    this.#summaries = summaries;
    this.#services = services;
    this.#journal = new StreamJournal(opened.store, services.clock);
    this.#rows = new AnswerRows(opened, transcript, this.#journal, recovery, model, services);
  }

  get provider(): Provider {
    return this.#model.connection.provider;
  }
  /** When the service can be asked again, as far as it has told; may be past. */
  get retryAtMs(): number | undefined {
    return this.#rows.retryAtMs;
  }
  get tools(): readonly Tool[] {
    return this.#tools.offered;
  }
  get maxRounds(): number {
    return this.#services.settings.current.tools.maxRounds;
  }
  get isClosing(): boolean {
    return this.#run.isClosing;
  }
  noteIgnoredTools(): void {
    const { providerName, model } = this.#model.connection;
    if (isServerName(providerName)) this.#services.tools.noteRefusal(model);
    this.#tools.refresh().catch(this.#services.reportBug);
  }
  async beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    await this.#model.refreshLimits();
    return this.#summaries.beforeRequest(cancel);
  }

  /** Checks whether a question could be sent at all; the error tells by how much it is too large. */
  async admit(message: Message): Promise<Result<void, ForgeError>> {
    const { clock, messageCounter } = this.#services;
    const tokens = await messageCounter.count(message);
    const meta = { state: "complete", createdAtMs: clock.nowMs(), tokens } as const;
    const admitted = this.#opened.manager.admit(message, meta);
    return admitted.ok ? ok(undefined) : admitted;
  }

  /** Adds a question to the history: rejected if it could not be sent, durable before it is shown. */
  async ask(message: Message, from: QuestionCommit): Promise<Result<MessageId, ForgeError>> {
    const { conversation, manager } = this.#opened;
    const { clock, messageCounter } = this.#services;
    const kept = await this.#recovery.saveAll();
    if (!kept.ok) return kept;
    const [tokens, recalled, projects] = await Promise.all([
      messageCounter.count(message),
      this.#recallFor(message, from),
      this.#services.projects.current(),
    ]);
    const asked = await conversation.changeBy(() => {
      const createdAtMs = clock.nowMs();
      const step = from.queueId === undefined ? {} : { step: from.queueId };
      const admitted = manager.admit(message, { state: "complete", createdAtMs, tokens, recalled, ...step });
      if (!admitted.ok) return admitted;
      const { before = [], after = [] } = from.visibility ?? {};
      const title = automaticTitle(manager.history.title, textOf(message), createdAtMs);
      const records = [
        ...before,
        admitted.value,
        ...after,
        ...(title === undefined ? [] : [title]),
        ...projectRecords(projects, manager.history, createdAtMs),
      ];
      return ok({ records, writes: from.drops ?? [], id: admitted.value.entry.id });
    });
    if (!asked.ok) return asked;
    this.#sayIfUnseen(message);
    return ok(asked.value.id);
  }

  /** Passages that go with a question. Without them it is sent all the same. */
  async #recallFor(message: Message, { visibility }: QuestionCommit): Promise<readonly RecalledPassage[]> {
    if (!this.#services.settings.current.recallForQuestion) return [];
    const { manager, store } = this.#opened;
    const { before = [], after = [] } = visibility ?? {};
    const sent = manager.sentTexts([...before, ...after]);
    return sent === undefined
      ? []
      : recallForQuestion(message, sent, { store, counter: this.#services.messageCounter });
  }

  /** A picture that was added for another model is not left out without a word. */
  #sayIfUnseen({ parts }: Message): void {
    const { seesImages, model } = this.#model.connection;
    if (seesImages !== false || parts.every(({ kind }) => kind !== "image")) return;
    const text = localize(
      "{0} does not accept images: it is only told that there is one. Your message is kept as it is. Switch to another model and answer again to have it looked at.",
      modelName(model),
    );
    this.#services.view.showBanner({ ...info(text), actions: [SWITCH_MODEL] });
  }

  /** Answers message `asked` again, showing it if it is hidden; hides what came after it. */
  async answerAgain(asked: MessageId, cancel: AbortSignal): Promise<void> {
    const { conversation, manager } = this.#opened;
    this.#transcript.isAnswering = true;
    const changed = await conversation.changeBy(() => {
      const { history } = manager;
      const end = messageId(history.length);
      const atMs = this.#services.clock.nowMs();
      const made = [
        ...(history.isVisible(history.entry(asked)) ? [] : [manager.showRecord(history.atomOf(asked), atMs)]),
        ...(asked + 1 < end ? [manager.hideRecord({ start: messageId(asked + 1), end }, atMs)] : []),
      ];
      return ok({ records: made.flatMap((record) => (record.ok ? [record.value] : [])) });
    });
    this.#transcript.isAnswering = false;
    if (changed.ok) await this.answer(asked, cancel);
    else this.#model.showFailure(changed.error);
  }

  /** Answers message `asked` with the current model; continues an open tool batch, or the answer `continues`. */
  async answer(asked: MessageId, cancel: AbortSignal, continues?: MessageId): Promise<void> {
    const { history } = this.#opened.conversation;
    const { length } = history;
    const transcript = this.#transcript;
    transcript.remove("notice-failed");
    transcript.isAnswering = true;
    try {
      if (transcript.endsHidden) await transcript.rebuild();
      await this.#runTurn(continues === undefined ? { asked } : { asked, continues }, cancel);
    } finally {
      transcript.isAnswering = false;
    }
    // No new answer: the hidden one must be reachable again.
    if (history.length === length && endsWithHiddenTurns(history)) await transcript.rebuild();
  }

  /** How the turn since the previous call ended; `undefined` when none ran. */
  takeOutcome(): "complete" | "stopped" | undefined {
    const end = this.#end;
    this.#end = undefined;
    return end;
  }

  /** Answers the last question again, or continues after tool results. */
  async answerLast(cancel: AbortSignal): Promise<void> {
    const { history } = this.#opened.conversation;
    const last = history.lastVisible;
    if (last?.role === "user" && last.batch !== undefined) {
      await this.answer(last.id, cancel);
      return;
    }
    const asked = last === undefined ? undefined : questionOf(history, last.id);
    if (asked !== undefined) await this.answerAgain(asked, cancel);
  }

  /** Goes on in the last answer; after tool results, which are sent instead, with a new one. */
  async continueLast(cancel: AbortSignal): Promise<void> {
    const { history } = this.#opened.conversation;
    const last = history.lastVisible;
    if (last?.role !== "assistant") {
      if (last !== undefined) await this.answer(last.id, cancel);
      return;
    }
    if (last.stop?.reason === "contextFull") await this.#summaries.makeRoom(cancel);
    await this.answer(askedOf(history, last.id), cancel, last.id);
  }

  /** Carries out the user's decision about an interrupted answer. */
  async resolveRecovery(step: StepId, choice: RecoveryChoice, cancel: AbortSignal): Promise<Result<void, ForgeError>> {
    const { batch } = this.#recovery;
    if (batch !== undefined && this.#recovery.isOpenBatch(step)) {
      // Finished calls keep their results; calls not begun are subject to approval.
      const done = await (choice === "discard" ? this.#recovery.discardBatch() : this.#recovery.recreateBatch());
      if (done.ok && choice !== "discard") await this.answer(batch.asked, cancel);
      return done;
    }
    const leftover = this.#recovery.step(step);
    if (leftover === undefined) return ok(undefined);
    const kept = await this.#recovery.saveAnswer(leftover);
    if (!kept.ok) return kept;
    if (choice === "continue") await this.continueLast(cancel);
    else if (choice === "askAgain") await this.answerAgain(leftover.asked, cancel);
    return ok(undefined);
  }

  /** A server that has a smaller window than it said, as after it was started anew, is asked once more with less. */
  async #runTurn(request: TurnRequest, cancel: AbortSignal, isFirst = true): Promise<void> {
    await this.#tools.refresh(); // the editor has no event for registered tools
    const { conversation, toolJournal } = this.#opened;
    const { clock, newUuid, messageCounter } = this.#services;
    const deps: TurnDeps = {
      conversation,
      journal: this.#journal,
      toolJournal,
      clock,
      newUuid,
      messageCounter,
      host: this,
      approvals: this.#tools,
    };
    const plannedWith = this.#opened.manager.limits.contextWindow;
    for await (const event of runTurn(request, deps, cancel)) {
      this.#rows.show(event);
      if (isFirst && event.kind === "failed" && namesSmallerWindow(event.error, plannedWith)) {
        this.#transcript.remove("notice-failed");
        return this.#runTurn(request, cancel, false);
      }
      if (event.kind === "completed") this.#end = "paused" in event ? "stopped" : "complete";
      else if (event.kind === "cancelled" || event.kind === "failed") this.#end = "stopped";
    }
  }
}

function namesSmallerWindow(error: ForgeError, plannedWith: number): boolean {
  return error.code === "SERVICE_UNAVAILABLE" && (error.windowTokens ?? plannedWith) < plannedWith;
}
