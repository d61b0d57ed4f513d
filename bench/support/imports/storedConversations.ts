/** Conversations that an import stored, read from the files themselves. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { importReportOf } from "../../../src/core/documents/foreign/importReport.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { IndexRecord } from "../../../src/core/history/records.ts";
import type { HistoryEntry, Message } from "../../../src/core/message.ts";

export interface StoredConversation {
  readonly history: FullHistory;
  readonly damaged: number;
  readonly usage: { readonly count: number; readonly inputTokens: number; readonly outputTokens: number };
  /** One after the other. */
  readonly messages: () => Iterable<{ readonly entry: HistoryEntry; readonly message: Message }>;
}

/** The conversations in `root`, each open only until the next. */
export function* storedConversations(root: string): Generator<StoredConversation> {
  for (const name of readdirSync(root)) {
    const database = new DatabaseSync(join(root, name, "conversation.sqlite"), { readOnly: true });
    try {
      yield conversationIn(database);
    } finally {
      database.close();
    }
  }
}

function conversationIn(database: DatabaseSync): StoredConversation {
  const history = new FullHistory();
  const usage = { count: 0, inputTokens: 0, outputTokens: 0 };
  for (const { body } of database.prepare("SELECT body FROM record ORDER BY number").iterate()) {
    const record = JSON.parse(String(body)) as IndexRecord;
    history.apply(record);
    if (record.kind !== "usage") continue;
    usage.count++;
    usage.inputTokens += record.inputTokens;
    usage.outputTokens += record.outputTokens;
  }
  return { history, damaged: importReportOf(history)?.count ?? 0, usage, messages: () => messagesIn(database) };
}

function* messagesIn(database: DatabaseSync): Generator<{ readonly entry: HistoryEntry; readonly message: Message }> {
  for (const { entry, body } of database.prepare("SELECT entry, body FROM message ORDER BY id").iterate())
    yield { entry: JSON.parse(String(entry)) as HistoryEntry, message: JSON.parse(String(body)) as Message };
}
