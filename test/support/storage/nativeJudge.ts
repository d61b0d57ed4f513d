/** Checks a conversation's file by a native SQLite, which shares no code with the store. */

import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface Verdict {
  /** `ok`, or a description of the corruption. */
  readonly integrity: string;
  readonly messages: number;
  readonly records: number;
  readonly draft: string;
  /** Row numbers by step, in order. */
  readonly journal: Readonly<Record<string, readonly number[]>>;
}

/** Checks a copy of the files in `folder`. A file without tables counts as empty and intact. */
export function judge(folder: string): Verdict {
  const copy = mkdtempSync(join(tmpdir(), "forge-judge-"));
  try {
    for (const name of readdirSync(folder)) {
      if (name.startsWith("conversation.sqlite")) cpSync(join(folder, name), join(copy, name));
    }
    return look(join(copy, "conversation.sqlite"));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function look(file: string): Verdict {
  const database = new DatabaseSync(file);
  try {
    const integrity = integrityOf(database);
    const tables = database.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'record'").get()?.["n"];
    if (tables === 0) return { integrity, messages: 0, records: 0, draft: "", journal: {} };
    const count = (table: string): number =>
      Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
    const draft = database.prepare("SELECT content FROM draft").get()?.["content"];
    const journal: Record<string, number[]> = {};
    for (const row of database.prepare("SELECT step_id, seq FROM journal ORDER BY step_id, seq").all()) {
      (journal[String(row["step_id"])] ??= []).push(Number(row["seq"]));
    }
    const text: unknown = typeof draft === "string" ? JSON.parse(draft) : "";
    return { integrity, messages: count("message"), records: count("record"), draft: String(text), journal };
  } finally {
    database.close();
  }
}

/** False positive of this SQLite for an index without texts. The index's pages are still checked. */
const NOT_JUDGED = "unable to validate the inverted index for FTS4 table main.search: SQL logic error";

function integrityOf(database: DatabaseSync): string {
  const found = database.prepare("PRAGMA integrity_check(10)").all();
  const wrong = found.map((row) => String(row["integrity_check"])).filter((words) => words !== NOT_JUDGED);
  return wrong.length === 0 ? "ok" : wrong.join("; ");
}
