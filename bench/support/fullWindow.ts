/** The wait of a user who orders a summary of a full window, in virtual time: only the model takes any. */

import { temperament } from "../../test/support/session/temperaments.ts";
import { evenTalk } from "./evenTalk.ts";
import { offeredOverhead } from "./offeredTools.ts";
import { TimedSession } from "./timedSession.ts";

const WINDOW = { contextWindow: 200_000, maxOutput: 64_000, summarizerWindow: 200_000 };
const PACE = { firstTokenMs: 800, tokensPerSecond: 60 };
const SIZE = { questionTokens: 200, answerTokens: 1_800 };
const SEED = 7;
/** Of the budget, at which the user orders. */
const FULL_PERCENT = 98;

/** `fullWindowMs`: until the next request can be sent; `fullWindowNotesMs`: until all notes are written and used. */
export async function fullWindowFigures(): Promise<Readonly<Record<string, number>>> {
  const session = new TimedSession({
    ...WINDOW,
    policy: "pipeline",
    script: temperament("good", SEED),
    isSlow: false,
    pace: PACE,
    overhead: await offeredOverhead(WINDOW.contextWindow),
  });
  const { talk } = session;
  const turns = evenTalk(SIZE, SEED);
  while (talk.manager.usage().usedTokens * 100 < talk.manager.budgetTokens * FULL_PERCENT) {
    for (const message of turns.next().value.messages) await talk.add(message);
  }
  const { usedTokens: before } = talk.manager.usage();
  const { readyMs, notesMs } = await session.order();
  const { usedTokens: after } = talk.manager.usage();
  const made = session.compactions.map(({ receipt: { model, calls } }) => `${model} (${String(calls)} calls)`);
  console.log(
    `full window: ${String(before)} → ${String(after)} tokens, ready after ${String(Math.round(readyMs))} ms, ` +
      `notes after ${String(Math.round(notesMs))} ms, by ${made.join(", ")}`,
  );
  await session.settle();
  return { fullWindowMs: Math.round(readyMs), fullWindowNotesMs: Math.round(notesMs) };
}
