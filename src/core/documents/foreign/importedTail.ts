/**
 * Brings a conversation that was imported before up to date with its file: what is new there is added under what both have
 * in common. Nothing that is here is changed: where somebody went on here, the new messages become a version beside, and so
 * does a file that its tool has rewritten from the beginning.
 */

import { rangesOf } from "../../history/branches/branches.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { importLinkOf, importLinkSetting } from "../../history/importLink.ts";
import type { ConversationRecord, UsageRecord } from "../../history/records.ts";
import { sourceHash } from "../../history/summaries/sourceHash.ts";
import { isErased, type Summary } from "../../history/summaries/summary.ts";
import { allSummaries, partlyOverlaps } from "../../history/summaries/summaryForest.ts";
import { messageId, summaryId, type MessageId } from "../../ids.ts";
import type { HistoryEntry, Message } from "../../message.ts";
import { invariant } from "../../result.ts";
import { answerKey } from "./answerKeys.ts";
import { IMPORT_REPORT_SETTING, importReportOf } from "./importReport.ts";

/** The messages and summaries of a new import that are not in the conversation. */
export class ImportedTail {
  /** Messages of the new import, ascending; the results of an answer come with it. */
  readonly missing: readonly MessageId[];
  /** Questions and answers among them, and summaries of the tool. */
  readonly answers: number;
  readonly #summaries: readonly Summary[];
  readonly #here: FullHistory;
  readonly #there: FullHistory;
  /** Messages here, by their ids in the new import. */
  readonly #places = new Map<MessageId, MessageId>();

  /** `there`: a new import of the file, linked with it. Neither may change while this is used. */
  constructor(here: FullHistory, there: FullHistory) {
    this.#here = here;
    this.#there = there;
    const known = new Map<string, MessageId>();
    for (const { imported, id } of here.entries)
      if (imported !== undefined && !known.has(imported)) known.set(imported, id);
    const missing: MessageId[] = [];
    let answers = 0;
    for (const { imported, id, batch } of there.entries) {
      const first = batch ?? id;
      const place = id === first ? imported && known.get(imported) : this.#places.get(first);
      if (place !== undefined && place !== "") this.#places.set(id, messageId(place + (id === first ? 0 : id - first)));
      else {
        missing.push(id);
        if (id === first) answers++;
      }
    }
    this.missing = missing;
    this.#summaries = there.summaries.filter((summary) => !this.#isHere(summary, known));
    this.answers = answers + this.#summaries.length;
  }

  /** As a summary, whatever became of it, or as a message. */
  #isHere({ covers, content, generatedBy }: Summary, keys: ReadonlyMap<string, MessageId>): boolean {
    const last = messageId(covers.end - 1);
    const [start, end] = [this.#places.get(covers.start), this.#places.get(last)];
    if (start === undefined || end === undefined) return false;
    const before = this.#there.entry(this.#there.entry(last).batch ?? last).imported ?? "";
    const text: Message = { role: "user", parts: [{ kind: "attachment", label: "", text: content }] };
    if (keys.has(answerKey(before, [text]))) return true;
    return this.#here.summaries.some(
      (known) =>
        known.generatedBy === generatedBy &&
        known.covers.start === start &&
        known.covers.end === end + 1 &&
        (known.content === content || isErased(known)),
    );
  }

  /** Empty if nothing changes. `contents`: those of the missing messages. */
  records(contents: ReadonlyMap<MessageId, Message>, atMs: number): readonly ConversationRecord[] {
    const there = this.#there;
    const writer = new Writer(this.#here.copy(), atMs);
    for (const id of this.missing) {
      const entry = there.entry(id);
      const isFirst = entry.batch === undefined || entry.batch === id;
      const parent = there.branches.parentOf(id);
      if (isFirst) writer.follow(parent === undefined ? undefined : this.#placeOf(parent));
      const message = contents.get(id);
      invariant(message !== undefined, `message ${id} of the import was read`);
      this.#places.set(id, writer.nextId);
      writer.emit({ kind: "message", entry: this.#entryOf(entry), message });
    }
    writer.show(this.#wanted());
    for (const summary of this.#summaries) this.#addSummary(summary, writer);
    this.#addUsage(writer);
    this.#addSettings(writer, atMs);
    return writer.records;
  }

  /** Not of what was erased: it may tell it. What summarizes the same here already goes on to be used. */
  #addSummary(summary: Summary, writer: Writer): void {
    const { history } = writer;
    const [start, last] = [this.#placeOf(summary.covers.start), this.#placeOf(messageId(summary.covers.end - 1))];
    const onWay = new Set<number>([last]);
    let at: MessageId | undefined = last;
    while (at !== undefined && at > start) {
      at = history.branches.parentOf(at);
      if (at !== undefined) onWay.add(at);
    }
    const covers = { start, end: messageId(last + 1) };
    const entries = history.entries.slice(start, covers.end);
    if (at !== start || entries.some(({ id, erasedAtMs }) => onWay.has(id) && erasedAtMs !== undefined)) return;
    const isInUse = [...allSummaries(history.usableSummaries())].some(
      (other) =>
        partlyOverlaps(other.covers, covers) || (other.covers.start === start && other.covers.end === covers.end),
    );
    const place = { id: summaryId(history.summaryCount), covers, state: isInUse ? "replaced" : "active" } as const;
    const hash = sourceHash(entries, ({ id }) => onWay.has(id));
    writer.emit({ kind: "summary", summary: { ...summary, ...place, sourceHash: hash } });
  }

  /** That of a summary is under the number of the message that comes next, or will. */
  #addUsage(writer: Writer): void {
    const [here, there] = [this.#here, this.#there];
    const added = new Set<number>(this.missing);
    if (this.#summaries.length > 0) added.add(there.length);
    const known = new Set(here.spending.records.map(nameOf));
    for (const usage of there.spending.records) {
      if (!added.has(usage.message)) continue;
      const message = usage.message === there.length ? writer.nextId : this.#placeOf(usage.message);
      const placed = { ...usage, message };
      if (!known.has(nameOf(placed))) writer.emit(placed);
    }
  }

  #placeOf(id: MessageId): MessageId {
    const place = this.#places.get(id);
    invariant(place !== undefined, `message ${id} of the import is here`);
    return place;
  }

  #entryOf(entry: HistoryEntry): HistoryEntry {
    const { batch } = entry;
    const mapped = { ...entry, id: this.#placeOf(entry.id), turn: this.#placeOf(entry.turn) };
    return batch === undefined ? mapped : { ...mapped, batch: this.#placeOf(batch) };
  }

  /** Messages that are to be shown: those that are, and the new ones where nobody went on here. */
  #wanted(): ReadonlySet<MessageId> {
    const [here, there] = [this.#here, this.#there];
    const shown = here.entries.filter((entry) => here.isVisible(entry));
    const ids = shown.map(({ id }) => id);
    const live = there.entries.filter((entry) => there.isVisible(entry)).map(({ id }) => this.#placeOf(id));
    const isUntouched = shown.every(({ id, batch }) => here.entry(batch ?? id).imported !== undefined);
    if (!isUntouched || !live.some((id) => id >= here.length)) return new Set(ids);
    const known = new Set(ids);
    const last = live.findLastIndex((id) => known.has(id));
    const common = live[last] ?? -1;
    const onWay = new Set(live);
    const stays = ids.filter((id) => id <= common || onWay.has(id));
    // Other messages that are hidden here were hidden by the user, unless another version takes the place of the shown one.
    const isSwitched = stays.length < ids.length;
    const next = live.slice(last + 1).filter((id) => isSwitched || id >= here.length);
    return new Set([...stays, ...next]);
  }

  #addSettings(writer: Writer, atMs: number): void {
    const [before, link] = [importLinkOf(this.#here), importLinkOf(this.#there)];
    if (link !== undefined && (link.bytes !== before?.bytes || link.answers !== before.answers))
      writer.emit(importLinkSetting(link, atMs));
    const report = importReportOf(this.#there);
    if (report === undefined || report.count <= (importReportOf(this.#here)?.count ?? 0)) return;
    const message = this.#placeOf(messageId(report.message));
    const value = JSON.stringify({ ...report, message });
    writer.emit({ kind: "setting", name: IMPORT_REPORT_SETTING, value, atMs });
  }
}

function nameOf({ message, model, inputTokens, outputTokens, atMs }: UsageRecord): string {
  return [message, model, inputTokens, outputTokens, atMs].join(" ");
}

/** Makes records, and has them applied. */
class Writer {
  readonly records: ConversationRecord[] = [];
  readonly history: FullHistory;
  readonly #atMs: number;

  constructor(history: FullHistory, atMs: number) {
    this.history = history;
    this.#atMs = atMs;
  }

  get nextId(): MessageId {
    return messageId(this.history.length);
  }

  emit(record: ConversationRecord): void {
    this.history.apply(record);
    this.records.push(record);
  }

  /** Has the next message follow `parent`; `undefined`: it begins the conversation. */
  follow(parent: MessageId | undefined): void {
    const history = this.history;
    if (history.lastVisible?.id === parent) return;
    const later = history.entries.slice((parent ?? -1) + 1).filter((entry) => history.isVisible(entry));
    this.#set(later, true);
    if (parent === undefined || history.isVisible(history.entry(parent))) return;
    const { start, end } = history.atomOf(parent);
    this.#set(history.entries.slice(start, end), false);
  }

  show(wanted: ReadonlySet<MessageId>): void {
    const history = this.history;
    const wrong = history.entries.filter((entry) => history.isVisible(entry) !== wanted.has(entry.id));
    const isShown = ({ id }: HistoryEntry): boolean => wanted.has(id);
    this.#set(
      wrong.filter((entry) => !isShown(entry)),
      true,
    );
    this.#set(wrong.filter(isShown), false);
  }

  #set(entries: readonly HistoryEntry[], hidden: boolean): void {
    for (const range of rangesOf(entries.map(({ id }) => id)))
      this.emit({ kind: "visibility", range, hidden, atMs: this.#atMs });
  }
}
