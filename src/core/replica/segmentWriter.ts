/** Makes segments of the records that are in none yet. */

import { portableProject } from "../history/project.ts";
import { isUserChoice } from "../history/modelChoice.ts";
import { GRANT_PREFIX, type ConversationRecord, type SegmentRecord } from "../history/records.ts";
import type { GlobalId, ObjectHash, SegmentRun, WriterId } from "../history/segmentInfo.ts";
import type { MessageRange } from "../history/summaries/summary.ts";
import { messageId, type MessageId, type SummaryId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import { omit } from "../omit.ts";
import { assertNever, invariant } from "../result.ts";
import type { ConversationCopy } from "./conversationCopy.ts";
import { RecordPlaces } from "./recordPlaces.ts";
import type { SegmentContent } from "./segmentContent.ts";
import type { WireEntry, WireRecord, WireRef, WireRun } from "./wireRecord.ts";

/** Whoever writes, with the number of the next segment in this conversation. */
export interface SegmentAuthor {
  readonly writer: WriterId;
  readonly machine: string;
  readonly sequence: number;
  /** The segment that this writer wrote before. */
  readonly previous?: ObjectHash;
}

export interface WrittenSegment {
  readonly content: SegmentContent;
  /** Must be committed before any byte of the segment leaves this machine: else its records would be published twice. */
  readonly recordOf: (hash: ObjectHash) => SegmentRecord;
}

/** Place of the own segment in references. */
const OWN = -1;

export class SegmentWriter {
  readonly #copy: ConversationCopy;
  readonly #records: WireRecord[] = [];
  readonly #runs: SegmentRun[] = [];
  readonly #places = new RecordPlaces();
  /** Index in the segment, by number of the record. */
  readonly #own = new Map<number, number>();
  readonly #segments: ObjectHash[] = [];
  readonly #erased: WireRef[] = [];

  /** `copy` has all records before those that are added, and gets these; it has learned of all segments that are here. */
  constructor(copy: ConversationCopy) {
    this.#copy = copy;
  }

  /** The rest belongs into another segment: what follows an erasure is made of what it left. */
  isComplete(): boolean {
    return this.#records.at(-1)?.kind === "erasure";
  }

  /** Records in their order; those that are in a segment, or concern this machine alone, are passed over. */
  add(record: ConversationRecord): void {
    const { history, ids } = this.#copy;
    const number = ids.recordCount;
    const isPublished = ids.idOf(number) !== undefined;
    if (isPublished || !travels(record) || this.#isKnownErasure(record)) {
      this.#copy.apply(record);
      return;
    }
    const index = this.#records.length;
    this.#own.set(number, index);
    this.#places.add(record, number);
    const last = this.#runs.at(-1);
    if (last !== undefined && last.number + last.count === number)
      this.#runs.splice(-1, 1, { ...last, count: last.count + 1 });
    else this.#runs.push({ number, index, count: 1 });
    const from = this.#copy.end;
    const isOfSource =
      record.kind === "summary" && history.sourceHash(record.summary.covers) === record.summary.sourceHash;
    this.#copy.apply(record);
    this.#records.push(this.#wire(record, { from, isOfSource }));
  }

  /** `undefined` if nothing of it travels. */
  finish({ writer, machine, sequence, previous }: SegmentAuthor): WrittenSegment | undefined {
    const { ids } = this.#copy;
    if (this.#records.length === 0) return undefined;
    const heads = ids.heads.filter((hash) => hash !== previous);
    const after = previous === undefined ? heads : [previous, ...heads];
    const epoch = 1 + Math.max(0, ...ids.segments.map((each) => each.epoch));
    const info = { writer, sequence, epoch, after, count: this.#records.length, machine };
    const publishedTo = ids.recordCount;
    const idOf = (hash: ObjectHash, [place, index]: WireRef): GlobalId => ({
      segment: this.#segments[place] ?? hash,
      index,
    });
    return {
      content: { info, segments: this.#segments, records: this.#records },
      recordOf: (hash) => ({
        kind: "segment",
        segment: { hash, ...info },
        runs: this.#runs,
        ...this.#places.ofSegment,
        publishedTo,
        ...(this.#erased.length === 0 ? {} : { erases: this.#erased.map((ref) => idOf(hash, ref)) }),
      }),
    };
  }

  /** True if all that it erases was erased by segments: those of other machines are followed here. */
  #isKnownErasure(record: ConversationRecord): boolean {
    const { ids } = this.#copy;
    return (
      record.kind === "erasure" &&
      record.entries.every(({ id }) => {
        const global = ids.idOf(ids.recordOfMessage(id) ?? -1);
        return global !== undefined && ids.isErased(global);
      })
    );
  }

  #wire(
    record: ConversationRecord,
    before: { readonly from: MessageId | undefined; readonly isOfSource: boolean },
  ): WireRecord {
    const { history } = this.#copy;
    switch (record.kind) {
      case "message": {
        const follows = history.branches.parentOf(record.entry.id);
        const place = follows === undefined ? {} : { follows: this.#message(follows) };
        return { kind: "message", ...place, entry: this.#entry(record.entry), message: record.message };
      }
      case "visibility": {
        const { hidden, atMs } = record;
        const from = before.from === undefined ? {} : { from: this.#message(before.from) };
        const to = this.#copy.end === undefined ? {} : { to: this.#message(this.#copy.end) };
        return { kind: "visibility", runs: this.#messages(record.range), hidden, atMs, ...from, ...to };
      }
      case "summary": {
        const { covers } = record.summary;
        const summary = omit(record.summary, "id", "covers", "sourceHash");
        const hidden = this.#messages(covers, (entry) => !history.isVisible(entry));
        return { kind: "summary", covers: this.#messages(covers), hidden, isOfSource: before.isOfSource, summary };
      }
      case "summaryState": {
        const { id, ...others } = record;
        return { ...others, of: this.#summary(id) };
      }
      case "pin":
      case "leftOut": {
        const { id, ...others } = record;
        return { ...others, of: this.#message(id) };
      }
      case "receipt": {
        const { summaries, span, notesLater, ...receipt } = record.receipt;
        const later = notesLater === undefined ? {} : { notesLater: notesLater.map((id) => this.#summary(id)) };
        const made = summaries.map((id) => this.#summary(id));
        return { kind: "receipt", summaries: made, span: this.#messages(span), ...later, receipt };
      }
      case "usage": {
        const { message, ...usage } = record;
        return message < history.length ? { ...usage, message: this.#message(message) } : usage;
      }
      case "project": {
        const project = portableProject(record.project);
        invariant(project !== undefined, "a project that travels is known elsewhere");
        return { ...record, project };
      }
      case "erasure": {
        const erased = record.entries.map(({ id, tokens }) => ({ of: this.#message(id), tokens }));
        this.#erased.push(...erased.map(({ of }) => of));
        return { kind: "erasure", atMs: record.atMs, erased };
      }
      case "model":
      case "title":
      case "setting":
        return record;
      case "segment":
        throw new Error("a segment's record stays here");
      default:
        return assertNever(record);
    }
  }

  #entry(entry: HistoryEntry): WireEntry {
    const { turn, batch, continues, recalled } = entry;
    return {
      ...omit(entry, "id", "turn", "batch", "continues", "recalled"),
      turn: this.#message(turn),
      ...(batch === undefined ? {} : { batch: this.#message(batch) }),
      ...(continues === undefined ? {} : { continues: this.#message(continues) }),
      ...(recalled === undefined
        ? {}
        : { recalled: recalled.map(({ id, ...passage }) => ({ of: this.#message(id), ...passage })) }),
    };
  }

  #message(id: MessageId): WireRef {
    return this.#ref(this.#copy.ids.recordOfMessage(id));
  }

  #summary(id: SummaryId): WireRef {
    return this.#ref(this.#copy.ids.recordOfSummary(id));
  }

  #ref(number: number | undefined): WireRef {
    invariant(number !== undefined, "what a record refers to is in the history");
    const own = this.#own.get(number);
    if (own !== undefined) return [OWN, own];
    const id = this.#copy.ids.idOf(number);
    invariant(id !== undefined, `record ${String(number)} is published`);
    const known = this.#segments.indexOf(id.segment);
    return [known < 0 ? this.#segments.push(id.segment) - 1 : known, id.index];
  }

  #messages({ start, end }: MessageRange, isWanted: (entry: HistoryEntry) => boolean = () => true): readonly WireRun[] {
    const runs: (readonly [segment: number, first: number, last: number])[] = [];
    let isOpen = false;
    for (let id: number = start; id < end; id++) {
      if (!isWanted(this.#copy.history.entry(messageId(id)))) {
        isOpen = false;
        continue;
      }
      const [segment, index] = this.#message(messageId(id));
      const last = runs.at(-1);
      if (isOpen && last?.[0] === segment && last[2] < index) runs.splice(-1, 1, [segment, last[1], index]);
      else runs.push([segment, index, index]);
      isOpen = true;
    }
    return runs;
  }
}

/** Permissions, places of messages, folders and what follows from settings concern this machine alone. */
function travels(record: ConversationRecord): boolean {
  switch (record.kind) {
    case "visibility":
      return record.isDerived !== true;
    case "setting":
      return !record.name.startsWith(GRANT_PREFIX);
    case "model":
      return isUserChoice(record);
    case "project":
      return portableProject(record.project) !== undefined;
    case "segment":
      return false;
    default:
      return true;
  }
}
