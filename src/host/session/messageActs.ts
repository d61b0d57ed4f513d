/**
 * What the user does with a message that is in the history: another wording, another answer, another way on, pin, hide.
 * Nothing is ever removed: what gives way is hidden, in the transaction that stores what takes its place.
 */

import type { ForgeError } from "../../core/errors.ts";
import { branchChange, branchPlace, questionOf } from "../../core/history/branches.ts";
import type { ConversationRecord } from "../../core/history/records.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import type { HistoryEntry, Message } from "../../core/message.ts";
import type { StoreWrite } from "../../core/store/conversationStore.ts";
import { err, type Result } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import type { Activity } from "../background/exclusiveRun.ts";
import { busyNote, shownActivity } from "../words/busyNote.ts";
import type { Answering } from "./answering.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import type { ComposerEdits } from "./composer/composerEdits.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SessionSummaries } from "./sessionSummaries.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** What acting works with. */
export interface MessageActsParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  readonly answering: Answering;
  readonly summaries: Pick<SessionSummaries, "automatic">;
  readonly edits: Pick<ComposerEdits, "send">;
  /** Nothing runs now. */
  readonly isIdle: () => boolean;
  readonly activity: () => Activity;
  /** Runs a turn, alone. */
  readonly exclusively: (work: (cancel: AbortSignal) => Promise<void>) => Promise<void>;
  readonly showProblem: (error: ForgeError) => void;
}

/** The acts of one conversation. All but `pin` wait for nothing: while something runs they say so and do nothing. */
export class MessageActs {
  readonly #parts: MessageActsParts;

  constructor(parts: MessageActsParts) {
    this.#parts = parts;
  }

  /** Sends a question in other words; it and what came after it are hidden. Answers whether it was taken. */
  async edit(id: number, text: string, taken: () => void): Promise<boolean> {
    const entry = this.#entry(id);
    if (entry?.role !== "user" || text.trim() === "" || !this.#mayBegin()) return false;
    let isTaken = false;
    await this.#parts.exclusively(async (cancel) => {
      const asked = await this.#askInstead(entry, text);
      if (!asked.ok) {
        this.#parts.showProblem(asked.error);
        return;
      }
      isTaken = true;
      taken();
      await this.#parts.answering.answer(asked.value, cancel);
    });
    return isTaken;
  }

  /** Has the question that message `id` belongs to answered once more; what came after it is hidden. */
  async retry(id: number): Promise<void> {
    const entry = this.#entry(id);
    if (entry === undefined || !this.#mayBegin()) return;
    await this.#parts.exclusively(async (cancel) => {
      const kept = await this.#parts.answering.undecided.keepAll();
      const { answering, opened, showProblem } = this.#parts;
      if (kept.ok) await answering.askAgain(questionOf(opened.manager.history, entry.id) ?? entry.turn, cancel);
      else showProblem(kept.error);
    });
  }

  /** Shows another way on than the one by message `id`; answers the message by which it goes. */
  async choose(id: number, step: -1 | 1): Promise<MessageId | undefined> {
    const entry = this.#entry(id);
    if (entry === undefined || !this.#mayBegin()) return undefined;
    const { history } = this.#parts.opened.manager;
    const place = branchPlace(history, entry.id);
    const to = place?.ways[place.index + step];
    if (to === undefined) return undefined;
    const { manager } = this.#parts.opened;
    const atMs = this.#parts.environment.clock.nowMs();
    const { hide, show } = branchChange(history, entry.id, to);
    const made = [...hide.map((range) => manager.hide(range, atMs)), ...show.map((range) => manager.show(range, atMs))];
    const records = made.flatMap((record) => (record.ok ? [record.value] : []));
    if (!(await this.#store(records))) return undefined;
    await this.#showAll();
    return to;
  }

  /** Takes a message out of the view, or brings it back; a tool batch goes as a whole. */
  async setHidden(id: number, hidden: boolean): Promise<void> {
    const entry = this.#entry(id);
    if (entry === undefined || !this.#mayBegin()) return;
    const { manager } = this.#parts.opened;
    const range = manager.history.atomOf(entry.id);
    const atMs = this.#parts.environment.clock.nowMs();
    const record = hidden ? manager.hide(range, atMs) : manager.show(range, atMs);
    if (!record.ok || !(await this.#store([record.value]))) return;
    this.#parts.environment.saved(null); // a summary that it is in does not count now, or does so again
    const rowId = `${hidden ? "message" : "hidden"}-${String(range.start)}`;
    const { transcript, answering, summaries } = this.#parts;
    if (!this.#done(await transcript.redraw(range.start, rowId))) return;
    const behind = answering.rowsBehindHistory();
    if (behind.length === 0) transcript.remove("notice-failed");
    transcript.add(behind.filter(({ rowId }) => transcript.page.rows.every((row) => row.rowId !== rowId)));
    const redrawn = await transcript.redrawSummariesOf(range.start);
    if (!this.#done(redrawn)) return;
    // An answer that waits for the user's word will be a version of others.
    const isOther = (redrawn.ok && redrawn.value) || behind.some(({ kind }) => kind === "message");
    if (isOther) await summaries.automatic.rebuild();
  }

  /** Has a message always sent as it is, or takes that back. */
  async setPinned(id: number, pinned: boolean): Promise<void> {
    const entry = this.#entry(id);
    if (entry === undefined || !this.#mayBegin()) return;
    const { manager } = this.#parts.opened;
    const atMs = this.#parts.environment.clock.nowMs();
    const record = pinned ? manager.pin(entry.id, atMs) : manager.unpin(entry.id, atMs);
    if (record.ok && (await this.#store([record.value]))) this.#done(await this.#parts.transcript.redraw(entry.id));
  }

  async #askInstead(old: HistoryEntry, text: string): Promise<Result<MessageId, ForgeError>> {
    const { opened, answering, environment } = this.#parts;
    const { manager, store } = opened;
    const read = await store.readMessages([old.id]);
    if (!read.ok) return read;
    // What was left out of requests stays with the old wording.
    const added = read.value.flatMap(({ message }) =>
      message.parts.filter(({ kind }, index) => kind !== "text" && old.leftOut?.includes(index) !== true),
    );
    const message: Message = { role: "user", parts: [...added, { kind: "text", text }] };
    const kept = await answering.undecided.keepAll();
    if (!kept.ok) return kept;
    const { history } = manager;
    const atMs = environment.clock.nowMs();
    const hidden = manager.hide({ start: old.id, end: messageId(history.length) }, atMs);
    if (!hidden.ok) return err(hidden.error);
    const before: StoreWrite[] = [{ kind: "record", record: hidden.value }];
    const behind: StoreWrite[] = [];
    const followed = history.branches.before(old.id);
    if (followed !== undefined && !history.isVisible(history.entry(followed))) {
      // Both wordings follow the same message: else they would be no versions of each other.
      const visibility = { kind: "visibility", range: history.atomOf(followed), atMs } as const;
      before.push({ kind: "record", record: { ...visibility, hidden: false } });
      behind.push({ kind: "record", record: { ...visibility, hidden: true } });
    }
    return this.#parts.edits.send({ messageId: old.id }, (drops) => answering.ask(message, { before, behind, drops }));
  }

  async #store(records: readonly ConversationRecord[]): Promise<boolean> {
    const { opened, environment, summaries } = this.#parts;
    const writes = records.map((record): StoreWrite => ({ kind: "record", record }));
    const committed = await opened.store.commit(writes);
    if (this.#done(committed)) for (const record of records) opened.manager.apply(record);
    environment.changed();
    summaries.automatic.messagesChanged();
    return committed.ok;
  }

  async #showAll(): Promise<void> {
    const { transcript, answering, environment } = this.#parts;
    if (this.#done(await transcript.load(answering.rowsBehindHistory()))) environment.refreshView();
  }

  #done(result: Result<unknown, ForgeError>): boolean {
    if (!result.ok) this.#parts.showProblem(result.error);
    return result.ok;
  }

  #entry(id: number): HistoryEntry | undefined {
    return this.#parts.opened.manager.history.entries[id];
  }

  #mayBegin(): boolean {
    if (this.#parts.isIdle()) return true;
    const text = localize("This can be done when the answer has ended. Stop it, or wait.");
    const { environment, summaries, activity } = this.#parts;
    environment.showBanner(busyNote(shownActivity({ activity: activity(), summaries }), text));
    return false;
  }
}
