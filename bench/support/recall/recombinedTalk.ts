/**
 * Talk for any number of conversations: sentences of real messages, recombined, so that words are as frequent as in them,
 * and names as rare as in projects. Deterministic; a message is made when it is asked for.
 */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { scaleText } from "../scale/scaleText.ts";

const MOST_SENTENCES = 4;
/** A message in so many names something, of so many names, the first of them most often. */
const NAMING = 3;
const NAMES = 300_000;
/** A question for a message has some of its words; half of them the name, too. */
const LEAST_ASKED = 3;
const MORE_ASKED = 4;
/** Of the most frequent words. */
const COMMON = 60;
const COMMON_ASKED = 5;
const GENERATED = 4_000;
const WORD = /[\p{L}\p{N}_-]{2,}/gu;

export class RecombinedTalk {
  readonly #sentences: readonly string[];
  readonly #common: readonly string[];

  /** Of the messages in a folder's `*.jsonl`; without them, of generated ones. */
  constructor(folder: string | undefined) {
    const files = folder === undefined ? [] : globSync("*.jsonl", { cwd: folder }).sort();
    const texts =
      folder === undefined || files.length === 0
        ? Array.from({ length: GENERATED }, (_, at) => scaleText(0, at).replaceAll(/((?:\S+ ){12})/g, "$1. "))
        : files.flatMap((file) => textsIn(path.join(folder, file)));
    this.#sentences = texts.flatMap((text) => text.split(/(?<=[.!?])\s+/)).filter((sentence) => sentence !== "");
    this.#common = mostFrequent(this.#sentences);
  }

  message(conversation: number, message: number): string {
    const random = randomFrom(conversation * 1_009 + message * 31 + 7);
    const one = <T>(all: readonly T[]): T | undefined => all[random() % all.length];
    const sentences = Array.from({ length: 1 + (random() % MOST_SENTENCES) }, () => one(this.#sentences) ?? "");
    const name = Math.floor(Math.exp(((random() % 1_000_000) / 1_000_000) * Math.log(NAMES)));
    return random() % NAMING === 0 ? `${sentences.join(" ")} It is in part${name}x.` : sentences.join(" ");
  }

  /** Words of a message, in another order, among them its longest. */
  question(conversation: number, message: number): string {
    const random = randomFrom(conversation * 7 + message * 13 + 1);
    const words = this.message(conversation, message).match(WORD) ?? [];
    const asked = Array.from({ length: LEAST_ASKED + (random() % MORE_ASKED) }, () => words[random() % words.length]);
    const longest = words.reduce((one, other) => (other.length > one.length ? other : one), "");
    return [...asked, longest, ...(random() % 2 === 0 ? words.slice(-1) : [])].join(" ");
  }

  /** Words that are in many messages only. */
  commonQuestion(number: number): string {
    const random = randomFrom(number + 11);
    return Array.from({ length: COMMON_ASKED }, () => this.#common[random() % this.#common.length]).join(" ");
  }
}

function textsIn(file: string): readonly string[] {
  const sets = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly messages: readonly { readonly text: string }[] });
  return sets.flatMap(({ messages }) => messages.map(({ text }) => text));
}

/** Longer than those that a search leaves out. */
function mostFrequent(sentences: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences)
    for (const word of sentence.toLowerCase().match(WORD) ?? [])
      if (word.length > 3) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, COMMON)
    .map(([word]) => word);
}

/** A linear congruential generator (Park and Miller). */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  for (let warm = 0; warm < 3; warm++) state = (state * 48_271) % 2_147_483_647;
  return () => (state = (state * 48_271) % 2_147_483_647);
}
