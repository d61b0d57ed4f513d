/**
 * Writes salvaged rows into a new database. Messages and summaries keep their ids: a placeholder replaces each lost
 * one, so every reference by id stays valid. Segments name records by number, and follow them. The result can always be
 * replayed: a record that would contradict a placeholder is adjusted to it.
 */

import { isSamePlace } from "../../../core/history/entryRules.ts";
import type { ErasureRecord, IndexRecord } from "../../../core/history/records.ts";
import type { RecordPlace } from "../../../core/history/segmentInfo.ts";
import type { Summary } from "../../../core/history/summaries/summary.ts";
import { messageId, summaryId, type MessageId } from "../../../core/ids.ts";
import { textMessage, type HistoryEntry } from "../../../core/message.ts";
import { omit } from "../../../core/omit.ts";
import type { Engine, PreparedStatement } from "../engine/engine.ts";
import type { JournalRow } from "../../../core/store/journalRow.ts";
import type { StoreWrite } from "../../../core/store/conversationStore.ts";
import type { KnownContent } from "../knownContent.ts";
import { checksum, parseIndexPage, recordChecksum } from "../rowCodec.ts";
import { noteSegment } from "../schema.ts";
import { WriteStatements } from "../writeStatements.ts";
import { adjustedEntry, placeholderEntry, PLACEHOLDER_TOKENS } from "./placeholderEntries.ts";
import { RescuedSegments, type RescuedNumbers } from "./rescuedSegments.ts";
import type { Salvage } from "./salvage.ts";

export interface Rebuilt {
  readonly messagesRecovered: number;
  /** Unreadable messages; each is replaced by a placeholder. */
  readonly messagesLost: readonly MessageId[];
  readonly summariesLost: number;
  /** Answers, whole or in part, whose messages were not readable but whose pieces in the journal were. */
  readonly answersInJournal: number;
  /** Content of the new database. */
  readonly stored: KnownContent;
}

const RECORDS_PER_COMMIT = 500;
const LOST_TEXT = "[This message could not be read: the conversation's file was damaged. The damaged file was kept.]";

/** The tables of `engine` must be empty. */
export function rebuild(engine: Engine, found: Salvage): Rebuilt {
  const records = [...found.records]
    .sort(([a], [b]) => a - b)
    .flatMap(([number, body]) => parseIndexPage(`[${body}]`).map((record) => [number, record] as const));
  engine.exec("BEGIN IMMEDIATE");
  const rebuilder = new Rebuilder(found, new StoredRows(engine), segmentsOf(records, found));
  rebuilder.addAll(records);
  engine.exec("COMMIT");
  return rebuilder.result;
}

/** A rehearsal tells the numbers, since a segment may come before its records. */
function segmentsOf(records: readonly NumberedRecord[], found: Salvage): RescuedSegments | undefined {
  if (!records.some(([, { kind }]) => kind === "segment")) return undefined;
  const rehearsal = new Rebuilder(found, NOWHERE, undefined);
  rehearsal.addAll(records);
  return new RescuedSegments(records, rehearsal.numbers);
}

type NumberedRecord = readonly [number: number, record: IndexRecord];

/** Where the rows go. */
interface RebuiltRows {
  addRecord(number: number, kind: string, record: IndexRecord): void;
  addMessage(entry: HistoryEntry, entryJson: string, body: string): void;
  add(write: Extract<StoreWrite, { kind: "journalRow" | "draft" }>): void;
}

const NOWHERE: RebuiltRows = {
  addRecord: () => undefined,
  addMessage: () => undefined,
  add: () => undefined,
};

class StoredRows implements RebuiltRows {
  readonly #engine: Engine;
  readonly #insertRecord: PreparedStatement;
  readonly #insertMessage: PreparedStatement;
  readonly #others: WriteStatements;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#insertRecord = engine.prepare("INSERT INTO record(number, kind, body, checksum) VALUES(?, ?, ?, ?)");
    this.#insertMessage = engine.prepare("INSERT INTO message(id, step, entry, body, checksum) VALUES(?, ?, ?, ?, ?)");
    this.#others = new WriteStatements(engine);
  }

  addRecord(number: number, kind: string, record: IndexRecord): void {
    if (record.kind === "segment") noteSegment(this.#engine);
    const body = JSON.stringify(record);
    this.#insertRecord.run([number, kind, body, recordChecksum(number, body)]);
    // Several small transactions are safe: after a crash the rescue starts over.
    if (number % RECORDS_PER_COMMIT === 0) this.#engine.exec("COMMIT; BEGIN IMMEDIATE");
  }

  addMessage(entry: HistoryEntry, entryJson: string, body: string): void {
    this.#insertMessage.run([entry.id, entry.step ?? null, entryJson, body, checksum(entryJson, body)]);
  }

  add(write: StoreWrite): void {
    this.#others.apply(write);
  }
}

class Rebuilder {
  readonly #found: Salvage;
  readonly #rows: RebuiltRows;
  readonly #segments: RescuedSegments | undefined;
  /** Without rows of erased answers. */
  #journal: readonly JournalRow[] = [];
  readonly #messagesLost: MessageId[] = [];
  readonly #entries: HistoryEntry[] = [];
  /** New numbers: of messages and summaries by id, of others by their old one. */
  readonly #messageNumbers: number[] = [];
  readonly #summaryNumbers: number[] = [];
  readonly #others = new Map<number, number>();
  readonly #kinds: IndexRecord["kind"][] = [];
  #summaries = 0;
  #summariesLost = 0;
  #answersInJournal = 0;

  constructor(found: Salvage, rows: RebuiltRows, segments: RescuedSegments | undefined) {
    this.#found = found;
    this.#rows = rows;
    this.#segments = segments;
  }

  get numbers(): RescuedNumbers {
    const [messages, summaries, others, kinds] = [
      this.#messageNumbers,
      this.#summaryNumbers,
      this.#others,
      this.#kinds,
    ];
    return { messages, summaries, others, kinds };
  }

  get result(): Rebuilt {
    const messagesRecovered = this.#entries.length - this.#messagesLost.length;
    const stored = { messages: this.#entries.length, records: this.#kinds.length };
    return {
      messagesRecovered,
      messagesLost: this.#messagesLost,
      summariesLost: this.#summariesLost,
      answersInJournal: this.#answersInJournal,
      stored,
    };
  }

  /** Adds records, in their order; lost messages and summaries of segments in their places. */
  addAll(records: readonly NumberedRecord[]): void {
    const erased = new Set(
      records.flatMap(([, record]) => (record.kind === "erasure" ? record.entries.map(({ step }) => step) : [])),
    );
    this.#journal = this.#found.journal.filter(({ stepId }) => !erased.has(stepId));
    const segments = records.flatMap(([, record]) => (record.kind === "segment" ? [record] : []));
    const inOrder = (places: readonly RecordPlace[]): RecordPlace[] => places.toSorted(([a], [b]) => b - a);
    const messages = inOrder(segments.flatMap((segment) => segment.messages ?? []));
    const summaries = inOrder(segments.flatMap((segment) => segment.summaries ?? []));
    const fillBefore = (number: number): void => {
      const isBefore = (place: RecordPlace | undefined): boolean => place !== undefined && place[0] < number;
      while (isBefore(messages.at(-1)) || isBefore(summaries.at(-1))) {
        const isMessage = (messages.at(-1)?.[0] ?? Infinity) < (summaries.at(-1)?.[0] ?? Infinity);
        const end = ((isMessage ? messages : summaries).pop()?.[1] ?? -1) + 1;
        if (isMessage) this.#fillMessages(end);
        else this.#fillSummaries(end);
      }
    };
    for (const [number, record] of records) {
      fillBefore(number);
      this.#add(number, record);
    }
    fillBefore(Infinity);
    this.#fillMessages(Math.max(-1, ...this.#found.messageIds) + 1);
    this.#addJournal();
  }

  /** Adds a record; messages and summaries that it references and that are still missing are added first. */
  #add(number: number, record: IndexRecord): void {
    if (record.kind === "entry") {
      // Two copies under different record numbers can only come from an interrupted rescue.
      if (record.entry.id < this.#entries.length) return;
      this.#fillMessages(record.entry.id, record.entry);
      this.#addMessage(record.entry);
      return;
    }
    if (record.kind === "segment") {
      this.#addRecord(record.kind, this.#segments?.rescued(record) ?? record);
      return;
    }
    this.#fillMessages(messagesNamedBy(record));
    if (record.kind === "summary") this.#fillSummaries(record.summary.id);
    if (record.kind === "summaryState") this.#fillSummaries(record.id + 1);
    if (record.kind === "receipt") this.#fillSummaries(Math.max(-1, ...record.receipt.summaries) + 1);
    if (record.kind === "summary" && record.summary.id < this.#summaries) return; // duplicate, as above
    // The excluded attachment is lost with its message; the placeholder has no attachments.
    if (record.kind === "leftOut" && this.#messagesLost.includes(record.id)) return;
    const next = this.#kinds.length;
    if (record.kind === "summary") this.#summaryNumbers[this.#summaries++] = next;
    if (record.kind === "erasure") this.#addErasure(record);
    else this.#addRecord(record.kind, record);
    if (record.kind !== "summary" && this.#kinds.length > next) this.#others.set(number, next);
  }

  /** Adds all messages before `end`, as placeholders if lost; `behind` is the entry with id `end`, if known. */
  #fillMessages(end: number, endEntry?: HistoryEntry): void {
    while (this.#entries.length < end) {
      const from = this.#entries.length;
      let next = from;
      let known: HistoryEntry | undefined;
      while (next < end && (known = this.#storedEntry(next)) === undefined) next++;
      const following = next === from ? undefined : (known ?? endEntry ?? this.#firstStored(end));
      while (this.#entries.length < next) {
        const previous = this.#entries.at(-1);
        this.#addMessage(placeholderEntry(messageId(this.#entries.length), { previous, following }));
      }
      if (known !== undefined) this.#addMessage(known);
    }
  }

  /** Adds the journal rows and the draft. A step whose first rows are lost is renumbered from 0. */
  #addJournal(): void {
    const next = new Map<string, number>();
    const ended = new Map<string, number>();
    const rows = this.#journal.toSorted((a, b) => a.seq - b.seq);
    this.#answersInJournal = new Set(rows.filter(isOfAnswer).map(({ stepId }) => stepId)).size;
    for (const row of rows) {
      const seq = next.get(row.stepId) ?? 0;
      next.set(row.stepId, seq + 1);
      // A row after the final row of a step can only be a remnant of an earlier use of the page.
      const isBehindEnd = (ended.get(row.stepId) ?? Infinity) < row.seq;
      if (!isBehindEnd) this.#rows.add({ kind: "journalRow", row: { ...row, seq } });
      if (isLast(row.eventType) && !ended.has(row.stepId)) ended.set(row.stepId, row.seq);
    }
    if (this.#found.draft !== "") this.#rows.add({ kind: "draft", text: this.#found.draft });
  }

  #firstStored(from: number): HistoryEntry | undefined {
    let first = Infinity;
    for (const id of this.#found.messageIds) if (id >= from && id < first) first = id;
    return first === Infinity ? undefined : this.#storedEntry(first);
  }

  #storedEntry(id: number): HistoryEntry | undefined {
    const stored = this.#found.readMessage(id);
    const [known] = stored === undefined ? [] : parseIndexPage(`[{"kind":"entry","entry":${stored.entry}}]`);
    return known?.kind === "entry" ? known.entry : undefined;
  }

  #addMessage(known: HistoryEntry): void {
    const stored = this.#found.readMessage(known.id);
    const entry = adjustedEntry(stored === undefined ? this.#lostEntry(known) : known, this.#entries);
    if (stored === undefined) this.#messagesLost.push(entry.id);
    const entryJson = stored !== undefined && entry === known ? stored.entry : JSON.stringify(entry);
    const body = stored?.body ?? JSON.stringify(textMessage(entry.role, LOST_TEXT));
    this.#messageNumbers.push(this.#kinds.length);
    this.#addRecord("message", { kind: "entry", entry });
    this.#rows.addMessage(entry, entryJson, body);
    this.#entries.push(entry);
  }

  /** The entry of a lost message, without its step if there are pieces of it in the journal: settled ones are dropped. */
  #lostEntry(known: HistoryEntry): HistoryEntry {
    return this.#journal.some(({ stepId }) => stepId === known.step) ? omit(known, "step") : known;
  }

  /** Drops the entries of lost messages: a placeholder is not the message that was erased. */
  #addErasure(record: ErasureRecord): void {
    const entries = record.entries.filter((entry) => {
      const old = this.#entries[entry.id];
      return old !== undefined && isSamePlace(entry, old);
    });
    if (entries.length > 0) this.#addRecord(record.kind, { ...record, entries });
  }

  #addRecord(kind: string, record: IndexRecord): void {
    this.#rows.addRecord(this.#kinds.length, kind, record);
    this.#kinds.push(record.kind);
  }

  #fillSummaries(end: number): void {
    if (this.#summaries < end) this.#fillMessages(1); // placeholder summaries cover message 0
    for (; this.#summaries < end; this.#summaries++) {
      this.#summariesLost++;
      this.#summaryNumbers[this.#summaries] = this.#kinds.length;
      this.#addRecord("summary", { kind: "summary", summary: placeholderSummary(this.#summaries) });
    }
  }
}

/** The number of messages that must exist before `record`, which references them by id. */
function messagesNamedBy(record: Exclude<IndexRecord, { kind: "entry" }>): number {
  switch (record.kind) {
    case "visibility":
      return record.range.end;
    case "summary":
      return record.summary.covers.end;
    case "pin":
    case "leftOut":
      return record.id + 1;
    case "receipt":
      return record.receipt.span.end;
    case "erasure":
      return (record.entries.at(-1)?.id ?? -1) + 1;
    case "usage":
      return record.message;
    case "summaryState":
      return 1; // a placeholder summary covers message 0
    default:
      return 0;
  }
}

function placeholderSummary(id: number): Summary {
  return {
    id: summaryId(id),
    covers: { start: messageId(0), end: messageId(1) },
    level: 1,
    kind: "extract",
    content: "[This summary could not be read: the conversation's file was damaged.]",
    tokenCount: PLACEHOLDER_TOKENS,
    originalTokens: PLACEHOLDER_TOKENS,
    createdAtMs: 0,
    generatedBy: "extract",
    sourceHash: "",
    factsKept: 0,
    factsTotal: 0,
    state: "undone",
  };
}

function isOfAnswer(row: JournalRow): boolean {
  return row.eventType === "text" || row.eventType === "thinking";
}

function isLast(eventType: string): boolean {
  return eventType === "done" || eventType === "error";
}
