/** Prepared INSERT and DELETE statements for store writes. The caller owns the transaction. */

import { assertNever } from "../../core/result.ts";
import type { ConversationRecord } from "../../core/history/records.ts";
import type { JournalRow } from "../../core/store/journalRow.ts";
import type { StoreWrite } from "../../core/store/conversationStore.ts";
import { numberColumn, type Engine, type PreparedStatement } from "./engine/engine.ts";
import { checksum, indexPart, recordChecksum } from "./rowCodec.ts";
import { noteSegment } from "./schema.ts";

export class WriteStatements {
  readonly #engine: Engine;
  readonly #record: PreparedStatement;
  readonly #message: PreparedStatement;
  readonly #row: PreparedStatement;
  readonly #drop: PreparedStatement;
  readonly #draft: PreparedStatement;
  #recordCount: number | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#record = engine.prepare("INSERT INTO record(number, kind, body, checksum) VALUES(?, ?, ?, ?)");
    this.#message = engine.prepare("INSERT INTO message(id, step, entry, body, checksum) VALUES(?, ?, ?, ?, ?)");
    this.#row = engine.prepare(
      "INSERT INTO journal(step_id, seq, event_type, content, created_at, sealed) VALUES(?, ?, ?, ?, ?, ?)",
    );
    this.#drop = engine.prepare("DELETE FROM journal WHERE step_id = ?");
    this.#draft = engine.prepare("INSERT OR REPLACE INTO draft(id, content) VALUES(0, ?)");
  }

  apply(write: StoreWrite): void {
    switch (write.kind) {
      case "record":
        this.#addRecord(write.record);
        return;
      case "journalRow":
        this.#addRow(write.row);
        return;
      case "journalDrop":
        this.#drop.run([write.stepId]);
        return;
      case "draft":
        this.#draft.run([JSON.stringify(write.text)]);
        return;
      default:
        assertNever(write);
    }
  }

  /** Call after a rollback: counted rows may not exist. */
  forgetCounts(): void {
    this.#recordCount = undefined;
  }

  #addRecord(record: ConversationRecord): void {
    this.#recordCount ??= countOf(this.#engine, "record", "number");
    if (record.kind === "segment") noteSegment(this.#engine);
    const body = JSON.stringify(indexPart(record));
    const number = this.#recordCount++;
    this.#record.run([number, record.kind, body, recordChecksum(number, body)]);
    if (record.kind !== "message") return;
    const entry = JSON.stringify(record.entry);
    const message = JSON.stringify(record.message);
    this.#message.run([record.entry.id, record.entry.step ?? null, entry, message, checksum(entry, message)]);
  }

  #addRow({ stepId, seq, eventType, content, createdAtMs }: JournalRow): void {
    const isLast = eventType === "done" || eventType === "error";
    this.#row.run([stepId, seq, eventType, JSON.stringify(content), createdAtMs, isLast ? 1 : 0]);
  }
}

/** Row count of a table whose keys are 0, 1, 2, …; reads only the highest key. */
export function countOf(engine: Engine, table: "record" | "message", key: "number" | "id"): number {
  return numberColumn(engine.all(`SELECT ifnull(max(${key}) + 1, 0) AS count FROM ${table}`)[0], "count");
}
