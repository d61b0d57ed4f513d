/**
 * Keeps the cut from request to request and only appends to it, so that the sent prefix stays the same byte for byte and
 * the provider's cache holds. A new cut is built when something other than a message happens, or when it overflows.
 *
 * Invariant: the cut is a function of the records alone, but for how much comes back where a model is known to bill more than
 * is counted. When it is looked at changes nothing: what happened since the last look is gone through message by message.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { CompactionReceipt, ConversationRecord, IndexRecord } from "../../history/records.ts";
import type { ModelId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { atOnce, MESSAGES_A_SLICE, Slice, type Steps } from "../../cooperativeTask.ts";
import type { Cut } from "./buildCut.ts";
import type { CutBuilder } from "./cutBuilder.ts";
import {
  checkpointAfter,
  FIRST_CHECKPOINT,
  restorableFrom,
  returnsIn,
  type CutCheckpoint,
  type ModelVisit,
} from "./cutCheckpoint.ts";

/** The cut of one conversation. */
export class StickyCut {
  readonly #history: FullHistory;
  readonly #builder: () => CutBuilder;
  /** Where the records have put the cut. */
  #checkpoint: CutCheckpoint = FIRST_CHECKPOINT;
  /** Where the cut is since it overflowed. */
  #at: CutCheckpoint = FIRST_CHECKPOINT;
  #cut: Cut | undefined;
  /** How many tokens are billed for one that is counted, 1 or more, as it was known when the cut was built. */
  #billedPerToken = 1;
  /** How many messages `#cut` has taken in. */
  #included = 0;
  /** How the conversation stood with other models. */
  readonly #visits = new Map<ModelId, ModelVisit>();
  /** Number of changes that a cut depends on, and how many of them came before the model in use. */
  #changes = 0;
  #changesAtEntry = 0;
  #isSummarized = false;
  /** Only so much of the history is looked at. */
  readonly #end: () => Pick<CutCheckpoint, "entries" | "summaries">;

  /** `builder` is asked anew for each cut. */
  constructor(history: FullHistory, builder: () => CutBuilder, until?: Pick<CutCheckpoint, "entries" | "summaries">) {
    this.#history = history;
    this.#builder = builder;
    this.#end = () => until ?? { entries: history.length, summaries: history.summaryCount };
  }

  /** The same cut of a copy of the history. */
  copy(history: FullHistory, builder: () => CutBuilder): StickyCut {
    const copy = new StickyCut(history, builder);
    [copy.#checkpoint, copy.#at] = [this.#checkpoint, this.#at];
    for (const [model, visit] of this.#visits) copy.#visits.set(model, visit);
    [copy.#changes, copy.#changesAtEntry, copy.#isSummarized] = [
      this.#changes,
      this.#changesAtEntry,
      this.#isSummarized,
    ];
    return copy;
  }

  /** Whether all that could be is summarized on the user's order, and nothing happened since. */
  get isSummarized(): boolean {
    return this.#isSummarized;
  }

  /** The cut for the whole history as it is now. After an append it costs as much as the message. */
  current(): Cut {
    return atOnce(this.#continued());
  }

  /** Builds in slices what {@link current} would answer, so that it answers quickly; any change meanwhile voids the work. */
  *settling(): Steps<void> {
    if (!this.#isOpen()) return;
    const at = this.#at;
    const there = this.copy(this.#history, this.#builder);
    yield* there.#continued();
    if (this.#isOpen() && this.#at === at) {
      [this.#at, this.#cut, this.#included] = [there.#at, there.#cut, there.#included];
      this.#billedPerToken = there.#billedPerToken;
    }
  }

  /** Takes note of a record that the history holds already. */
  note(record: IndexRecord | ConversationRecord): void {
    const checkpoint = checkpointAfter(record, this.#checkpoint, this.#history);
    if (checkpoint !== undefined || record.kind === "message" || record.kind === "entry") {
      this.#changes++;
      this.#isSummarized = false;
    } else if (record.kind === "receipt") this.#isSummarized = isOfAll(record.receipt);
    if (checkpoint === undefined) return;
    this.#moveTo(checkpoint);
    // What another model was sent may hold what is now hidden, or lack what is now pinned.
    // So may it hold the text in whose place the user has put their own.
    if (record.kind !== "summary" || record.summary.generatedBy === "user") this.#visits.clear();
  }

  /**
   * Remembers how the conversation stands with `model`; to be called before anything about the model changes. A visit in which
   * nothing happened is not remembered.
   */
  endVisit(model: ModelId): void {
    if (this.#changes === this.#changesAtEntry) return;
    const isOften = returnsIn(this.#checkpoint) >= MOST_RETURNS;
    if (isOften) this.current();
    const checkpoint = isOften ? this.#at : this.#checkpoint;
    this.#visits.set(model, { checkpoint, ...this.#end(), changes: this.#changes });
  }

  /** Goes on with `model`: as its last visit ended, or with as much of the originals as fits. */
  beginVisit(model: ModelId): void {
    this.#moveTo(this.#checkpointIn(model));
    this.#changesAtEntry = this.#changes;
    this.#isSummarized = false;
  }

  /** The cut that going on with `model` would lead to, by what `builder` makes of it; changes nothing. */
  previewIn(model: ModelId, builder: CutBuilder): Steps<Cut> {
    const there = new StickyCut(this.#history, () => builder);
    there.#moveTo(this.#checkpointIn(model));
    return there.#continued();
  }

  /** Builds the cut anew, as an overhead or settings have changed, or are only now known: as if they had always been so. */
  reset(areSettings: boolean): void {
    this.#moveTo(this.#checkpoint);
    if (areSettings) this.#isSummarized = false;
  }

  /** Whether the cut has to be built. */
  #isOpen(): boolean {
    return this.#cut === undefined;
  }

  #checkpointIn(model: ModelId): CutCheckpoint {
    const now = this.#end();
    const visit = this.#visits.get(model);
    if (visit === undefined) return { ...now, restorable: now.summaries, fill: "restore" };
    return visit.changes === this.#changes ? visit.checkpoint : { ...visit.checkpoint, returned: { ...now, visit } };
  }

  #moveTo(checkpoint: CutCheckpoint): void {
    [this.#checkpoint, this.#at] = [checkpoint, { ...checkpoint }];
    this.#cut = undefined;
  }

  *#continued(): Steps<Cut> {
    const builder = this.#builder();
    const { sendsLast } = builder;
    if (sendsLast !== undefined) return this.#windowed(builder, sendsLast);
    this.#cut ??= yield* this.#begun(builder);
    const slice = new Slice(MESSAGES_A_SLICE);
    const end = this.#end().entries;
    while (this.#included < end) {
      const entry = this.#history.entries[this.#included];
      this.#included++;
      if (entry !== undefined) yield* this.#include(entry, builder);
      if (slice.isOver(1)) yield;
    }
    return this.#cut;
  }

  #windowed(builder: CutBuilder, sendsLast: number): Cut {
    if (this.#cut === undefined || this.#included < this.#history.length) this.#cut = builder.window(sendsLast);
    this.#included = this.#history.length;
    return this.#cut;
  }

  /** Builds the cut at its checkpoint; on a return to a model, on top of what that model was sent last. */
  *#begun(builder: CutBuilder): Steps<Cut> {
    const { returned } = this.#at;
    if (returned?.visit === undefined) return yield* this.#rebuild(builder, this.#at);
    const { visit, entries, summaries } = returned;
    const there = new StickyCut(this.#history, this.#builder, visit);
    there.#moveTo(visit.checkpoint);
    yield* there.#continued();
    return yield* this.#rebuild(builder, { ...there.#at, returned: { entries, summaries } });
  }

  *#rebuild(builder: CutBuilder, checkpoint: CutCheckpoint): Steps<Cut> {
    const cut = yield* builder.build(checkpoint);
    if (cut.kind !== "ready" && isReturning(checkpoint, checkpoint.entries))
      return yield* this.#startAfresh(builder, checkpoint);
    this.#at = checkpoint;
    this.#included = checkpoint.entries;
    this.#cut = cut;
    const usedTokens = cut.kind === "ready" ? cut.context.usedTokens : 0;
    this.#billedPerToken = usedTokens === 0 ? 1 : Math.max(1, builder.billedTokens(cut) / usedTokens);
    return cut;
  }

  *#include(entry: HistoryEntry, builder: CutBuilder): Steps<void> {
    const cut = this.#cut;
    if (cut?.kind === "ready") {
      if (!this.#history.isVisible(entry)) return;
      cut.context.append({ kind: "original", id: entry.id, tokens: builder.costOf(entry) });
      if (cut.context.usedTokens <= this.#limit(builder, cut.context.isRefined)) return;
      if (isReturning(this.#at, this.#included)) yield* this.#startAfresh(builder, this.#at);
      else yield* this.#rebuild(builder, this.#checkpointAt(this.#included));
    } else if (this.#included === this.#end().entries || builder.isReservedTooLarge(this.#included)) {
      // What does not fit only grows, and is looked at again where it ends or where a tool result can be cut.
      yield* this.#rebuild(builder, this.#checkpointAt(this.#included));
    }
  }

  #checkpointAt(entries: number): CutCheckpoint {
    return { entries, summaries: this.#end().summaries, restorable: restorableFrom(this.#at), fill: "target" };
  }

  /** Gives up what the model was sent before its return: that does not fit together with what was said since. */
  *#startAfresh(builder: CutBuilder, checkpoint: CutCheckpoint): Steps<Cut> {
    const { entries = 0 } = checkpoint.returned ?? {};
    const { summaries } = this.#end();
    return yield* this.#rebuild(builder, {
      entries,
      summaries,
      restorable: restorableFrom(checkpoint),
      fill: "restore",
    });
  }

  #limit(builder: CutBuilder, isRefined: boolean): number {
    const canBeCoarser = isRefined || this.#at.summaries < this.#end().summaries;
    if (!canBeCoarser || isReturning(this.#at, this.#included)) return builder.budgetTokens;
    return Math.floor(builder.coarsenAtTokens / this.#billedPerToken);
  }
}

/** What a model was sent is found out so many returns back; what it was sent before counts as it was when it was left. */
const MOST_RETURNS = 2;

/** Whether the message before position `entries` was sent before the conversation came back to this model. */
function isReturning({ returned }: CutCheckpoint, entries: number): boolean {
  return returned !== undefined && entries <= returned.entries;
}

/** Whether the user has ordered a summary of all there was, and not of a range, or of one anew. */
function isOfAll({ trigger, strategy }: CompactionReceipt): boolean {
  return trigger === "manual" && strategy !== "range" && strategy !== "again";
}
