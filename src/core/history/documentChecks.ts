/** What must hold between the pieces of a saved conversation. */

import type { SavedMessage } from "./documentParts.ts";
import type { DocumentReader } from "./documentReader.ts";
import { FullHistory } from "./fullHistory.ts";
import type { ConversationRecord } from "./records.ts";
import type { Summary } from "./summary.ts";

/** Messages and summaries as they were read. */
export interface ReadDocument {
  readonly messages: readonly SavedMessage[];
  readonly summaries: readonly Summary[];
}

/** Ids without a gap, turns and batches that belong to what came before, steps only once. */
export function checkMessages(read: DocumentReader, { messages }: ReadDocument): void {
  if (messages.length === 0) read.refuse({ value: [], path: "document.messages" }, "one message or more");
  const steps = new Set<string>();
  messages.forEach(({ entry }, index) => {
    const { id, turn, batch, step } = entry;
    const refuse = (field: string, value: unknown, expected: string): void => {
      read.refuse({ value, path: `document.messages[${String(index)}].${field}` }, expected);
    };
    const before = messages[index - 1]?.entry;
    if (id !== index) refuse("id", id, String(index));
    if (turn !== index && turn !== (before?.turn ?? 0)) refuse("turn", turn, "its own id or the turn before it");
    if (batch !== undefined && batch !== index && batch !== before?.batch) {
      refuse("batch", batch, "its own id or the batch before it");
    }
    if (step !== undefined && steps.has(step)) refuse("step", step, "a step that no other message has");
    if (step !== undefined) steps.add(step);
  });
}

/** Ids without a gap, ranges within the history that cut no tool batch. */
export function checkSummaries(read: DocumentReader, { messages, summaries }: ReadDocument): void {
  summaries.forEach(({ id, covers }, index) => {
    const path = `document.summaries[${String(index)}]`;
    if (id !== index) read.refuse({ value: id, path: `${path}.id` }, String(index));
    const place = { value: covers, path: `${path}.covers` };
    if (covers.end > messages.length) read.refuse(place, `a range within the ${String(messages.length)} messages`);
    const cutsBatch = [covers.start, covers.end].some((edge) => {
      const batch = messages[edge]?.entry.batch;
      return batch !== undefined && batch !== edge;
    });
    if (cutsBatch) read.refuse(place, "a range that cuts no tool batch");
  });
}

/** A message that stands in a summary names one that covers it. */
export function checkCovering(read: DocumentReader, { messages, summaries }: ReadDocument): void {
  messages.forEach(({ summary }, index) => {
    if (summary === undefined) return;
    const covers = summaries[summary]?.covers;
    const isCovered = covers !== undefined && covers.start <= index && index < covers.end;
    const place = { value: summary, path: `document.messages[${String(index)}].summary` };
    if (!isCovered) read.refuse(place, "a summary that covers this message");
  });
}

/** Of the summaries that may be used, any two are nested or disjoint. Asked of records that are right in all else. */
export function checkNesting(
  read: DocumentReader,
  records: readonly ConversationRecord[],
  document: ReadDocument,
): void {
  const history = new FullHistory();
  for (const record of records) history.apply(record);
  for (const { id, covers, state } of document.summaries) {
    if (history.summary(id).state === state) continue;
    const place = { value: covers, path: `document.summaries[${String(id)}].covers` };
    read.refuse(place, "a range that does not cut into another active summary");
  }
}
