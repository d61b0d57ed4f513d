/**
 * What the user does with a message of the history: edit, retry, choose a branch, pin, hide, exclude an attachment.
 * Nothing is removed: what is superseded is hidden in the transaction that stores its replacement. While something
 * runs, nothing changes and a banner says why.
 */

import type { ForgeError } from "../../core/errors.ts";
import { branchChange, branchPlace, questionOf } from "../../core/history/branches/branches.ts";
import { answerParts } from "../../core/history/continuations.ts";
import { exclusionRecord, withoutExcluded } from "../../core/history/exclusion.ts";
import type { PinRecord, VisibilityRecord } from "../../core/history/records.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import type { HistoryEntry, Message } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import type { OpenConversation } from "../opening/openConversation.ts";
import type { Answering } from "./turn/answering.ts";
import type { PendingRecovery } from "./turn/pendingRecovery.ts";
import type { ComposerEdits } from "./composer/composerEdits.ts";
import type { SessionModel } from "./sessionModel.ts";
import type { SessionRun } from "./sessionRun.ts";
import type { SessionServices } from "./sessionServices.ts";

export class MessageActions {
  readonly #opened: OpenConversation;
  readonly #answering: Answering;
  readonly #recovery: PendingRecovery;
  readonly #edits: ComposerEdits;
  readonly #model: SessionModel;
  readonly #run: SessionRun;
  readonly #services: SessionServices;

  constructor(
    opened: OpenConversation,
    answering: Answering,
    recovery: PendingRecovery,
    edits: ComposerEdits,
    model: SessionModel,
    run: SessionRun,
    services: SessionServices,
  ) {
    this.#opened = opened;
    this.#answering = answering;
    this.#recovery = recovery;
    this.#edits = edits;
    this.#model = model;
    this.#run = run;
    this.#services = services;
  }

  /** Sends a question again with another text; hides it and what came after it. Resolves to whether it was accepted. */
  async edit(id: number, text: string, onAccepted: () => void): Promise<boolean> {
    const entry = this.#entry(id);
    if (entry?.role !== "user" || text.trim() === "") return false;
    let isTaken = false;
    await this.#run.runOrNotify("streaming", BUSY_ANSWERING, async (cancel) => {
      const asked = await this.#replaceQuestion(entry, text);
      if (!asked.ok) {
        this.#model.showFailure(asked.error);
        return;
      }
      isTaken = true;
      onAccepted();
      await this.#answering.answer(asked.value, cancel);
    });
    return isTaken;
  }

  /** Answers the question of message `id` again; hides what came after the question. */
  async retry(id: number): Promise<void> {
    const entry = this.#entry(id);
    if (entry === undefined) return;
    await this.#run.runOrNotify("streaming", BUSY_ANSWERING, async (cancel) => {
      const kept = await this.#recovery.saveAll();
      const { history } = this.#opened.conversation;
      if (kept.ok) await this.#answering.answerAgain(questionOf(history, entry.id) ?? entry.turn, cancel);
      else this.#model.showFailure(kept.error);
    });
  }

  /** Shows the branch next to that of message `id`; resolves to the message that begins it. */
  async showSiblingBranch(id: number, step: -1 | 1): Promise<MessageId | undefined> {
    const entry = this.#entry(id);
    if (entry === undefined) return undefined;
    let shown: MessageId | undefined;
    await this.#change(
      BUSY_ANSWERING,
      () => {
        const { manager } = this.#opened;
        const place = branchPlace(manager.history, entry.id);
        const to = place?.siblings[place.index + step];
        if (to === undefined) return undefined;
        shown = to;
        return this.#branchRecords(entry.id, to);
      },
      (asked) => asked >= entry.id,
    ).then((isDone) => {
      if (!isDone) shown = undefined;
    });
    return shown;
  }

  /** Shows the version that begins with message `to`, whatever it is a version of; resolves to whether it does. */
  showVersion(to: MessageId): Promise<boolean> {
    const { manager } = this.#opened;
    const { history } = manager;
    const parent = history.branches.parentOf(to) ?? -1;
    const from = history.entries.slice(parent + 1).find((entry) => history.isVisible(entry))?.id ?? to;
    return this.#change(
      BUSY_ANSWERING,
      () => this.#branchRecords(from, to),
      (asked) => asked >= from,
    );
  }

  /** Hides or shows a message; a tool batch and an answer that was continued as a whole. */
  async setHidden(id: number, hidden: boolean): Promise<void> {
    const entry = this.#entry(id);
    if (entry === undefined) return;
    await this.#change(
      BUSY_ANSWERING,
      () => {
        const { manager } = this.#opened;
        const atMs = this.#services.clock.nowMs();
        return answerParts(manager.history, entry.id).map((part) => {
          const range = manager.history.atomOf(part);
          return hidden ? manager.hideRecord(range, atMs) : manager.showRecord(range, atMs);
        });
      },
      (asked) => asked === entry.id,
    );
  }

  /** Pinned messages are always sent unchanged. */
  async setPinned(id: number, pinned: boolean): Promise<void> {
    const entry = this.#entry(id);
    if (entry === undefined) return;
    await this.#change(localize("Pins can be changed when this answer has ended."), () => {
      const { manager } = this.#opened;
      const atMs = this.#services.clock.nowMs();
      return answerParts(manager.history, entry.id).map((part) =>
        pinned ? manager.pinRecord(part, atMs) : manager.unpinRecord(part, atMs),
      );
    });
  }

  /** Excludes an attachment from later requests, or includes it again; `part` is its index in the message. */
  async setExcluded(id: number, part: number, isExcluded: boolean): Promise<void> {
    const text = localize("Attachments can be left out when this answer has ended.");
    await this.#run.runOrNotify("applying", text, async () => {
      const done = await this.#setExcluded(id, part, isExcluded);
      if (!done.ok) this.#model.showFailure(done.error);
    });
  }

  #branchRecords(from: MessageId, to: MessageId): readonly Result<VisibilityRecord, ForgeError>[] {
    const { manager } = this.#opened;
    const atMs = this.#services.clock.nowMs();
    const { hide, show } = branchChange(manager.history, from, to);
    return [
      ...hide.map((range) => manager.hideRecord(range, atMs)),
      ...show.map((range) => manager.showRecord(range, atMs)),
    ];
  }

  async #setExcluded(id: number, part: number, isExcluded: boolean): Promise<Result<unknown, ForgeError>> {
    const { conversation, store } = this.#opened;
    const entry = this.#entry(id);
    const before = entry?.leftOut ?? [];
    if (entry === undefined || before.includes(part) === isExcluded) return ok(undefined);
    const leftOut = isExcluded ? [...before, part] : before.filter((index) => index !== part);
    const read = await store.readMessages([entry.id]);
    if (!read.ok) return read;
    const [stored] = read.value;
    if (stored === undefined) return ok(undefined);
    const { clock, messageCounter } = this.#services;
    const sentTokens = await messageCounter.count(withoutExcluded(stored.message, leftOut));
    return conversation.changeBy(() => {
      const record = exclusionRecord(stored, { leftOut, sentTokens, atMs: clock.nowMs() });
      return record.ok ? ok({ records: [record.value] }) : record;
    });
  }

  async #replaceQuestion(old: HistoryEntry, text: string): Promise<Result<MessageId, ForgeError>> {
    const { store, conversation, manager } = this.#opened;
    const read = await store.readMessages([old.id]);
    if (!read.ok) return read;
    // Excluded attachments are not copied to the new version.
    const added = read.value.flatMap(({ message }) =>
      message.parts.filter(({ kind }, index) => kind !== "text" && old.leftOut?.includes(index) !== true),
    );
    const message: Message = { role: "user", parts: [...added, { kind: "text", text }] };
    const kept = await this.#recovery.saveAll();
    if (!kept.ok) return kept;
    const { history } = conversation;
    const atMs = this.#services.clock.nowMs();
    const hidden = manager.hideRecord({ start: old.id, end: messageId(history.length) }, atMs);
    if (!hidden.ok) return err(hidden.error);
    const before: VisibilityRecord[] = [hidden.value];
    const after: VisibilityRecord[] = [];
    const followed = history.branches.parentOf(old.id);
    if (followed !== undefined && !history.isVisible(history.entry(followed))) {
      // Both versions must follow the same message, or they would not count as versions of each other.
      const visibility = { kind: "visibility", range: history.atomOf(followed), atMs } as const;
      before.push({ ...visibility, hidden: false });
      after.push({ ...visibility, hidden: true });
    }
    return this.#edits.send({ messageId: old.id }, (drops) =>
      this.#answering.ask(message, { visibility: { before, after }, drops }),
    );
  }

  /**
   * Commits the records of `make` while nothing else runs; resolves to whether any were committed. An interrupted answer
   * whose question `mayHide` accepts is saved before: it would follow what is shown instead of its question.
   */
  async #change(
    duringAnswer: string,
    make: () => readonly Result<VisibilityRecord | PinRecord, ForgeError>[] | undefined,
    mayHide: (asked: MessageId) => boolean = () => false,
  ): Promise<boolean> {
    let isDone = false;
    await this.#run.runOrNotify("applying", duringAnswer, async () => {
      const saved = this.#recovery.asked.some(mayHide) ? await this.#recovery.saveAll() : ok(undefined);
      if (!saved.ok) {
        this.#model.showFailure(saved.error);
        return;
      }
      const changed = await this.#opened.conversation.changeBy(() => {
        const made = make() ?? [];
        return ok({ records: made.flatMap((record) => (record.ok ? [record.value] : [])) });
      });
      isDone = changed.ok && changed.value.records.length > 0;
      if (!changed.ok) this.#model.showFailure(changed.error);
    });
    return isDone;
  }

  #entry(id: number): HistoryEntry | undefined {
    return this.#opened.conversation.history.entries[id];
  }
}

const BUSY_ANSWERING = localize("This can be done when the answer has ended. Stop it, or wait.");
