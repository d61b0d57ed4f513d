/** Questions and answers of even sizes: sentences of people who work on software, one of them with a planted fact. */

import { textMessage, type Message } from "../../src/core/message.ts";
import { testTokenCounter } from "../../test/support/models/tokenCounter.ts";
import { camel, Dice, kebab, noun, part, topic } from "../../test/support/texts/talk/names.ts";
import type { PlantedTurn } from "../../test/support/texts/talk/plantedSession.ts";

export interface TurnSize {
  readonly questionTokens: number;
  readonly answerTokens: number;
}

/** Generates turns without end; the same seed gives the same. */
export function* evenTalk({ questionTokens, answerTokens }: TurnSize, seed: number): Generator<PlantedTurn, never> {
  const dice = new Dice(seed);
  for (;;) {
    const about = topic(dice);
    const messages: readonly Message[] = [
      textMessage(
        "user",
        filled([`How does the ${about} work?`], () => asked(about, dice), questionTokens),
      ),
      textMessage(
        "assistant",
        filled([`On the ${about}:`], () => told(about, dice), answerTokens),
      ),
    ];
    yield { messages, facts: [], asides: [] };
  }
}

/** As many sentences as fit into `mostTokens`. */
function filled(first: readonly string[], sentence: () => string, mostTokens: number): string {
  const counter = testTokenCounter();
  let text = first.join(" ");
  for (;;) {
    const longer = `${text}\n${sentence()}`;
    if (counter.countText(longer, "o200k") > mostTokens) return text;
    text = longer;
  }
}

function asked(about: string, dice: Dice): string {
  return dice.of([
    `It fails in ${kebab(dice)} since yesterday.`,
    `Could the ${noun(dice)} be the reason, or is it ${camel(dice)}?`,
    `Look at src/${part(dice)}/${kebab(dice)}.ts, please.`,
    `We changed the ${noun(dice)} there last week.`,
    `The customer waits for the ${about}.`,
  ]);
}

function told(about: string, dice: Dice): string {
  return dice.of([
    `The ${about} is done by ${camel(dice)} in src/${part(dice)}/${kebab(dice)}.ts.`,
    `It failed because ${camel(dice)} ran before the ${noun(dice)} was ready.`,
    `I decided to keep the ${noun(dice)} as it is, since ${camel(dice)} reads it, too.`,
    `After that, the ${noun(dice)} takes ${String(dice.between(3, 900))} ms.`,
    `You can check it with \`npm run ${kebab(dice)}\`.`,
    `Nothing else uses the ${noun(dice)} any more, so that part can go.`,
    `The ${noun(dice)} and the ${noun(dice)} were mixed up there, which is why it looked right at first.`,
  ]);
}
