/** Messages for many conversations, with words as frequent as in a language (Zipf). Deterministic. */

const VOCABULARY = 30_000;
const LEAST_WORDS = 20;
const MORE_WORDS = 120;
const SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi xo zu kra ste plo gri mun".split(" ");
/** In a tenth of the messages. */
export const COMMON_WORD = "deployment";

/** In one message only. */
export function rareWord(conversation: number, message: number): string {
  return `n${conversation}q${message}z`;
}

export function scaleText(conversation: number, message: number): string {
  const random = randomFrom(conversation * 1_009 + message * 31 + 7);
  const words = Array.from({ length: LEAST_WORDS + (random() % MORE_WORDS) }, () => wordOf(rank(random)));
  if (random() % 10 === 0) words.push(COMMON_WORD);
  return `${words.join(" ")} ${rareWord(conversation, message)}.`;
}

/** Each rank as often as one through it. */
function rank(random: () => number): number {
  const share = (random() % 1_000_000) / 1_000_000;
  return Math.floor(Math.exp(share * Math.log(VOCABULARY)));
}

function wordOf(number: number): string {
  let word = "";
  for (let rest = number; rest > 0 || word === ""; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? "";
  }
  return word;
}

/** A linear congruential generator (Park and Miller). */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647);
}
