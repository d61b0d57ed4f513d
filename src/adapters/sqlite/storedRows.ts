/** Reads the rows of one open database. */

import type { JournalRow } from "../../core/store/journalRow.ts";
import type { MessageId } from "../../core/ids.ts";
import { DamagedRow, type Engine, type PreparedStatement } from "./engine/engine.ts";
import {
  journalRow,
  knownRecord,
  MESSAGE_LINE,
  messageOfLine,
  messagesOfLines,
  type MessageTexts,
  RECORD_LINE,
  recordsOfLines,
  storedJson,
  storedText,
} from "./rowCodec.ts";
import { countOf } from "./writeStatements.ts";

/** Every member throws when rows are missing or unreadable. */
export class StoredRows {
  readonly #engine: Engine;
  readonly #index: PreparedStatement;
  readonly #message: PreparedStatement;
  #messages: PreparedStatement | undefined;
  #shortMessages: PreparedStatement | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    const page = `SELECT ${RECORD_LINE} FROM record WHERE number >= ? ORDER BY number LIMIT ?`;
    this.#index = engine.prepare(`SELECT group_concat(line, char(10)) AS lines FROM (${page})`);
    this.#message = engine.prepare(`SELECT ${MESSAGE_LINE} FROM message WHERE id = ?`);
  }

  get messageCount(): number {
    return countOf(this.#engine, "message", "id");
  }

  get recordCount(): number {
    return countOf(this.#engine, "record", "number");
  }

  get draft(): string {
    const [row] = this.#engine.all("SELECT content FROM draft");
    return row === undefined ? "" : storedText(row, "content");
  }

  /** Ordered by the start of the step, then by `seq`. */
  get journal(): readonly JournalRow[] {
    const rows = this.#engine.all(
      `SELECT j.* FROM journal j
       JOIN (SELECT step_id, min(created_at) AS began FROM journal GROUP BY step_id) s USING(step_id)
       ORDER BY s.began, j.step_id, j.seq`,
    );
    return rows.map(journalRow);
  }

  /** In the order of `ids`. */
  messagesJson(ids: readonly MessageId[]): readonly string[] {
    const [first, last] = [ids[0], ids.at(-1)];
    const isRange = first !== undefined && last !== undefined && ids.every((id, index) => id === first + index);
    if (!isRange || ids.length === 1) return ids.map((id) => this.messageJson(id));
    this.#messages ??= this.#engine.prepare(`SELECT ${MESSAGE_LINE} FROM message WHERE id BETWEEN ? AND ? ORDER BY id`);
    const rows = this.#messages.all([first, last]);
    if (rows.length !== ids.length) throw new DamagedRow(`messages from ${first} to ${last} are missing`);
    return rows.map((row) => storedJson(messageOfLine(row)));
  }

  messageJson(id: MessageId): string {
    return storedJson(this.#texts(id));
  }

  #texts(id: number): MessageTexts {
    const [row] = this.#message.all([id]);
    if (row === undefined) throw new DamagedRow(`message ${id} is missing`);
    return messageOfLine(row);
  }

  /** Messages from `first` to before `end` whose bodies have at most so many bytes: many for the calls of one. */
  shortMessages(first: number, end: number, mostBytes: number): readonly MessageTexts[] {
    const short = `SELECT ${MESSAGE_LINE} FROM message WHERE id >= ? AND id < ? AND octet_length(body) <= ? ORDER BY id`;
    this.#shortMessages ??= this.#engine.prepare(`SELECT group_concat(line, char(10)) AS lines FROM (${short})`);
    return messagesOfLines(this.#shortMessages.all([first, end, mostBytes])[0]);
  }

  /**
   * Index records as a JSON list. Record numbers have no gaps, so a missing one means that a b-tree page is damaged.
   * `onlyKnown` skips record kinds that a newer Forge added.
   */
  indexJson(from: number, limit: number, onlyKnown: boolean): string {
    const rows = this.#index.all([from, limit]).flatMap(recordsOfLines);
    const isLast = rows.length < limit; // the count costs as much as half a page
    const isWhole =
      (!isLast || rows.length === Math.max(0, this.recordCount - from)) &&
      rows.every((row, index) => row.number === from + index);
    if (!isWhole) throw new DamagedRow(`records from ${from} on are missing`);
    const records = rows.map(({ json }) => json);
    return `[${(onlyKnown ? records.filter((record) => knownRecord(record) !== undefined) : records).join(",")}]`;
  }
}
