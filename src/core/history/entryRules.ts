/** What holds for the entries of a history, one behind the other. */

import type { HistoryEntry, TokenCounts } from "../message.ts";
import { invariant } from "../result.ts";

/** Throws unless `entry` may follow `entries`: numbered on, and nothing stands between the messages of a tool batch. */
export function demandNext(entry: HistoryEntry, entries: readonly HistoryEntry[]): void {
  const { id, turn, batch } = entry;
  invariant(id === entries.length, `message ${id} is number ${entries.length}`);
  invariant(turn <= id && (batch === undefined || batch <= id), `message ${id} belongs to what came before it`);
  const continuesBatch = batch === undefined || batch === id || entries[id - 1]?.batch === batch;
  invariant(continuesBatch, `message ${id} lies right behind the tool batch ${String(batch)}`);
}

/** Throws unless `entry`, without its content, stays in the place of `old`. */
export function demandSamePlace(entry: HistoryEntry, old: HistoryEntry): void {
  const { role, turn, batch, step } = old;
  const isSame = role === entry.role && turn === entry.turn && batch === entry.batch && step === entry.step;
  invariant(isSame, `message ${entry.id} stays where it is when it is erased`);
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
