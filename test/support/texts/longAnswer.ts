/** Long answers in which nothing is repeated, also no sentence with another number. */

import { sentence } from "./plantedLoops.ts";
import { seededRandom } from "./plantedSecrets.ts";

/** Sentences of plain words, at least `units` UTF-16 units. */
export function longAnswer(units: number, seed = 1): string {
  const random = seededRandom(seed);
  const sentences: string[] = [];
  for (let length = 0; length < units; length += (sentences.at(-1) ?? "").length + 1) sentences.push(sentence(random));
  return sentences.join(" ");
}
