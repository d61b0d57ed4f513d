/**
 * What summaries cost where windows are small: 300 turns of 100 and 300 tokens with tools on, in the windows of local
 * models, which write their own summaries; once a model that keeps to the length, and once one that never does.
 */

import { temperament } from "../../test/support/session/temperaments.ts";
import type { PlantedTurn } from "../../test/support/texts/talk/plantedSession.ts";
import type { Script } from "../../test/support/models/scriptedModel.ts";
import { evenTalk } from "./evenTalk.ts";
import { offeredOverhead } from "./offeredTools.ts";
import { TimedSession } from "./timedSession.ts";

const TURNS = 300;
const SIZE = { questionTokens: 100, answerTokens: 300 };
const SEED = 7;
/** The output limit is what is reserved where a server tells none: a quarter. */
const WINDOWS = [8_192, 16_384] as const;

export async function smallWindowFigures(): Promise<Readonly<Record<string, number>>> {
  const figures: Record<string, number> = {};
  const talk = evenTalk(SIZE, SEED);
  const turns = Array.from({ length: TURNS }, () => talk.next().value);
  for (const contextWindow of WINDOWS) {
    for (const [suffix, script] of [
      ["", temperament("good", SEED)],
      ["TooLong", neverShort(temperament("good", SEED))],
    ] as const) {
      const size = `${String(Math.floor(contextWindow / 1_000))}k${suffix}`;
      const { summaries, answers, compactions } = await sessionIn(contextWindow, script, turns);
      figures[`callsPerMessage${size}`] = rounded(summaries.calls / TURNS);
      figures[`summaryInputShare${size}`] = rounded(summaries.inputTokens / answers.inputTokens);
      figures[`summaryOutputShare${size}`] = rounded(summaries.outputTokens / answers.outputTokens);
      const made = compactions.map(({ receipt }) => receipt);
      const extracts = made.filter(({ model }) => model === "extract").length;
      console.log(
        `${size.padEnd(10)} ${String(made.length)} compactions, ${String(summaries.calls)} calls, ` +
          `${String(extracts)} by no model, ${String(compactions.filter(({ userWaited }) => userWaited).length)} waited for`,
      );
    }
  }
  return figures;
}

async function sessionIn(contextWindow: number, script: Script, turns: readonly PlantedTurn[]): Promise<TimedSession> {
  const session = new TimedSession({
    policy: "pipeline",
    contextWindow,
    maxOutput: Math.floor(contextWindow / 4),
    summarizerWindow: contextWindow,
    script,
    isSlow: false,
    overhead: await offeredOverhead(contextWindow),
  });
  for (const turn of turns) await session.turn(turn);
  await session.settle();
  return session;
}

const LENGTH_FACTOR = 2.5;
const FEWEST_WORDS = 300;

/** The same model, but longer than asked for however little is. */
function neverShort(script: Script): Script {
  const longer = (text: string): string =>
    text.replaceAll(/at most (\d+) words/gi, (_, words: string) => {
      return `At most ${String(Math.max(FEWEST_WORDS, Math.ceil(Number(words) * LENGTH_FACTOR)))} words`;
    });
  return (asked, index) =>
    script(
      {
        ...asked,
        system: longer(asked.system),
        prompt: asked.prompt.replaceAll(/^# Stretch .*$/gm, (heading) => longer(heading).replace("At most", "at most")),
      },
      index,
    );
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
