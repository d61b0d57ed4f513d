/** What holds for the entries of a history, one behind the other. */

import type { HistoryEntry, Part, TokenCounts } from "../message.ts";
import { invariant } from "../result.ts";

/** Throws unless `entry` may follow `entries`: numbered on, and nothing stands between the messages of a tool batch. */
export function demandNext(entry: HistoryEntry, entries: readonly HistoryEntry[]): void {
  const { id, turn, batch } = entry;
  invariant(id === entries.length, `message ${id} is number ${entries.length}`);
  invariant(turn <= id && (batch === undefined || batch <= id), `message ${id} belongs to what came before it`);
  invariant(continuesBatch(entry, entries[id - 1]), `message ${id} lies right behind the tool batch ${String(batch)}`);
}

/** Whether `entry` is in no tool batch, begins one, or goes on with that of `before`. */
export function continuesBatch({ id, batch }: HistoryEntry, before: HistoryEntry | undefined): boolean {
  return batch === undefined || batch === id || before?.batch === batch;
}

/** Throws unless `entry`, without its content, stays in the place of `old`. */
export function demandSamePlace(entry: HistoryEntry, old: HistoryEntry): void {
  invariant(isSamePlace(entry, old), `message ${entry.id} stays where it is when it is erased`);
}

/** Whether `entry` can be `old` without its content. */
export function isSamePlace(entry: HistoryEntry, { role, turn, batch, step }: HistoryEntry): boolean {
  return role === entry.role && turn === entry.turn && batch === entry.batch && step === entry.step;
}

/** The number of parts as the index knows it: of results of tools alone. */
export function partCountOf(
  parts: readonly Part[],
  { id, batch }: Pick<HistoryEntry, "id" | "batch">,
): Pick<HistoryEntry, "partCount"> {
  return batch === undefined || batch === id ? {} : { partCount: parts.length };
}

/** Tokens of all of them. */
export function tokensOfEntries(entries: readonly HistoryEntry[]): TokenCounts {
  let cl100k = 0;
  let o200k = 0;
  for (const { tokens } of entries) {
    cl100k += tokens.cl100k;
    o200k += tokens.o200k;
  }
  return { cl100k, o200k };
}
