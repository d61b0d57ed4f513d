/**
 * All that ever happened in a conversation, folded from its records. Only ever grows: nothing here removes or changes a
 * message. Holds an index, not texts, so that a conversation of any size costs little memory.
 */

import { messageId, type MessageId, type StepId, type SummaryId } from "../ids.ts";
import type { HistoryEntry, TokenCounts } from "../message.ts";
import { assertNever, invariant } from "../result.ts";
import { isChosen } from "./answeringModel.ts";
import { BranchIndex } from "./branches/branchIndex.ts";
import { demandNext, demandSamePlace, tokensOfEntries } from "./entryRules.ts";
import type { ConversationRecord, IndexRecord, ModelRecord, TitleRecord } from "./records.ts";
import { ConversationSpending } from "./spending.ts";
import { HiddenMessages } from "./branches/hiddenMessages.ts";
import { entryAfter } from "./exclusion.ts";
import { sourceHash } from "./summaries/sourceHash.ts";
import type { MessageRange, Summary } from "./summaries/summary.ts";
import type { SummaryNode } from "./summaries/summaryForest.ts";
import { SummaryIndex } from "./summaries/summaryIndex.ts";
import { TurnIndex } from "./turnIndex.ts";

/** A record as it is stored, with or without the content of its message. */
export type FoldedRecord = IndexRecord | ConversationRecord;

/** A model that the user chose, and after which message: the last one that was visible then, -1 before the first. */
export interface ModelChoice {
  readonly after: number;
  readonly record: ModelRecord;
}

/** The index of one conversation. */
export class FullHistory {
  #entries: HistoryEntry[] = [];
  #turns = new TurnIndex();
  #steps = new Set<StepId>();
  #hidden = new HiddenMessages();
  readonly #pins = new Set<MessageId>();
  #summaries = new SummaryIndex((range) => this.sourceHash(range));
  /** What it has cost so far, and what every compaction did. */
  readonly spending = new ConversationSpending();
  readonly #settings = new Map<string, string>();
  readonly #modelChoices: ModelChoice[] = [];
  #title: TitleRecord | undefined;
  #revision = 0;
  #branches = new BranchIndex();

  /** Which messages are different ways on from one place. */
  get branches(): BranchIndex {
    return this.#branches;
  }
  /** Number of messages, hidden ones included; the next message has this id. */
  get length(): number {
    return this.#entries.length;
  }
  /** Number of summaries ever made; the next one has this id. */
  get summaryCount(): number {
    return this.#summaries.all.length;
  }
  /** One more for each record that can change what is sent. */
  get revision(): number {
    return this.#revision;
  }
  /** All messages, oldest first, hidden ones included. */
  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }
  /** All summaries in the order of their ids, each with its present state. */
  get summaries(): readonly Summary[] {
    return this.#summaries.all;
  }
  /** Pinned messages in no certain order. */
  get pins(): ReadonlySet<MessageId> {
    return this.#pins;
  }
  /** The newest choice of a model; absent while there is none. */
  get model(): ModelRecord | undefined {
    return this.#modelChoices.at(-1)?.record;
  }
  /** Every model that the user chose, oldest first. */
  get modelChoices(): readonly ModelChoice[] {
    return this.#modelChoices;
  }
  /** The newest title; absent while there is none, or when it was erased. */
  get title(): TitleRecord | undefined {
    return this.#title;
  }
  /** The settings that hold for this conversation alone, in the order in which they were first made. */
  get settings(): ReadonlyMap<string, string> {
    return this.#settings;
  }

  /** The newest value of such a setting. */
  setting(name: string): string | undefined {
    return this.#settings.get(name);
  }

  /** A copy that goes its own way; takes a moment that grows with the number of messages. */
  copy(): FullHistory {
    const copy = new FullHistory();
    copy.#entries = this.#entries.slice();
    copy.#steps = new Set(this.#steps);
    copy.#hidden = this.#hidden.copy();
    for (const id of this.#pins) copy.#pins.add(id);
    for (const [name, value] of this.#settings) copy.#settings.set(name, value);
    copy.#turns = this.#turns.copy();
    copy.#branches = this.#branches.copy();
    copy.spending.addAll(this.spending);
    copy.#summaries = this.#summaries.copy((range) => copy.sourceHash(range));
    copy.#modelChoices.push(...this.#modelChoices);
    [copy.#title, copy.#revision] = [this.#title, this.#revision];
    return copy;
  }

  /** Folds one stored record. One that does not continue the history was not made for it: that is a bug and throws. */
  apply(record: FoldedRecord): void {
    switch (record.kind) {
      case "message":
      case "entry":
        this.#append(record.entry);
        break;
      case "visibility":
        this.#setHidden(record.range, record.hidden);
        break;
      case "summary":
        invariant(record.summary.covers.end <= this.length, "a summary covers what is in the history");
        this.#summaries.add(record.summary);
        break;
      case "summaryState":
        this.#summaries.setState(record.id, record.state);
        break;
      case "pin":
        this.entry(record.id);
        if (record.pinned) this.#pins.add(record.id);
        else this.#pins.delete(record.id);
        break;
      case "leftOut":
        this.#entries[record.id] = entryAfter(this.entry(record.id), record);
        this.#summaries.recheck(this.atomOf(record.id));
        break;
      case "receipt":
        this.spending.addReceipt(record.receipt);
        return;
      case "usage":
        this.spending.add(record);
        return;
      case "model":
        if (isChosen(record)) this.#modelChoices.push({ after: this.lastVisible?.id ?? -1, record });
        break;
      case "title":
        this.#title = record.title === "" ? undefined : record;
        return;
      case "setting":
        this.#settings.set(record.name, record.value);
        break;
      case "erasure":
        this.#erase(record.entries);
        break;
      default:
        assertNever(record);
    }
    this.#revision++;
  }

  /** What is known of message `id`; an id of another conversation is a bug and throws. */
  entry(id: MessageId): HistoryEntry {
    const entry = this.#entries[id];
    invariant(entry !== undefined, `message ${id} is in the history`);
    return entry;
  }

  /** Summary `id` in its present state; an id of another conversation is a bug and throws. */
  summary(id: SummaryId): Summary {
    return this.#summaries.get(id);
  }

  /** Whether the step's message is in the history already. */
  hasStep(step: StepId): boolean {
    return this.#steps.has(step);
  }

  /** Whether a message is in the view that is sent and shown. A tool batch is shown or hidden as its call is. */
  isVisible(entry: Pick<HistoryEntry, "id" | "batch">): boolean {
    return !this.#hidden.has(entry);
  }

  /** The one of `ids` that was seen last: the newest one that is visible, or else the one that was hidden last. */
  lastSeen(ids: readonly MessageId[]): MessageId | undefined {
    return this.#hidden.lastSeen(ids);
  }
  /** The newest message that is visible. */
  get lastVisible(): HistoryEntry | undefined {
    return this.#entries.findLast((entry) => this.isVisible(entry));
  }
  /** Number of visible messages from `start` up to `end`; takes as long as there are hidden ones. */
  visibleCount(start: number, end: number): number {
    return Math.max(0, end - start) - this.#hidden.countIn(start, end);
  }

  /** The tool batch of message `id`, or the message alone: what is kept or summarized as a whole. */
  atomOf(id: MessageId): MessageRange {
    const { batch } = this.entry(id);
    if (batch === undefined) return { start: id, end: messageId(id + 1) };
    let end = id + 1;
    while (this.#entries[end]?.batch === batch) end++;
    return { start: batch, end: messageId(end) };
  }

  /** `range` widened outward so that it cuts no tool batch. */
  wholeAtoms(range: MessageRange): MessageRange {
    if (range.start >= range.end) return range;
    return { start: this.atomOf(range.start).start, end: this.atomOf(messageId(range.end - 1)).end };
  }

  /** How many turns began before the one that `turn` begins; turns are numbered 0, 1, 2, …. */
  turnNumber(turn: MessageId): number {
    return this.#turns.number(turn);
  }

  /** Fingerprint of a stretch: the ids, states and visibility of its messages, and what is left out of them. */
  sourceHash({ start, end }: MessageRange): string {
    return sourceHash(this.#entries.slice(start, end), (entry) => this.isVisible(entry));
  }

  /** Tokens of the visible messages of a stretch. */
  tokensIn({ start, end }: MessageRange): TokenCounts {
    return tokensOfEntries(this.#entries.slice(start, end).filter((entry) => this.isVisible(entry)));
  }

  /** Whether a summary may stand in the context: active, and its source as it was. */
  isUsable(id: SummaryId): boolean {
    return this.#summaries.isUsable(id);
  }
  /** The usable ones of the first `count` summaries, arranged by what they cover. */
  usableSummaries(count: number = this.summaryCount): readonly SummaryNode[] {
    return this.#summaries.usable(count);
  }

  #append(entry: HistoryEntry): void {
    demandNext(entry, this.#entries);
    const { turn, step } = entry;
    if (step !== undefined) {
      invariant(!this.#steps.has(step), `${step} is added once`);
      this.#steps.add(step);
    }
    this.#turns.note(turn);
    this.#branches.append(this.#entries.findLastIndex((before) => this.isVisible(before)));
    this.#entries.push(entry);
  }

  #setHidden(range: MessageRange, hidden: boolean): void {
    invariant(range.end <= this.#entries.length, "what is hidden is in the history");
    const whole = this.wholeAtoms(range);
    this.#hidden.set(whole, hidden);
    this.#summaries.recheck(whole);
  }

  #erase(entries: readonly HistoryEntry[]): void {
    for (const entry of entries) {
      demandSamePlace(entry, this.entry(entry.id));
      this.#entries[entry.id] = entry;
      this.#summaries.erase(entry.id);
    }
    if (this.#title?.by === "automatic") this.#title = undefined;
  }
}
