/** Rules for consecutive entries of a history. */

import type { HistoryEntry, Part, TokenCounts } from "../message.ts";
import { invariant } from "../result.ts";

/** Throws unless `entry` may follow `entries`: its id is the next one, and tool batches are contiguous. */
export function assertNext(entry: HistoryEntry, entries: readonly HistoryEntry[]): void {
  const { id, turn, batch } = entry;
  invariant(id === entries.length, `message ${id} is number ${entries.length}`);
  invariant(turn <= id && (batch === undefined || batch <= id), `message ${id} belongs to what came before it`);
  invariant(continuesBatch(entry, entries[id - 1]), `message ${id} lies right behind the tool batch ${String(batch)}`);
}

/** Whether `entry` is in no tool batch, begins one, or continues that of `before`. */
export function continuesBatch({ id, batch }: HistoryEntry, before: HistoryEntry | undefined): boolean {
  return batch === undefined || batch === id || before?.batch === batch;
}

/** Throws unless `entry` can be `old` after its content was erased. */
export function assertSamePlace(entry: HistoryEntry, old: HistoryEntry): void {
  invariant(isSamePlace(entry, old), `message ${entry.id} stays where it is when it is erased`);
}

/** Whether `entry` can be the other entry after its content was erased. */
export function isSamePlace(entry: HistoryEntry, { role, turn, batch, step }: HistoryEntry): boolean {
  return role === entry.role && turn === entry.turn && batch === entry.batch && step === entry.step;
}

/** Number of parts; indexed for tool results only. */
export function partCountOf(
  parts: readonly Part[],
  { id, batch }: Pick<HistoryEntry, "id" | "batch">,
): Pick<HistoryEntry, "partCount"> {
  return batch === undefined || batch === id ? {} : { partCount: parts.length };
}

export function tokensOfEntries(entries: readonly HistoryEntry[]): TokenCounts {
  let cl100k = 0;
  let o200k = 0;
  for (const { tokens } of entries) {
    cl100k += tokens.cl100k;
    o200k += tokens.o200k;
  }
  return { cl100k, o200k };
}
