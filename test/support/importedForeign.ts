/** Imports documents of other tools, and tells them in a short form. */

import assert from "node:assert/strict";
import { FullHistory } from "../../src/core/history/fullHistory.ts";
import type { ConversationRecord, MessageRecord } from "../../src/core/history/records.ts";
import { foreignRecords, readForeign } from "./documents.ts";

export const IMPORTED_AT_MS = 1_800_000_000_000;

export interface ImportedForeign {
  /** Each message: its role, turn and batch, then its parts. */
  readonly short: readonly (readonly string[])[];
  readonly title: string | undefined;
  readonly messages: readonly MessageRecord[];
  /** Ids of the live branch. */
  readonly shown: readonly number[];
  /** Id of the message before each; -1 for none. */
  readonly parents: readonly number[];
  readonly records: readonly ConversationRecord[];
  readonly history: FullHistory;
}

/** Imports a document: its messages in short form, and its title. Checks that the records form a valid history. */
export function importedForeign(text: string): ImportedForeign {
  const found = readForeign(text);
  assert.ok(found?.ok, JSON.stringify(found));
  const records = foreignRecords(found.value, () => ({ cl100k: 3, o200k: 3 }), IMPORTED_AT_MS);
  const history = new FullHistory();
  for (const record of records) history.apply(record);
  const messages = records.filter((record): record is MessageRecord => record.kind === "message");
  const short = messages.map(({ entry, message }) => [
    `${entry.role} ${entry.turn}${entry.batch === undefined ? "" : ` batch ${entry.batch}`}`,
    ...message.parts.map((part) => {
      switch (part.kind) {
        case "toolCall":
          return `call ${part.callId} ${part.name} ${part.inputJson}`;
        case "toolResult":
          return `result ${part.callId} ${part.outcome} ${part.text}`;
        case "image":
          return `image ${part.mediaType}`;
        case "attachment":
          return `attachment ${part.label}: ${part.text}`;
        default:
          return `${part.kind} ${part.text}`;
      }
    }),
  ]);
  const shown = history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id);
  const parents = history.entries.map(({ id }) => history.branches.parentOf(id) ?? -1);
  return { short, title: history.title?.title, messages, shown, parents, records, history };
}
