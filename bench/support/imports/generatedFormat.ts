/** Files of other tools, made up. */

import type { Tally } from "./tally.ts";
import type { GeneratedTurn, Talk, Words } from "./talk.ts";

export interface GeneratedFormat {
  /** Begins the names of figures. */
  readonly name: string;
  readonly file: string;
  /** The file in pieces, until it is full; notes in `tally` what is in them. */
  readonly write: (talk: Talk, tally: Tally, isFull: () => boolean) => Generator<string>;
}

/** Turns until the file is full; the last one is never taken back. */
export function* turnsUntil(isFull: () => boolean, talk: Talk, mostSteps?: number): Generator<GeneratedTurn> {
  while (!isFull()) yield talk.turn(mostSteps);
  yield { ...talk.turn(mostSteps), isTakenBack: false };
}

const DAMAGED_IN_1000 = 2;

/** A line for each record. Among them lines that a power cut left, some of them glued to the next record. */
export function* linesOf(talk: Talk, tally: Tally, records: Iterable<object>): Generator<string> {
  for (const record of records) {
    const line = `${JSON.stringify(record)}\n`;
    if (!talk.chance(DAMAGED_IN_1000)) {
      yield line;
      continue;
    }
    tally.damaged++;
    const lost = JSON.stringify({
      type: "lost",
      timestamp: timeOf(0),
      text: "words that the disk did not get to write",
    });
    yield `${lost.slice(0, -2 - talk.below(20))}${talk.chance(300) ? "" : "\n"}${line}`;
  }
}

/** One list in a document. */
export function* listOf(before: string, items: Iterable<object>, after: string): Generator<string> {
  yield before;
  let isFirst = true;
  for (const item of items) {
    yield `${isFirst ? "" : ","}${JSON.stringify(item)}`;
    isFirst = false;
  }
  yield after;
}

/** True for an item that is damaged, in lists that are whole otherwise. */
export function isDamaged(talk: Talk, tally: Tally): boolean {
  const is = talk.chance(DAMAGED_IN_1000);
  if (is) tally.damaged++;
  return is;
}

export const TURNS_PER_COMPACTION = 6;

/** The summary that the tool wrote after a turn, of all that was said until then; absent after most turns. */
export function compactionAfter({ number, isTakenBack }: GeneratedTurn, talk: Talk, tally: Tally): Words | undefined {
  if (isTakenBack || number % TURNS_PER_COMPACTION !== TURNS_PER_COMPACTION - 1) return undefined;
  const summary = talk.prose(500, 3_000);
  tally.expect(summary, { kind: "summary", isShown: true });
  return summary;
}

export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Notes the parts of a turn that every format has: the question, and messages for its steps and their results. */
export function expectTurn(tally: Tally, { asked, steps, isTakenBack, atMs }: GeneratedTurn, hasTime = true): boolean {
  const isShown = !isTakenBack;
  tally.expect(asked, { kind: "text", isShown, ...(hasTime ? { atMs } : {}) });
  tally.messages += 1 + steps.reduce((sum, { calls }) => sum + (calls.length > 0 ? 2 : 1), 0);
  if (isTakenBack) tally.leaves++;
  return isShown;
}
