/**
 * Asking and answering in the open conversation: questions enter the history, answers are streamed into it, and those that
 * ended badly wait for the user's decision. Knows nothing of what else runs: the session sees to that.
 */

import type { ForgeError } from "../../core/errors.ts";
import type { VisibilityRecord } from "../../core/history/records.ts";
import { questionOf } from "../../core/history/branches.ts";
import { endsTakenOut, isAnswerTakenOut } from "../../core/history/takenOut.ts";
import { messageId, type MessageId, type StepId } from "../../core/ids.ts";
import { StreamJournal } from "../../core/journal/streamJournal.ts";
import { textOf, type Message } from "../../core/message.ts";
import type { StoreWrite } from "../../core/store/conversationStore.ts";
import { ok, type Result } from "../../core/result.ts";
import { runTurn } from "../../core/turn/turn.ts";
import type { RecoveryChoice } from "../../protocol/toHost.ts";
import type { Row } from "../../protocol/toView.ts";
import { AnswerRows, NOT_ANSWERED, NOT_GONE_ON } from "./answerRows.ts";
import type { Connection } from "../connections/connections.ts";
import { explain } from "../words/explain.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import { noticeRow } from "../transcript/rows.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SessionSummaries } from "./sessionSummaries.ts";
import type { SessionTools } from "./sessionTools.ts";
import { automaticTitle } from "../transcript/title.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { Undecided } from "./undecided.ts";

/** What answering works with. */
export interface AnsweringParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  readonly summaries: SessionSummaries;
  readonly tools: SessionTools;
  readonly connection: () => Connection;
  /** Whether the session is being closed: what is cut off then was not stopped by the user. */
  readonly isClosing: () => boolean;
}

/** Where a question comes from. */
export interface QuestionPlace {
  /** Where it waited; becomes the step of its message, so that it enters the history once. */
  readonly queueId?: StepId;
  /** Take it out of the composer or the queue; none where it stood in neither. */
  readonly drops?: readonly StoreWrite[];
  /** Stored right before it: what hides the question that it takes the place of. */
  readonly before?: readonly StoreWrite[];
  /** Stored right behind it: what hides again what it follows. */
  readonly behind?: readonly StoreWrite[];
}

/** Questions, answers, and what becomes of them. */
export class Answering {
  readonly #parts: AnsweringParts;
  readonly #journal: StreamJournal;
  readonly #rows: AnswerRows;
  /** What ended badly and waits for the user's word. */
  readonly undecided: Undecided;
  #end: "complete" | "stopped" | undefined;

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    this.#journal = new StreamJournal(parts.opened.store, parts.environment.clock);
    this.#rows = new AnswerRows({
      ...parts,
      journal: this.#journal,
      undecided: (leftover) => {
        this.undecided.add(leftover);
      },
    });
    this.undecided = new Undecided({ ...parts, rowOf: (entered) => this.#rows.rowOf(entered) });
  }

  /** What stands behind the history: interrupted answers, or that the last message has none at all. */
  rowsBehindHistory(): readonly Row[] {
    const undecided = this.undecided.rows();
    if (undecided.length > 0) return undecided;
    const { history } = this.#parts.opened.manager;
    const last = history.entries.findLast((entry) => history.isVisible(entry));
    if (last?.role !== "user" || isAnswerTakenOut(history)) return [];
    return [noticeRow("failed", last.batch === undefined ? NOT_ANSWERED : NOT_GONE_ON)];
  }

  /** Whether a question could be sent at all; an error says how much too large it is. */
  async admit(message: Message): Promise<Result<void, ForgeError>> {
    const { environment, opened } = this.#parts;
    const meta = { state: "complete", createdAtMs: environment.clock.nowMs() } as const;
    const admitted = opened.manager.admit(message, { ...meta, tokens: await environment.countTokens(message) });
    return admitted.ok ? ok(undefined) : admitted;
  }

  /**
   * Puts a question into the history: refused while it could not be sent, durable before it is shown. One that comes from
   * the composer empties it; one that comes from elsewhere leaves it; one in the place of another hides that.
   */
  async ask(message: Message, from: QuestionPlace): Promise<Result<MessageId, ForgeError>> {
    const { manager, store } = this.#parts.opened;
    const { clock, countTokens } = this.#parts.environment;
    const kept = await this.undecided.keepAll();
    if (!kept.ok) return kept;
    const admitted = manager.admit(message, {
      state: "complete",
      createdAtMs: clock.nowMs(),
      tokens: await countTokens(message),
      ...(from.queueId === undefined ? {} : { step: from.queueId }),
    });
    if (!admitted.ok) return admitted;
    const record = admitted.value;
    const { before = [], behind = [], drops = [] } = from;
    const writes: StoreWrite[] = [...before, { kind: "record", record }, ...behind, ...drops];
    const title = automaticTitle(manager.history.title, textOf(message), clock.nowMs());
    if (title !== undefined) writes.push({ kind: "record", record: title });
    const committed = await store.commit(writes);
    if (!committed.ok) return committed;
    for (const write of writes) if (write.kind === "record") manager.apply(write.record);
    const { transcript, environment } = this.#parts;
    if (from.before === undefined) transcript.remove("notice-failed");
    if (from.before === undefined && !transcript.endsHidden) {
      transcript.add([this.#rows.rowOf({ record })]);
    } else {
      await (from.before === undefined ? transcript.reload() : transcript.load());
      environment.refreshView();
    }
    environment.changed();
    return ok(record.entry.id);
  }

  /** Has the message `asked` answered anew, shown again where it was hidden; what came after it is hidden, never removed. */
  async askAgain(asked: MessageId, cancel: AbortSignal): Promise<void> {
    const { opened, environment, transcript, connection } = this.#parts;
    const { manager, store } = opened;
    const end = messageId(manager.history.length);
    const atMs = environment.clock.nowMs();
    const made: Result<VisibilityRecord, ForgeError>[] = [];
    if (!manager.history.isVisible(manager.history.entry(asked)))
      made.push(manager.show(manager.history.atomOf(asked), atMs));
    if (asked + 1 < end) made.push(manager.hide({ start: messageId(asked + 1), end }, atMs));
    const records = made.flatMap((record) => (record.ok ? [record.value] : []));
    if (records.length > 0) {
      const committed = await store.commit(records.map((record) => ({ kind: "record", record })));
      if (!committed.ok) {
        environment.showBanner(explain(committed.error, connection().provider.label));
        return;
      }
      for (const record of records) manager.apply(record);
      transcript.isAnswering = true;
      await transcript.load();
      environment.refreshView();
    }
    await this.answer(asked, cancel);
  }

  /** Has the message `asked` answered by the model in use; where a batch is open, goes on with that. */
  async answer(asked: MessageId, cancel: AbortSignal): Promise<void> {
    const { transcript, opened } = this.#parts;
    const { history } = opened.manager;
    const { length } = history;
    transcript.remove("notice-failed");
    transcript.isAnswering = true;
    try {
      if (transcript.endsHidden) await this.#showAnew();
      await this.#run(asked, cancel);
    } finally {
      transcript.isAnswering = false;
    }
    // What was to be given anew is in reach again.
    if (history.length === length && endsTakenOut(history)) await this.#showAnew();
  }

  async #showAnew(): Promise<void> {
    await this.#parts.transcript.reload();
    this.#parts.environment.refreshView();
  }

  async #run(asked: MessageId, cancel: AbortSignal): Promise<void> {
    const { environment, tools, summaries, isClosing, connection } = this.#parts;
    await tools.refresh(); // nobody says when a tool is registered in the editor
    const deps = {
      ...this.undecided.deps,
      journal: this.#journal,
      provider: () => connection().provider,
      tools: () => tools.offered,
      approvals: tools,
      maxRounds: environment.settings().tools.maxRounds,
      beforeRequest: summaries.beforeRequest.bind(summaries),
      isClosing,
    };
    for await (const event of runTurn({ asked }, deps, cancel)) {
      this.#rows.show(event);
      if (event.kind === "completed") this.#end = "paused" in event ? "stopped" : "complete";
      else if (event.kind === "cancelled" || event.kind === "failed") this.#end = "stopped";
    }
  }

  /** How the turn ended that ran since this was asked last; `undefined` when none did. */
  takeEnd(): "complete" | "stopped" | undefined {
    const end = this.#end;
    this.#end = undefined;
    return end;
  }

  /** Answers the last question once more, or goes on where only tools have answered. Nothing is asked where nothing is. */
  async answerLast(cancel: AbortSignal): Promise<void> {
    const { history } = this.#parts.opened.manager;
    const last = history.entries.findLast((entry) => history.isVisible(entry));
    if (last?.role === "user" && last.batch !== undefined) {
      await this.answer(last.id, cancel);
      return;
    }
    const asked = last === undefined ? undefined : questionOf(history, last.id);
    if (asked !== undefined) await this.askAgain(asked, cancel);
  }

  /** Carries out the user's decision about an interrupted answer. */
  async decide(step: StepId, choice: RecoveryChoice, cancel: AbortSignal): Promise<Result<void, ForgeError>> {
    const { batch } = this.undecided;
    if (batch !== undefined && this.undecided.isBatch(step)) {
      // What is done stays done; what has not begun is run by the rules.
      const done = await (choice === "discard" ? this.undecided.discardBatch() : this.undecided.mendBatch());
      if (!done.ok) return done;
      if (choice !== "discard") {
        await this.answer(batch.asked, cancel);
        return ok(undefined);
      }
      if (endsTakenOut(this.#parts.opened.manager.history)) await this.#showAnew();
      this.#parts.transcript.add(this.rowsBehindHistory());
      return ok(undefined);
    }
    const leftover = this.undecided.step(step);
    if (leftover === undefined) return ok(undefined);
    const kept = await this.undecided.keep(leftover);
    if (!kept.ok) return kept;
    if (choice === "continue") await this.answer(leftover.asked, cancel);
    else if (choice === "askAgain") await this.askAgain(leftover.asked, cancel);
    return ok(undefined);
  }
}
