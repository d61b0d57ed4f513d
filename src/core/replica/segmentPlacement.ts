/**
 * Turns a segment of another machine into records of this copy. What it continues goes on here if this copy shows the
 * message that it follows as the last one; else it becomes a version, and what is shown stays.
 */

import { rangesOf } from "../history/branches/branches.ts";
import type { ConversationRecord, SegmentRecord, VisibilityRecord } from "../history/records.ts";
import type { GlobalId, ObjectHash, SegmentRun } from "../history/segmentInfo.ts";
import { sourceHash } from "../history/summaries/sourceHash.ts";
import type { MessageRange } from "../history/summaries/summary.ts";
import { partlyOverlaps } from "../history/summaries/summaryForest.ts";
import { messageId, summaryId, type MessageId, type SummaryId } from "../ids.ts";
import type { HistoryEntry } from "../message.ts";
import { assertNever, invariant } from "../result.ts";
import type { ConversationCopy } from "./conversationCopy.ts";
import { RecordPlaces } from "./recordPlaces.ts";
import { keyOf } from "./globalIds.ts";
import { scrubbed } from "./scrubbing.ts";
import type { SegmentContent } from "./segmentContent.ts";
import type {
  WireEntry,
  WireMessage,
  WireRecord,
  WireRef,
  WireRun,
  WireSummary,
  WireVisibility,
} from "./wireRecord.ts";

export interface PlacedSegment {
  /** The segment's own comes first; they are committed together. */
  readonly records: readonly ConversationRecord[];
  /** Messages whose text must be erased here, once the records are committed. */
  readonly erased: readonly MessageId[];
}

/** Applies the records to `copy`, which must have all segments that `content` comes after. */
export function placeSegment(copy: ConversationCopy, hash: ObjectHash, content: SegmentContent): PlacedSegment {
  const placement = new Placement(copy, hash, content);
  const { records } = scrubbed(content, hash, erasedMeanwhile(copy, content));
  for (const [index, record] of records.entries()) placement.add(record, index);
  return placement.finish();
}

/** Messages that are erased here, of which the writer did not know that: it may have made something of their text. */
export function erasedMeanwhile(
  { ids, history }: ConversationCopy,
  { info }: Pick<SegmentContent, "info">,
): readonly GlobalId[] {
  const erasures = Array.from(ids.erasing, ([erasing, erased]) => ({ erased, isKnown: ids.isAfter(info, erasing) }));
  // Two machines may have erased the same message.
  const known = new Set(erasures.flatMap(({ erased, isKnown }) => (isKnown ? erased.map(keyOf) : [])));
  const unknown = erasures.flatMap(({ erased, isKnown }) => (isKnown ? [] : erased));
  const own = history.entries.flatMap(({ id, erasedAtMs }) => {
    const number = erasedAtMs === undefined ? undefined : ids.recordOfMessage(id);
    const global = number === undefined ? undefined : ids.idOf(number);
    return global === undefined || ids.isErased(global) ? [] : [global];
  });
  return [...unknown, ...own].filter((id) => !known.has(keyOf(id)));
}

class Placement {
  readonly #copy: ConversationCopy;
  readonly #hash: ObjectHash;
  readonly #content: SegmentContent;
  readonly #records: ConversationRecord[] = [];
  readonly #runs: SegmentRun[] = [];
  readonly #places = new RecordPlaces();
  /** By index in the segment. */
  readonly #messages = new Map<number, MessageId>();
  readonly #summaries = new Map<number, SummaryId>();
  readonly #erases: GlobalId[] = [];
  /** Undoes what hides the shown messages while a version is being added. */
  #aside: readonly VisibilityRecord[] | undefined;
  /** The first message that was added since. */
  #asideFrom = 0;

  constructor(copy: ConversationCopy, hash: ObjectHash, content: SegmentContent) {
    this.#copy = copy;
    this.#hash = hash;
    this.#content = content;
  }

  add(wire: WireRecord, index: number): void {
    switch (wire.kind) {
      case "message":
        this.#addMessage(wire, index);
        return;
      case "visibility":
        this.#showAgain();
        this.#addVisibility(wire);
        return;
      case "summary":
        this.#addSummary(wire, index);
        return;
      case "summaryState":
      case "pin":
      case "leftOut": {
        const { of, ...others } = wire;
        if (others.kind !== "summaryState") this.#addValue({ ...others, id: this.#message(of) }, index);
        else for (const id of this.#summaryOf(of)) this.#addValue({ ...others, id }, index);
        return;
      }
      case "receipt": {
        const { receipt } = wire;
        const here = wire.summaries.map((of) => this.#summaryOf(of));
        const summaries = here.flat();
        const strategies = receipt.strategies?.filter((_, at) => (here[at]?.length ?? 0) > 0);
        const span = hull(this.#messagesIn(wire.span)) ?? { start: messageId(0), end: messageId(0) };
        const later = wire.notesLater?.flatMap((of) => this.#summaryOf(of));
        const others = {
          ...(strategies === undefined ? {} : { strategies }),
          ...(later === undefined ? {} : { notesLater: later }),
        };
        this.#emit({ kind: "receipt", receipt: { ...receipt, summaries, span, ...others } }, index);
        return;
      }
      case "usage": {
        const { message, ...usage } = wire;
        const id = message === undefined ? messageId(this.#copy.history.length) : this.#message(message);
        this.#emit({ ...usage, message: id }, index);
        return;
      }
      case "model":
      case "title":
      case "setting":
        this.#addValue(wire, index);
        return;
      case "project":
        this.#emit(wire, index);
        return;
      case "erasure":
        this.#erases.push(...wire.erased.map(({ of }) => this.#id(of) ?? { segment: this.#hash, index: of[1] }));
        return;
      case "nothing":
        return;
      default:
        assertNever(wire);
    }
  }

  finish(): PlacedSegment {
    this.#showAgain();
    const erases = this.#erases;
    const segment: SegmentRecord = {
      kind: "segment",
      segment: { hash: this.#hash, ...this.#content.info },
      runs: this.#runs,
      ...this.#places.ofSegment,
      ...(erases.length === 0 ? {} : { erases }),
    };
    const records = [segment, ...this.#records];
    for (const record of records) this.#copy.applyToIds(record);
    const { ids, history } = this.#copy;
    const erased = erases.flatMap((id) => ids.messageOf(id) ?? []);
    return { records, erased: erased.filter((id) => history.entry(id).erasedAtMs === undefined).sort((a, b) => a - b) };
  }

  /** -1: nothing is shown. */
  get #end(): number {
    return this.#copy.end ?? -1;
  }

  #emit(record: ConversationRecord, index?: number): void {
    const number = this.#copy.ids.recordCount + 1 + this.#records.length; // the segment's own record is the first
    this.#copy.history.apply(record);
    this.#records.push(record);
    if (index === undefined) return;
    this.#places.add(record, number);
    const last = this.#runs.at(-1);
    if (last?.number === number - (last?.count ?? 0) && last.index === index - last.count)
      this.#runs.splice(-1, 1, { ...last, count: last.count + 1 });
    else this.#runs.push({ number, index, count: 1 });
  }

  #addValue(record: ConversationRecord, index: number): void {
    const segment = { hash: this.#hash, ...this.#content.info };
    if (!this.#copy.isSuperseded(record, segment, index)) this.#emit(record, index);
  }

  #addMessage({ follows, entry, message }: WireMessage, index: number): void {
    const { history } = this.#copy;
    const parent = follows === undefined ? -1 : this.#message(follows);
    if (this.#end !== parent) this.#showAgain();
    if (this.#end !== parent) this.#setAside(parent, entry.createdAtMs);
    const id = messageId(history.length);
    this.#messages.set(index, id);
    this.#emit({ kind: "message", entry: this.#entry(entry, id), message }, index);
  }

  /** Hides what comes after `parent`, and shows it, so that the next message follows it. */
  #setAside(parent: number, atMs: number): void {
    const { history } = this.#copy;
    const back: VisibilityRecord[] = [];
    const set = (ids: readonly MessageId[], hidden: boolean): void => {
      for (const range of rangesOf(ids)) {
        this.#emit({ kind: "visibility", range, hidden, atMs, isDerived: true });
        back.push({ kind: "visibility", range, hidden: !hidden, atMs, isDerived: true });
      }
    };
    const shown = history.entries.slice(parent + 1).filter((entry) => history.isVisible(entry));
    set(
      shown.map(({ id }) => id),
      true,
    );
    if (parent >= 0 && !history.isVisible(history.entry(messageId(parent)))) {
      const { start, end } = history.atomOf(messageId(parent));
      set(
        Array.from({ length: end - start }, (_, at) => messageId(start + at)),
        false,
      );
    }
    this.#aside = back;
    this.#asideFrom = history.length;
  }

  #showAgain(): void {
    const back = this.#aside;
    if (back === undefined) return;
    this.#aside = undefined;
    const { history } = this.#copy;
    const [start, end] = [messageId(this.#asideFrom), messageId(history.length)];
    const atMs = back[0]?.atMs ?? 0;
    if (start < end) this.#emit({ kind: "visibility", range: { start, end }, hidden: true, atMs, isDerived: true });
    for (const record of back.toReversed()) this.#emit(record);
  }

  /** Follows the other machine where this copy shows what it showed; a change of another version shows nothing new. */
  #addVisibility({ runs, hidden, atMs, from, to }: WireVisibility): void {
    const isSameEnd = (from === undefined ? -1 : this.#message(from)) === this.#end;
    const isWithin = from?.[0] === to?.[0] && from?.[1] === to?.[1];
    if (!isSameEnd && !isWithin) return;
    for (const range of rangesOf(this.#messagesIn(runs)))
      this.#emit({ kind: "visibility", range, hidden, atMs, isDerived: true });
  }

  /** Not one whose messages are not side by side here; one that overlaps another in use is there and not used. */
  #addSummary({ covers, hidden, isOfSource, summary }: WireSummary, index: number): void {
    const { history } = this.#copy;
    const ids = this.#messagesIn(covers);
    const range = hull(ids);
    if (range?.end !== (range?.start ?? 0) + ids.length || ids.some((id, at) => id !== range.start + at)) return;
    const hiddenIds = new Set<number>(this.#messagesIn(hidden));
    const source = sourceHash(history.entries.slice(range.start, range.end), ({ id }) => !hiddenIds.has(id));
    const overlaps = history.summaries.some(
      (other) => history.isUsable(other.id) && partlyOverlaps(other.covers, range),
    );
    const id = summaryId(history.summaryCount);
    this.#summaries.set(index, id);
    const state = overlaps && summary.state === "active" ? ({ state: "replaced" } as const) : {};
    const ofSource = { covers: range, sourceHash: isOfSource ? source : "" };
    this.#emit({ kind: "summary", summary: { ...summary, ...state, id, ...ofSource } }, index);
  }

  #entry({ turn, batch, continues, recalled, ...entry }: WireEntry, id: MessageId): HistoryEntry {
    return {
      ...entry,
      id,
      turn: this.#message(turn),
      ...(batch === undefined ? {} : { batch: this.#message(batch) }),
      ...(continues === undefined ? {} : { continues: this.#message(continues) }),
      ...(recalled === undefined
        ? {}
        : { recalled: recalled.map(({ of, ...passage }) => ({ id: this.#message(of), ...passage })) }),
    };
  }

  #message(ref: WireRef): MessageId {
    const id = this.#id(ref);
    const found = id === undefined ? this.#messages.get(ref[1]) : this.#copy.ids.messageOf(id);
    invariant(found !== undefined, "a segment refers to what came before it");
    return found;
  }

  /** Empty for one that is not here. */
  #summaryOf(ref: WireRef): readonly SummaryId[] {
    const id = this.#id(ref);
    const found = id === undefined ? this.#summaries.get(ref[1]) : this.#copy.ids.summaryOf(id);
    return found === undefined ? [] : [found];
  }

  /** `undefined`: a record of this segment. */
  #id([place, index]: WireRef): GlobalId | undefined {
    if (place < 0) return undefined;
    const segment = this.#content.segments[place];
    invariant(segment !== undefined, "a segment lists those that it refers to");
    return { segment, index };
  }

  #messagesIn(runs: readonly WireRun[]): readonly MessageId[] {
    return runs.flatMap(([place, first, last]) => {
      const segment = this.#content.segments[place];
      if (segment !== undefined) return this.#copy.ids.messagesIn(segment, first, last);
      return [...this.#messages].flatMap(([index, id]) => (first <= index && index <= last ? [id] : []));
    });
  }
}

function hull(ids: readonly MessageId[]): MessageRange | undefined {
  if (ids.length === 0) return undefined;
  return { start: messageId(Math.min(...ids)), end: messageId(Math.max(...ids) + 1) };
}
