/**
 * Experience with a model as a summarizer of one conversation: how often its notes were of no use, and how much
 * longer than asked for. A model whose notes were of no use twice is not asked again without the user's word; one that
 * is right nine times out of ten is.
 */

import type { CompactionReceipt, NotesFault, NotesReport } from "../../history/records.ts";
import type { ModelId } from "../../ids.ts";

/** Answers of no use after which a model is not asked any more, and their least share of all. */
const MOST_REFUSED = 2;
const LEAST_REFUSED_SHARE = 0.1;
/** Notes are never asked for in fewer words than by this factor. */
const LARGEST_LENGTH_FACTOR = 3;

export class SummarizerRecord {
  #answers = 0;
  #refused = 0;
  #why: NotesFault | undefined;
  #lengthFactor = 1;
  #hasAskedTwice = false;
  /** Of a fork: what was noted in it. */
  #noted: ((record: SummarizerRecord) => void)[] | undefined;

  /** From the receipts of a conversation; a compaction that the user ordered is their word to ask again. */
  static of(receipts: readonly CompactionReceipt[], model: ModelId): SummarizerRecord {
    const record = new SummarizerRecord();
    for (const { notes, trigger } of receipts) {
      if (trigger === "manual") record.forgive();
      for (const report of notes ?? []) if (report.model === model) record.#add(report);
    }
    return record;
  }

  get isStopped(): boolean {
    return this.#refused >= MOST_REFUSED && this.#refused > this.#answers * LEAST_REFUSED_SHARE;
  }

  /** Why its last notes were of no use. */
  get why(): NotesFault | undefined {
    return this.#why;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Tokens to ask for, so that about `notesTokens` are written. */
  askedTokens(notesTokens: number): number {
    return Math.max(1, Math.floor(notesTokens / this.#lengthFactor));
  }

  /** An answer of `writtenTokens` where `askedTokens` were asked for; `complaint`: it is of no use. */
  note(complaint: NotesFault | undefined, writtenTokens: number, askedTokens: number): void {
    this.#noted?.push((record) => {
      record.note(complaint, writtenTokens, askedTokens);
    });
    this.#answers++;
    if (complaint !== undefined) {
      this.#refused++;
      this.#why = complaint;
    }
    if (complaint === undefined || complaint === "tooLong") this.#learnLength(writtenTokens / Math.max(1, askedTokens));
  }

  /** The last `answers` looked usable, but their notes were left out: they do not fit, or an extract tells more. */
  noteUnused(why: "tellsLess" | "tooLong", answers: number): void {
    this.#noted?.push((record) => {
      record.noteUnused(why, answers);
    });
    this.#refused = Math.min(this.#answers, this.#refused + Math.max(1, answers));
    this.#why = why;
  }

  /** True if a question may be put a second time, in fewer words: once in a conversation. */
  takeSecondQuestion(): boolean {
    const isFirst = !this.#hasAskedTwice;
    this.#hasAskedTwice = true;
    return isFirst;
  }

  /** A copy for a part that is written beside others; only one of them may ask a second time. */
  fork(isFirst: boolean): SummarizerRecord {
    const copy = new SummarizerRecord();
    copy.#noted = [];
    [copy.#answers, copy.#refused, copy.#why] = [this.#answers, this.#refused, this.#why];
    [copy.#lengthFactor, copy.#hasAskedTwice] = [this.#lengthFactor, this.#hasAskedTwice || !isFirst];
    return copy;
  }

  /** Adds what a part has learned. Call in the order of the parts, whichever ended first. */
  join(part: SummarizerRecord, isFirst: boolean): void {
    for (const note of part.#noted ?? []) note(this);
    this.#hasAskedTwice ||= isFirst && part.#hasAskedTwice;
  }

  /** The user wants the model to be asked again. */
  forgive(): void {
    this.#refused = 0;
    this.#answers = 0;
    this.#hasAskedTwice = false;
  }

  /** The difference to `before`, for a receipt; `undefined`: nothing was asked since. */
  since(before: SummarizerTally, model: ModelId): NotesReport | undefined {
    const answers = this.#answers - before.answers;
    if (answers <= 0) return undefined;
    const refused = this.#refused - before.refused;
    const why = refused > 0 && this.#why !== undefined ? { why: this.#why } : {};
    return { model, answers, refused, ...why, lengthPercent: Math.round(this.#lengthFactor * 100) };
  }

  get tally(): SummarizerTally {
    return { answers: this.#answers, refused: this.#refused };
  }

  #learnLength(factor: number): void {
    const bounded = Math.min(LARGEST_LENGTH_FACTOR, Math.max(1, factor));
    this.#lengthFactor = this.#answers <= 1 ? bounded : (this.#lengthFactor + bounded) / 2;
  }

  #add({ answers, refused, why, lengthPercent }: NotesReport): void {
    this.#answers += answers;
    this.#refused += refused;
    this.#why = why ?? this.#why;
    this.#lengthFactor = Math.min(LARGEST_LENGTH_FACTOR, Math.max(1, lengthPercent / 100));
  }
}

export interface SummarizerTally {
  readonly answers: number;
  readonly refused: number;
}
