/** The question with which a user asks for a planted fact: by its topic and its type, in words of its own. */

import type { FactType } from "../../test/support/texts/talk/factValues.ts";
import type { PlantedFact } from "../../test/support/texts/talk/plantedSession.ts";

const QUESTIONS: Readonly<Record<FactType, (topic: string) => string>> = {
  path: (topic) => `Which file was it for the ${topic}?`,
  url: (topic) => `Where is the ${topic} to be reached?`,
  name: (topic) => `What is the ${topic} called in the code?`,
  id: (topic) => `I need the id of the ${topic}.`,
  number: (topic) => `How much was it for the ${topic}?`,
  version: (topic) => `Which version does the ${topic} need?`,
  commit: (topic) => `In which commit did the ${topic} change?`,
  date: (topic) => `When is the ${topic} due?`,
  command: (topic) => `How do I start the ${topic}?`,
  error: (topic) => `How exactly does the ${topic} fail?`,
  rule: (topic) => `Is there anything to mind with the ${topic}?`,
  decision: (topic) => `Why is the ${topic} as it is?`,
  quote: (topic) => `What are the words in the ${topic}, exactly?`,
};

export function plantedQuestion({ type, topic }: PlantedFact): string {
  return QUESTIONS[type](topic);
}
