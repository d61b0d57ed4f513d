/**
 * Retains the cut from request to request and only appends to it, so that the sent prefix stays the same byte for byte
 * and the provider's cache holds. A new cut is built when something other than a message is recorded, or when it
 * overflows.
 *
 * Invariant: the cut is a function of the records alone, except for how much is restored if a model is known to bill
 * more than counted. Reading it changes nothing: what was added since the last read is processed message by message.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { CompactionReceipt, ConversationRecord, IndexRecord } from "../../history/records.ts";
import type { ModelId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { runSync, MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../cooperativeTask.ts";
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

export class StickyCut {
  readonly #history: FullHistory;
  readonly #builder: () => CutBuilder;
  /** As determined by the records. */
  #checkpoint: CutCheckpoint = FIRST_CHECKPOINT;
  /** The same, moved on by overflows. */
  #position: CutCheckpoint = FIRST_CHECKPOINT;
  #cut: Cut | undefined;
  /** Billed tokens per counted token, at least 1, as known when the cut was built. */
  #billedPerToken = 1;
  /** Number of messages in `#cut`. */
  #included = 0;
  /** State at the last visit to other models. */
  readonly #visits = new Map<ModelId, ModelVisit>();
  /** Number of changes that affect a cut; at the switch to the model in use: `#changesAtVisitStart`. */
  #changes = 0;
  #changesAtVisitStart = 0;
  #isSummarized = false;
  /** Only this much of the history is considered. */
  readonly #end: () => Pick<CutCheckpoint, "entries" | "summaries">;

  /** `builder` is called for each cut. */
  constructor(history: FullHistory, builder: () => CutBuilder, until?: Pick<CutCheckpoint, "entries" | "summaries">) {
    this.#history = history;
    this.#builder = builder;
    this.#end = () => until ?? { entries: history.length, summaries: history.summaryCount };
  }

  copy(history: FullHistory, builder: () => CutBuilder): StickyCut {
    const copy = new StickyCut(history, builder);
    [copy.#checkpoint, copy.#position] = [this.#checkpoint, this.#position];
    for (const [model, visit] of this.#visits) copy.#visits.set(model, visit);
    [copy.#changes, copy.#changesAtVisitStart, copy.#isSummarized] = [
      this.#changes,
      this.#changesAtVisitStart,
      this.#isSummarized,
    ];
    return copy;
  }

  /** Whether everything is summarized on the user's order, with no change since. */
  get isSummarized(): boolean {
    return this.#isSummarized;
  }

  /** The cut of the whole history as it is now. After an append it costs as much as the message. */
  current(): Cut {
    return runSync(this.#extendToEnd());
  }

  /** True when {@link current} takes as long as a message, not as the history. */
  get isBuilt(): boolean {
    return !this.#needsBuild();
  }

  /** Computes {@link current} in slices, so that it returns quickly; any change meanwhile discards the work. */
  *buildAhead(): CooperativeTask<void> {
    if (!this.#needsBuild()) return;
    const position = this.#position;
    const other = this.copy(this.#history, this.#builder);
    yield* other.#extendToEnd();
    if (this.#needsBuild() && this.#position === position) {
      [this.#position, this.#cut, this.#included] = [other.#position, other.#cut, other.#included];
      this.#billedPerToken = other.#billedPerToken;
    }
  }

  /** Call after `record` is applied to the history. */
  recordApplied(record: IndexRecord | ConversationRecord): void {
    const checkpoint = checkpointAfter(record, this.#checkpoint, this.#history);
    if (checkpoint !== undefined || record.kind === "message" || record.kind === "entry") {
      this.#changes++;
      this.#isSummarized = false;
    } else if (record.kind === "receipt") this.#isSummarized = coversEverything(record.receipt);
    if (checkpoint === undefined) return;
    this.#restartAt(checkpoint);
    // Requests to other models may contain what is now hidden or replaced by the user, or lack what is now pinned.
    if (record.kind !== "summary" || record.summary.generatedBy === "user") this.#visits.clear();
  }

  /** Remembers the state with `model`; call before anything about the model changes. Without changes it is a no-op. */
  endVisit(model: ModelId): void {
    if (this.#changes === this.#changesAtVisitStart) return;
    const isOften = returnsIn(this.#checkpoint) >= MAX_TRACKED_RETURNS;
    if (isOften) this.current();
    const checkpoint = isOften ? this.#position : this.#checkpoint;
    this.#visits.set(model, { checkpoint, ...this.#end(), changes: this.#changes });
  }

  /** Resumes the last visit to `model`, or restores as much of the originals as fits. */
  beginVisit(model: ModelId): void {
    this.#restartAt(this.#checkpointIn(model));
    this.#changesAtVisitStart = this.#changes;
    this.#isSummarized = false;
  }

  /** The cut after a switch to `model`, built by `builder`; changes nothing. */
  previewIn(model: ModelId, builder: CutBuilder): CooperativeTask<Cut> {
    const other = new StickyCut(this.#history, () => builder);
    other.#restartAt(this.#checkpointIn(model));
    return other.#extendToEnd();
  }

  /** Rebuilds the cut after overhead or settings changed or became known, as if they had always been so. */
  reset(areSettings: boolean): void {
    this.#restartAt(this.#checkpoint);
    if (areSettings) this.#isSummarized = false;
  }

  #needsBuild(): boolean {
    return this.#cut === undefined;
  }

  #checkpointIn(model: ModelId): CutCheckpoint {
    const now = this.#end();
    const visit = this.#visits.get(model);
    if (visit === undefined) {
      return { ...now, restorable: now.summaries, splittable: now.summaries, fill: "restore" };
    }
    return visit.changes === this.#changes ? visit.checkpoint : { ...visit.checkpoint, returned: { ...now, visit } };
  }

  #restartAt(checkpoint: CutCheckpoint): void {
    [this.#checkpoint, this.#position] = [checkpoint, { ...checkpoint }];
    this.#cut = undefined;
  }

  *#extendToEnd(): CooperativeTask<Cut> {
    const builder = this.#builder();
    const { windowMessages } = builder;
    if (windowMessages !== undefined) return this.#windowed(builder, windowMessages);
    this.#cut ??= yield* this.#buildAtCheckpoint(builder);
    const slice = new Slice(MESSAGES_PER_SLICE);
    const end = this.#end().entries;
    while (this.#included < end) {
      const entry = this.#history.entries[this.#included];
      this.#included++;
      if (entry !== undefined) yield* this.#include(entry, builder);
      if (slice.isOver(1)) yield;
    }
    return this.#cut;
  }

  #windowed(builder: CutBuilder, windowMessages: number): Cut {
    if (this.#cut === undefined || this.#included < this.#history.length)
      this.#cut = builder.buildWindow(windowMessages);
    this.#included = this.#history.length;
    return this.#cut;
  }

  /** Builds the cut at its checkpoint; on a return to a model, on top of what that model was last sent. */
  *#buildAtCheckpoint(builder: CutBuilder): CooperativeTask<Cut> {
    const { returned } = this.#position;
    if (returned?.visit === undefined) return yield* this.#rebuild(builder, this.#position);
    const { visit, entries, summaries } = returned;
    const other = new StickyCut(this.#history, this.#builder, visit);
    other.#restartAt(visit.checkpoint);
    yield* other.#extendToEnd();
    return yield* this.#rebuild(builder, { ...other.#position, returned: { entries, summaries } });
  }

  *#rebuild(builder: CutBuilder, checkpoint: CutCheckpoint): CooperativeTask<Cut> {
    const cut = yield* builder.build(checkpoint);
    if (cut.kind !== "ready" && isReturning(checkpoint, checkpoint.entries))
      return yield* this.#rebuildWithoutReturn(builder, checkpoint);
    this.#position = checkpoint;
    this.#included = checkpoint.entries;
    this.#cut = cut;
    const usedTokens = cut.kind === "ready" ? cut.context.usedTokens : 0;
    this.#billedPerToken = usedTokens === 0 ? 1 : Math.max(1, builder.billedTokens(cut) / usedTokens);
    return cut;
  }

  *#include(entry: HistoryEntry, builder: CutBuilder): CooperativeTask<void> {
    const cut = this.#cut;
    if (cut?.kind === "ready") {
      if (!this.#history.isVisible(entry)) return;
      const limit = this.#limit(builder, cut.context.isRefined);
      const recalled = builder.recalledFor(entry, cut.context, limit);
      if (recalled !== undefined) cut.context.append(recalled);
      cut.context.append({ kind: "original", id: entry.id, tokens: builder.costOf(entry) });
      if (cut.context.usedTokens <= limit) return;
      if (isReturning(this.#position, this.#included)) yield* this.#rebuildWithoutReturn(builder, this.#position);
      else yield* this.#rebuild(builder, this.#checkpointAt(this.#included));
    } else if (this.#included === this.#end().entries || builder.isReservedTooLarge(this.#included)) {
      // What does not fit only grows: it is rebuilt only at the end, or where a tool result can be truncated.
      yield* this.#rebuild(builder, this.#checkpointAt(this.#included));
    }
  }

  #checkpointAt(entries: number): CutCheckpoint {
    const { splittable } = this.#position;
    const { summaries } = this.#end();
    return { entries, summaries, restorable: restorableFrom(this.#position), splittable, fill: "target" };
  }

  /** Discards what the model was sent before its return: that does not fit together with what was added since. */
  *#rebuildWithoutReturn(builder: CutBuilder, checkpoint: CutCheckpoint): CooperativeTask<Cut> {
    const { entries = 0 } = checkpoint.returned ?? {};
    const { summaries } = this.#end();
    return yield* this.#rebuild(builder, {
      entries,
      summaries,
      restorable: restorableFrom(checkpoint),
      splittable: checkpoint.splittable,
      fill: "restore",
    });
  }

  #limit(builder: CutBuilder, isRefined: boolean): number {
    const canBeCoarser = isRefined || this.#position.summaries < this.#end().summaries;
    if (!canBeCoarser || isReturning(this.#position, this.#included)) return builder.budgetTokens;
    return Math.floor(builder.coarsenAtTokens / this.#billedPerToken);
  }
}

/** Returns that are replayed to find what a model was sent; older state counts as it was when the model was left. */
const MAX_TRACKED_RETURNS = 2;

/** Whether the message before position `entries` was sent before the return to this model. */
function isReturning({ returned }: CutCheckpoint, entries: number): boolean {
  return returned !== undefined && entries <= returned.entries;
}

/** Whether the user ordered a summary of everything, not of a range or a rewrite of one. */
function coversEverything({ trigger, strategy }: CompactionReceipt): boolean {
  return trigger === "manual" && strategy !== "range" && strategy !== "again";
}
