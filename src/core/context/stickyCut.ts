/**
 * Keeps the cut from request to request and only appends to it, so that the sent prefix stays the same byte for byte and
 * the provider's cache holds. A new cut is built when something other than a message happens, or when it overflows.
 *
 * Invariant: the cut is a function of the records alone, but for how much comes back where a model is known to bill more than
 * is counted. When it is looked at changes nothing: what happened since the last look is gone through message by message.
 */

import type { FullHistory } from "../history/fullHistory.ts";
import type { CompactionReceipt, ConversationRecord, IndexRecord } from "../history/records.ts";
import type { ModelId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import { atOnce, MESSAGES_A_SLICE, Slice, type Steps } from "../steps.ts";
import type { Cut } from "./cut.ts";
import { anchorAfter, FIRST_ANCHOR, restorableFrom, returnsIn, type CutAnchor, type LeftAt } from "./cutAnchor.ts";

/** What the present model and settings make of an anchor. */
export interface CutSource {
  readonly build: (anchor: CutAnchor) => Steps<Cut>;
  /** Tokens that the model will bill for a cut, as far as is known of it. */
  readonly billedTokens: (cut: Cut) => number;
  readonly costOf: (entry: HistoryEntry) => number;
  /** Whether the first `entries` messages hold a fixed part that fits only with its tool results cut. */
  readonly fixedPartOverflows: (entries: number) => boolean;
  readonly budgetTokens: number;
  /** For a policy that sends only the newest messages: their cut, built anew at every change. */
  readonly window?: () => Cut;
  /** A cut of more that can be made coarser without a model is made so. */
  readonly coarsenAtTokens: number;
}

/** The cut of one conversation. */
export class StickyCut {
  readonly #history: FullHistory;
  readonly #source: () => CutSource;
  /** Where the records have put it. */
  #anchor: CutAnchor = FIRST_ANCHOR;
  /** Where it is since it overflowed. */
  #at: CutAnchor = FIRST_ANCHOR;
  #cut: Cut | undefined;
  /** How many tokens are billed for one that is counted, 1 or more, as it was known when the cut was built. */
  #billedPerToken = 1;
  /** How many messages `#cut` has taken in. */
  #taken = 0;
  /** Where the conversation left off with other models. */
  readonly #left = new Map<ModelId, LeftAt>();
  /** How much has happened that a cut depends on, and how much of it before the model in use answered. */
  #happened = 0;
  #enteredAt = 0;
  #isSummarized = false;
  /** Only so much of the history is looked at. */
  readonly #until: () => Pick<CutAnchor, "entries" | "summaries">;

  /** `source` is asked anew for each cut. */
  constructor(history: FullHistory, source: () => CutSource, until?: Pick<CutAnchor, "entries" | "summaries">) {
    this.#history = history;
    this.#source = source;
    this.#until = () => until ?? { entries: history.length, summaries: history.summaryCount };
  }

  /** The same cut of a copy of the history. */
  copy(history: FullHistory, source: () => CutSource): StickyCut {
    const copy = new StickyCut(history, source);
    [copy.#anchor, copy.#at] = [this.#anchor, this.#at];
    for (const [model, left] of this.#left) copy.#left.set(model, left);
    [copy.#happened, copy.#enteredAt, copy.#isSummarized] = [this.#happened, this.#enteredAt, this.#isSummarized];
    return copy;
  }

  /** Whether the user has had all summarized that could be, and nothing happened since. */
  get isSummarized(): boolean {
    return this.#isSummarized;
  }

  /** The cut for the whole history as it is now. After an append it costs as much as the message. */
  current(): Cut {
    return atOnce(this.#continued());
  }

  /** Finds out in slices what {@link current} would answer, so that it answers quickly; what changes meanwhile ends that. */
  *settling(): Steps<void> {
    if (!this.#isOpen()) return;
    const at = this.#at;
    const there = this.copy(this.#history, this.#source);
    yield* there.#continued();
    if (this.#isOpen() && this.#at === at) {
      [this.#at, this.#cut, this.#taken] = [there.#at, there.#cut, there.#taken];
      this.#billedPerToken = there.#billedPerToken;
    }
  }

  /** Takes note of a record that the history holds already. */
  note(record: IndexRecord | ConversationRecord): void {
    const anchor = anchorAfter(record, this.#anchor, this.#history);
    if (anchor !== undefined || record.kind === "message" || record.kind === "entry") {
      this.#happened++;
      this.#isSummarized = false;
    } else if (record.kind === "receipt") this.#isSummarized = isOfAll(record.receipt);
    if (anchor === undefined) return;
    this.#moveTo(anchor);
    // What another model was sent may hold what is now hidden, or lack what is now pinned.
    // So may it hold the text in whose place the user has put their own.
    if (record.kind !== "summary" || record.summary.generatedBy === "user") this.#left.clear();
  }

  /**
   * Remembers where the conversation is with `model`, to be called before anything about the model changes. One with which
   * nothing happened leaves no trace.
   */
  leave(model: ModelId): void {
    if (this.#happened === this.#enteredAt) return;
    const isOften = returnsIn(this.#anchor) >= MOST_RETURNS;
    if (isOften) this.current();
    const anchor = isOften ? this.#at : this.#anchor;
    this.#left.set(model, { anchor, ...this.#until(), happened: this.#happened });
  }

  /** Goes on with `model`: where it left off, or with as much of the originals as fits. */
  enter(model: ModelId): void {
    this.#moveTo(this.#anchorIn(model));
    this.#enteredAt = this.#happened;
    this.#isSummarized = false;
  }

  /** The cut that going on with `model` would lead to, by what `source` makes of it; changes nothing. */
  previewIn(model: ModelId, source: CutSource): Steps<Cut> {
    const there = new StickyCut(this.#history, () => source);
    there.#moveTo(this.#anchorIn(model));
    return there.#continued();
  }

  /** Builds the cut anew, as an overhead or settings have changed, or are only now known: as if they had always been so. */
  reset(areSettings: boolean): void {
    this.#moveTo(this.#anchor);
    if (areSettings) this.#isSummarized = false;
  }

  /** Whether the cut is still to be found out. */
  #isOpen(): boolean {
    return this.#cut === undefined;
  }

  #anchorIn(model: ModelId): CutAnchor {
    const now = this.#until();
    const left = this.#left.get(model);
    if (left === undefined) return { ...now, restorable: now.summaries, fill: "restore" };
    return left.happened === this.#happened ? left.anchor : { ...left.anchor, returned: { ...now, left } };
  }

  #moveTo(anchor: CutAnchor): void {
    [this.#anchor, this.#at] = [anchor, { ...anchor }];
    this.#cut = undefined;
  }

  *#continued(): Steps<Cut> {
    const source = this.#source();
    if (source.window !== undefined) return this.#windowed(source.window);
    this.#cut ??= yield* this.#begun(source);
    const slice = new Slice(MESSAGES_A_SLICE);
    const end = this.#until().entries;
    while (this.#taken < end) {
      const entry = this.#history.entries[this.#taken];
      this.#taken++;
      if (entry !== undefined) yield* this.#take(entry, source);
      if (slice.isOver(1)) yield;
    }
    return this.#cut;
  }

  #windowed(window: () => Cut): Cut {
    if (this.#cut === undefined || this.#taken < this.#history.length) this.#cut = window();
    this.#taken = this.#history.length;
    return this.#cut;
  }

  /** Where the conversation came back to its model, what that was sent last is found out first. */
  *#begun(source: CutSource): Steps<Cut> {
    const { returned } = this.#at;
    if (returned?.left === undefined) return yield* this.#rebuild(source, this.#at);
    const { left, entries, summaries } = returned;
    const there = new StickyCut(this.#history, this.#source, left);
    there.#moveTo(left.anchor);
    yield* there.#continued();
    return yield* this.#rebuild(source, { ...there.#at, returned: { entries, summaries } });
  }

  *#rebuild(source: CutSource, anchor: CutAnchor): Steps<Cut> {
    const cut = yield* source.build(anchor);
    if (cut.kind !== "ready" && isReturning(anchor, anchor.entries)) return yield* this.#startAfresh(source, anchor);
    this.#at = anchor;
    this.#taken = anchor.entries;
    this.#cut = cut;
    const usedTokens = cut.kind === "ready" ? cut.context.usedTokens : 0;
    this.#billedPerToken = usedTokens === 0 ? 1 : Math.max(1, source.billedTokens(cut) / usedTokens);
    return cut;
  }

  *#take(entry: HistoryEntry, source: CutSource): Steps<void> {
    const cut = this.#cut;
    if (cut?.kind === "ready") {
      if (!this.#history.isVisible(entry)) return;
      cut.context.append({ kind: "original", id: entry.id, tokens: source.costOf(entry) });
      if (cut.context.usedTokens <= this.#limit(source, cut.context.isRefined)) return;
      if (isReturning(this.#at, this.#taken)) yield* this.#startAfresh(source, this.#at);
      else yield* this.#rebuild(source, this.#anchorAt(this.#taken));
    } else if (this.#taken === this.#until().entries || source.fixedPartOverflows(this.#taken)) {
      // What does not fit only grows, and is looked at again where it ends or where a tool result can be cut.
      yield* this.#rebuild(source, this.#anchorAt(this.#taken));
    }
  }

  #anchorAt(entries: number): CutAnchor {
    return { entries, summaries: this.#until().summaries, restorable: restorableFrom(this.#at), fill: "target" };
  }

  /** What the model was sent before does not fit together with what came since. */
  *#startAfresh(source: CutSource, anchor: CutAnchor): Steps<Cut> {
    const { entries = 0 } = anchor.returned ?? {};
    const { summaries } = this.#until();
    return yield* this.#rebuild(source, { entries, summaries, restorable: restorableFrom(anchor), fill: "restore" });
  }

  #limit(source: CutSource, isRefined: boolean): number {
    const canBeCoarser = isRefined || this.#at.summaries < this.#until().summaries;
    if (!canBeCoarser || isReturning(this.#at, this.#taken)) return source.budgetTokens;
    return Math.floor(source.coarsenAtTokens / this.#billedPerToken);
  }
}

/** What a model was sent is found out so many returns back; what it was sent before counts as it was when it was left. */
const MOST_RETURNS = 2;

/** Whether the message before position `entries` was sent before the conversation came back to this model. */
function isReturning({ returned }: CutAnchor, entries: number): boolean {
  return returned !== undefined && entries <= returned.entries;
}

/** Whether the user has ordered a summary of all there was, and not of a range, or of one anew. */
function isOfAll({ trigger, strategy }: CompactionReceipt): boolean {
  return trigger === "manual" && strategy !== "range" && strategy !== "again";
}
