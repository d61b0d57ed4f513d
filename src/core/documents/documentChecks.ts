/** Cross-checks between the parts of a saved conversation; faults go to the `DocumentReader`. */

import type { SavedMessage } from "./documentParts.ts";
import type { DocumentReader } from "./documentReader.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { HistoryEntry, Part, ThinkingPart } from "../message.ts";
import type { CompactionReceipt } from "../history/records.ts";
import type { MessageRange, Summary } from "../history/summaries/summary.ts";
import type { SummaryNode } from "../history/summaries/summaryForest.ts";

/** The messages and summaries against which the rest of a document is checked. */
export interface ReadDocument {
  readonly entries: readonly HistoryEntry[];
  readonly summaries: readonly Summary[];
}

/** Ids are contiguous, no message is empty, the turn is its own or an earlier one, the batch its own or its predecessor's, steps are unique. */
export class MessageChecks {
  readonly #read: DocumentReader;
  readonly #steps = new Set<string>();

  constructor(read: DocumentReader) {
    this.#read = read;
  }

  /** `before`: the messages before it. */
  check({ entry, parts }: SavedMessage, before: readonly HistoryEntry[]): void {
    const index = before.length;
    const { id, turn, batch, step, continues } = entry;
    const refuse = (field: string, value: unknown, expected: string): void => {
      this.#read.refuse({ value, path: `document.messages[${String(index)}].${field}` }, expected);
    };
    const isSilent = parts.every((part) => (part.kind === "text" || isBareThinking(part)) && part.text === "");
    if (isSilent) refuse("parts", parts, "text that is not empty");
    const last = before[index - 1];
    if (id !== index) refuse("id", id, String(index));
    if (turn !== index && before[turn]?.turn !== turn) refuse("turn", turn, "its own id or that of an earlier turn");
    if (batch !== undefined && batch !== index && batch !== last?.batch) {
      refuse("batch", batch, "its own id or the batch before it");
    }
    if (continues !== undefined && before[continues]?.role !== "assistant") {
      refuse("continues", continues, "an earlier answer");
    }
    if (step === undefined) return;
    if (this.#steps.has(step)) refuse("step", step, "a step that no other message has");
    this.#steps.add(step);
  }
}

/** A signature without text stands for reasoning that the provider does not disclose. */
function isBareThinking(part: Part): part is ThinkingPart {
  return part.kind === "thinking" && part.signature === undefined;
}

/** More than a conversation of a million messages has, nested summaries included: what is covered is hashed. */
export const MOST_COVERED = 100_000_000;

/** Ids are contiguous, ranges lie within the history and cut no tool batch. */
export function checkSummaries(read: DocumentReader, { entries, summaries }: ReadDocument): void {
  let covered = 0;
  summaries.forEach(({ id, covers }, index) => {
    const path = `document.summaries[${String(index)}]`;
    if (id !== index) read.refuse({ value: id, path: `${path}.id` }, String(index));
    const place = { value: covers, path: `${path}.covers` };
    if (covers.end > entries.length) read.refuse(place, `a range within the ${String(entries.length)} messages`);
    if (cutsBatch(covers, entries)) read.refuse(place, "a range that cuts no tool batch");
    covered += covers.end - covers.start;
    if (covered > MOST_COVERED)
      read.refuse(place, `at most ${String(MOST_COVERED)} messages in all summaries together`);
  });
}

/** Whether a range begins or ends inside a tool batch. */
export function cutsBatch({ start, end }: MessageRange, entries: readonly HistoryEntry[]): boolean {
  return [start, end].some((edge) => {
    const batch = entries[edge]?.batch;
    return batch !== undefined && batch !== edge;
  });
}

/** The `summary` of a message covers it. */
export function checkCovering(
  read: DocumentReader,
  { entry: { id }, summary }: SavedMessage,
  summaries: readonly Summary[],
): void {
  if (summary === undefined) return;
  const covers = summaries[summary]?.covers;
  const isCovered = covers !== undefined && covers.start <= id && id < covers.end;
  const place = { value: summary, path: `document.messages[${String(id)}].summary` };
  if (!isCovered) read.refuse(place, "a summary that covers this message");
}

/** Spans of receipts lie within the history, and their summaries exist. */
export function checkReceipts(
  read: DocumentReader,
  receipts: readonly CompactionReceipt[],
  { entries, summaries }: ReadDocument,
): void {
  receipts.forEach((receipt, index) => {
    const path = `document.receipts[${String(index)}]`;
    const { span } = receipt;
    if (span.end > entries.length) {
      const found = `${String(span.start)} to ${String(span.end)}`;
      read.refuse({ value: found, path: `${path}.span` }, `a range within the ${String(entries.length)} messages`);
    }
    const { notesLater = [] } = receipt;
    for (const [field, ids] of Object.entries({ summaries: receipt.summaries, notesLater })) {
      ids.forEach((id, at) => {
        if (id < summaries.length) return;
        const expected = summaries.length === 0 ? "none, there is no summary" : `0 to ${String(summaries.length - 1)}`;
        read.refuse({ value: id, path: `${path}.${field}[${String(at)}]` }, expected);
      });
    }
  });
}

/** Usable summaries are pairwise nested or disjoint. `history` consists of the records of the document. */
export function checkNesting(read: DocumentReader, history: FullHistory, summaries: readonly Summary[]): void {
  for (const { id, covers, state } of summaries) {
    if (history.summary(id).state === state) continue;
    const place = { value: covers, path: `document.summaries[${String(id)}].covers` };
    read.refuse(place, "a range that does not cut into another active summary");
  }
  const tooDeep = beyondDepth(history.usableSummaries(), MOST_DEPTH);
  if (tooDeep === undefined) return;
  const place = { value: tooDeep.covers, path: `document.summaries[${String(tooDeep.id)}].covers` };
  read.refuse(place, `at most ${String(MOST_DEPTH)} active summaries inside each other`);
}

/** Nesting depth far beyond that of any real conversation. */
export const MOST_DEPTH = 1_000;

/** A summary nested deeper than `depth`; found level by level, as a hostile document may nest to any depth. */
function beyondDepth(roots: readonly SummaryNode[], depth: number): Summary | undefined {
  let level = roots;
  for (let at = 0; at < depth; at++) level = level.flatMap(({ children }) => children);
  return level[0]?.summary;
}
