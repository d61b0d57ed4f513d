/**
 * Writes salvaged rows into a new database. Messages and summaries keep their ids: a placeholder replaces each lost
 * one, so every reference by id stays valid. The result can always be replayed: a record that would contradict a
 * placeholder is adjusted to it.
 */

import { isSamePlace } from "../../../core/history/entryRules.ts";
import type { ErasureRecord, IndexRecord } from "../../../core/history/records.ts";
import type { Summary } from "../../../core/history/summaries/summary.ts";
import { messageId, summaryId, type MessageId } from "../../../core/ids.ts";
import { textMessage, type HistoryEntry } from "../../../core/message.ts";
import type { Engine, PreparedStatement } from "../engine/engine.ts";
import type { JournalRow } from "../../../core/store/journalRow.ts";
import type { KnownContent } from "../knownContent.ts";
import { checksum, parseIndexPage, recordChecksum } from "../rowCodec.ts";
import { WriteStatements } from "../writeStatements.ts";
import { adjustedEntry, placeholderEntry, PLACEHOLDER_TOKENS } from "./placeholderEntries.ts";
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
  engine.exec("BEGIN IMMEDIATE");
  const writer = new Rebuilder(engine, found);
  for (const [, body] of [...found.records].sort(([a], [b]) => a - b)) {
    for (const record of parseIndexPage(`[${body}]`)) writer.add(record);
  }
  writer.fillMessages(Math.max(-1, ...found.messageIds) + 1);
  writer.addJournal();
  engine.exec("COMMIT");
  return writer.result;
}

class Rebuilder {
  readonly #found: Salvage;
  readonly #engine: Engine;
  readonly #insertRecord: PreparedStatement;
  readonly #insertMessage: PreparedStatement;
  readonly #messagesLost: MessageId[] = [];
  readonly #entries: HistoryEntry[] = [];
  #records = 0;
  #summaries = 0;
  #summariesLost = 0;
  #answersInJournal = 0;

  constructor(engine: Engine, found: Salvage) {
    this.#engine = engine;
    this.#found = found;
    this.#insertRecord = engine.prepare("INSERT INTO record(number, kind, body, checksum) VALUES(?, ?, ?, ?)");
    this.#insertMessage = engine.prepare("INSERT INTO message(id, step, entry, body, checksum) VALUES(?, ?, ?, ?, ?)");
  }

  get result(): Rebuilt {
    const messagesRecovered = this.#entries.length - this.#messagesLost.length;
    const stored = { messages: this.#entries.length, records: this.#records };
    return {
      messagesRecovered,
      messagesLost: this.#messagesLost,
      summariesLost: this.#summariesLost,
      answersInJournal: this.#answersInJournal,
      stored,
    };
  }

  /** Adds a record; messages and summaries that it references and that are still missing are added first. */
  add(record: IndexRecord): void {
    if (record.kind === "entry") {
      // Two copies under different record numbers can only come from an interrupted rescue.
      if (record.entry.id < this.#entries.length) return;
      this.fillMessages(record.entry.id, record.entry);
      this.#addMessage(record.entry);
      return;
    }
    if (record.kind === "segment") return; // its records may have other numbers here
    this.fillMessages(messagesNamedBy(record));
    if (record.kind === "summary") this.#fillSummaries(record.summary.id);
    if (record.kind === "summaryState") this.#fillSummaries(record.id + 1);
    if (record.kind === "receipt") this.#fillSummaries(Math.max(-1, ...record.receipt.summaries) + 1);
    if (record.kind === "summary" && record.summary.id < this.#summaries) return; // duplicate, as above
    // The excluded attachment is lost with its message; the placeholder has no attachments.
    if (record.kind === "leftOut" && this.#messagesLost.includes(record.id)) return;
    if (record.kind === "summary") this.#summaries++;
    if (record.kind === "erasure") this.#addErasure(record);
    else this.#addRecord(record.kind, record);
  }

  /** Adds all messages before `end`, as placeholders if lost; `behind` is the entry with id `end`, if known. */
  fillMessages(end: number, endEntry?: HistoryEntry): void {
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
  addJournal(): void {
    const statements = new WriteStatements(this.#engine);
    const next = new Map<string, number>();
    const ended = new Map<string, number>();
    const rows = this.#found.journal.toSorted((a, b) => a.seq - b.seq);
    this.#answersInJournal = new Set(rows.filter(isOfAnswer).map(({ stepId }) => stepId)).size;
    for (const row of rows) {
      const seq = next.get(row.stepId) ?? 0;
      next.set(row.stepId, seq + 1);
      // A row after the final row of a step can only be a remnant of an earlier use of the page.
      const isBehindEnd = (ended.get(row.stepId) ?? Infinity) < row.seq;
      if (!isBehindEnd) statements.apply({ kind: "journalRow", row: { ...row, seq } });
      if (isLast(row.eventType) && !ended.has(row.stepId)) ended.set(row.stepId, row.seq);
    }
    if (this.#found.draft !== "") statements.apply({ kind: "draft", text: this.#found.draft });
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
    const entry = adjustedEntry(known, this.#entries);
    const stored = this.#found.readMessage(entry.id);
    if (stored === undefined) this.#messagesLost.push(entry.id);
    const entryJson = stored !== undefined && entry === known ? stored.entry : JSON.stringify(entry);
    const body = stored?.body ?? JSON.stringify(textMessage(entry.role, LOST_TEXT));
    this.#addRecord("message", { kind: "entry", entry });
    const sum = checksum(entryJson, body);
    this.#insertMessage.run([entry.id, entry.step ?? null, entryJson, body, sum]);
    this.#entries.push(entry);
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
    const body = JSON.stringify(record);
    const number = this.#records++;
    this.#insertRecord.run([number, kind, body, recordChecksum(number, body)]);
    // Several small transactions are safe: after a crash the rescue starts over.
    if (number % RECORDS_PER_COMMIT === 0) this.#engine.exec("COMMIT; BEGIN IMMEDIATE");
  }

  #fillSummaries(end: number): void {
    if (this.#summaries < end) this.fillMessages(1); // placeholder summaries cover message 0
    for (; this.#summaries < end; this.#summaries++) {
      this.#summariesLost++;
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
