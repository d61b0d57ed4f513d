/** Conversations of other tools, imported, in short form. */

import assert from "node:assert/strict";
import { FullHistory } from "../../src/core/history/fullHistory.ts";
import type { ConversationRecord, MessageRecord } from "../../src/core/history/records.ts";
import { foreignRecords, readForeign } from "./documents.ts";

export const NOW = 1_800_000_000_000;

type Counter = Parameters<typeof foreignRecords>[1];

export interface Imported {
  /** Messages in short form. */
  readonly short: readonly (readonly string[])[];
  /** Summaries of the tool: the messages that each stands for, its level and its text. */
  readonly summaries: readonly string[];
  readonly title: string | undefined;
  readonly messages: readonly MessageRecord[];
  /** Ids of the visible messages. */
  readonly shown: readonly number[];
  /** Of each message, -1 for none. */
  readonly parents: readonly number[];
  readonly records: readonly ConversationRecord[];
  readonly history: FullHistory;
}

/** Imports a document: its messages in short form, and its title. Checks that the records form a valid history. */
export function read(text: string, countTokens: Counter = () => ({ cl100k: 3, o200k: 3 })): Imported {
  const found = readForeign(text);
  assert.ok(found?.ok, JSON.stringify(found));
  const records = foreignRecords(found.value, countTokens, NOW);
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
  const summaries = history.summaries.map(({ id, covers, level, content }) => {
    const state = history.isUsable(id) ? "" : ", not in use";
    return `${covers.start} to ${covers.end - 1}, level ${level}${state}: ${content}`;
  });
  return { short, summaries, title: history.title?.title, messages, shown, parents, records, history };
}

export function fault(text: string): readonly string[] {
  const found = readForeign(text);
  assert.ok(found !== undefined && !found.ok);
  return [found.error.field, found.error.found, found.error.expected];
}

export const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");
