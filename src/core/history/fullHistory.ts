/**
 * Index of a conversation, folded from its records. Grows only: nothing here removes or changes a message. Holds no
 * texts, so that a conversation of any size takes little memory.
 */

import { messageId, type MessageId, type StepId, type SummaryId } from "../ids.ts";
import type { HistoryEntry, TokenCounts } from "../message.ts";
import { assertNever, invariant } from "../result.ts";
import { isUserChoice } from "./modelChoice.ts";
import { BranchIndex } from "./branches/branchIndex.ts";
import { assertNext, assertSamePlace, tokensOfEntries } from "./entryRules.ts";
import type { ConversationRecord, IndexRecord, ModelRecord, TitleRecord } from "./records.ts";
import { isEqualProject, type Project } from "./project.ts";
import { ConversationSpending } from "./spending.ts";
import { HiddenMessages } from "./branches/hiddenMessages.ts";
import { entryWithExclusion } from "./exclusion.ts";
import { SourceHash } from "./summaries/sourceHash.ts";
import type { MessageRange, Summary } from "./summaries/summary.ts";
import type { SummaryNode } from "./summaries/summaryForest.ts";
import { SummaryIndex } from "./summaries/summaryIndex.ts";
import { TurnIndex } from "./turnIndex.ts";
import { WrittenElsewhere } from "./writtenElsewhere.ts";

/** A stored record, with or without the content of its message. */
export type StoredRecord = IndexRecord | ConversationRecord;

/** `after`: the last message that was visible when the user chose the model; -1 before the first. */
export interface ModelChoice {
  readonly after: number;
  readonly record: ModelRecord;
}

export class FullHistory {
  #entries: HistoryEntry[] = [];
  #turns = new TurnIndex();
  #steps = new Set<StepId>();
  #hidden = new HiddenMessages();
  readonly #pins = new Set<MessageId>();
  #summaries = new SummaryIndex((range) => this.sourceHash(range));
  readonly spending = new ConversationSpending();
  readonly #settings = new Map<string, string>();
  readonly #projects: Project[] = [];
  readonly #modelChoices: ModelChoice[] = [];
  #title: TitleRecord | undefined;
  #revision = 0;
  /** The range whose fingerprint was computed last, while none of its messages has changed. */
  #hashed: { readonly range: MessageRange; readonly hash: SourceHash } | undefined;
  #branches = new BranchIndex();
  #elsewhere = new WrittenElsewhere();

  get branches(): BranchIndex {
    return this.#branches;
  }
  get elsewhere(): WrittenElsewhere {
    return this.#elsewhere;
  }
  /** Number of messages, hidden ones included; also the id of the next one. */
  get length(): number {
    return this.#entries.length;
  }
  /** Number of summaries ever made; also the id of the next one. */
  get summaryCount(): number {
    return this.#summaries.all.length;
  }
  /** Incremented by each record that can change what is sent. */
  get revision(): number {
    return this.#revision;
  }
  /** Oldest first, hidden ones included. */
  get entries(): readonly HistoryEntry[] {
    return this.#entries;
  }
  /** In id order, each with its present state. */
  get summaries(): readonly Summary[] {
    return this.#summaries.all;
  }
  /** In no particular order. */
  get pins(): ReadonlySet<MessageId> {
    return this.#pins;
  }
  /** The user's newest choice; `undefined` if there is none. */
  get model(): ModelRecord | undefined {
    return this.#modelChoices.at(-1)?.record;
  }
  /** Oldest first. */
  get modelChoices(): readonly ModelChoice[] {
    return this.#modelChoices;
  }
  /** The newest title; `undefined` if there is none or it was erased. */
  get title(): TitleRecord | undefined {
    return this.#title;
  }
  /** Settings of this conversation alone, in the order in which they were first set. */
  get settings(): ReadonlyMap<string, string> {
    return this.#settings;
  }

  setting(name: string): string | undefined {
    return this.#settings.get(name);
  }

  /** Those that were open when messages were written, in that order, each once. */
  get projects(): readonly Project[] {
    return this.#projects;
  }

  /** An independent copy; O(messages). */
  copy(): FullHistory {
    const copy = new FullHistory();
    copy.#entries = this.#entries.slice();
    copy.#steps = new Set(this.#steps);
    copy.#hidden = this.#hidden.copy();
    for (const id of this.#pins) copy.#pins.add(id);
    for (const [name, value] of this.#settings) copy.#settings.set(name, value);
    copy.#projects.push(...this.#projects);
    copy.#turns = this.#turns.copy();
    copy.#branches = this.#branches.copy();
    copy.#elsewhere = this.#elsewhere.copy();
    copy.spending.addAll(this.spending);
    copy.#summaries = this.#summaries.copy((range) => copy.sourceHash(range));
    copy.#modelChoices.push(...this.#modelChoices);
    [copy.#title, copy.#revision, copy.#hashed] = [this.#title, this.#revision, this.#hashed];
    return copy;
  }

  /** Throws on a record that does not continue this history: that is a bug. */
  apply(record: StoredRecord): void {
    this.#elsewhere.apply(record);
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
        this.#hashed = undefined;
        this.#entries[record.id] = entryWithExclusion(this.entry(record.id), record);
        this.#summaries.recheck(this.atomOf(record.id));
        break;
      case "receipt":
        this.spending.addReceipt(record.receipt);
        return;
      case "usage":
        this.spending.add(record);
        return;
      case "model":
        if (isUserChoice(record)) this.#modelChoices.push({ after: this.lastVisible?.id ?? -1, record });
        break;
      case "title":
        this.#title = record.title === "" ? undefined : record;
        return;
      case "setting":
        this.#settings.set(record.name, record.value);
        break;
      case "project":
        if (!this.#projects.some((known) => isEqualProject(known, record.project))) this.#projects.push(record.project);
        return;
      case "erasure":
        this.#erase(record.entries);
        break;
      case "segment":
        return;
      default:
        assertNever(record);
    }
    this.#revision++;
  }

  /** Throws on an id that is not in this history: that is a bug. */
  entry(id: MessageId): HistoryEntry {
    const entry = this.#entries[id];
    invariant(entry !== undefined, `message ${id} is in the history`);
    return entry;
  }

  /** The summary in its present state. Throws on an unknown id: that is a bug. */
  summary(id: SummaryId): Summary {
    return this.#summaries.get(id);
  }

  hasStep(step: StepId): boolean {
    return this.#steps.has(step);
  }

  /** Whether a message is sent and shown. A tool batch is visible if its call is. */
  isVisible(entry: Pick<HistoryEntry, "id" | "batch">): boolean {
    return !this.#hidden.has(entry);
  }

  /** The one of `ids` that was visible last: the newest visible one, else the one hidden last. */
  lastVisibleOf(ids: readonly MessageId[]): MessageId | undefined {
    return this.#hidden.lastVisibleOf(ids);
  }
  get lastVisible(): HistoryEntry | undefined {
    return this.#entries.findLast((entry) => this.isVisible(entry));
  }
  /** Number of visible messages from `start` to before `end`; O(hidden messages). */
  visibleCount(start: number, end: number): number {
    return Math.max(0, end - start) - this.#hidden.countIn(start, end);
  }

  /** The tool batch of message `id`, or the message alone: the unit that is retained or summarized as a whole. */
  atomOf(id: MessageId): MessageRange {
    const { batch } = this.entry(id);
    if (batch === undefined) return { start: id, end: messageId(id + 1) };
    let end = id + 1;
    while (this.#entries[end]?.batch === batch) end++;
    return { start: batch, end: messageId(end) };
  }

  /** `range` widened so that it splits no tool batch. */
  wholeAtoms(range: MessageRange): MessageRange {
    if (range.start >= range.end) return range;
    return { start: this.atomOf(range.start).start, end: this.atomOf(messageId(range.end - 1)).end };
  }

  /** 0-based number of the turn that message `turn` begins. */
  turnNumber(turn: MessageId): number {
    return this.#turns.numberOf(turn);
  }

  /** Fingerprint of a range: ids, states, visibility and exclusions of its messages. */
  sourceHash({ start, end }: MessageRange): string {
    const { range, hash } = this.#hashed ?? { range: { start, end: start }, hash: new SourceHash() };
    // Summaries of the same beginning, as of repeated compactions, are hashed in one go.
    const isBeginning = range.start === start && range.end <= end;
    const [from, begun] = isBeginning ? [range.end, hash] : [start, new SourceHash()];
    const whole = begun.with(this.#entries.slice(from, end), (entry) => this.isVisible(entry));
    if (end <= this.length) this.#hashed = { range: { start, end }, hash: whole };
    return whole.hex;
  }

  /** Tokens of the visible messages of a range. */
  tokensIn({ start, end }: MessageRange): TokenCounts {
    return tokensOfEntries(this.#entries.slice(start, end).filter((entry) => this.isVisible(entry)));
  }

  /** Whether a summary may be used: active, with an unchanged source. */
  isUsable(id: SummaryId): boolean {
    return this.#summaries.isUsable(id);
  }
  /** The usable ones of the first `count` summaries, nested by range. */
  usableSummaries(count: number = this.summaryCount): readonly SummaryNode[] {
    return this.#summaries.usable(count);
  }

  #append(entry: HistoryEntry): void {
    assertNext(entry, this.#entries);
    const { turn, step } = entry;
    if (step !== undefined) {
      invariant(!this.#steps.has(step), `${step} is added once`);
      this.#steps.add(step);
    }
    this.#turns.addTurn(turn);
    this.#branches.append(this.#entries.findLastIndex((before) => this.isVisible(before)));
    this.#entries.push(entry);
  }

  #setHidden(range: MessageRange, hidden: boolean): void {
    invariant(range.end <= this.#entries.length, "what is hidden is in the history");
    const whole = this.wholeAtoms(range);
    this.#hashed = undefined;
    this.#hidden.set(whole, hidden);
    this.#summaries.recheck(whole);
  }

  #erase(entries: readonly HistoryEntry[]): void {
    this.#hashed = undefined;
    for (const entry of entries) {
      assertSamePlace(entry, this.entry(entry.id));
      this.#entries[entry.id] = entry;
      this.#summaries.erase(entry.id);
    }
    if (this.#title?.by === "automatic") this.#title = undefined;
  }
}
