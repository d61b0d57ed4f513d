/**
 * What is looked for in a request on a recorded conversation: the user's own words, the names in use, errors, decisions.
 * Shares no code with the summaries.
 */

import { statedFacts, type StatedFact } from "../../../scripts/real/statedFacts.ts";
import type { Message } from "../../../src/core/message.ts";
import { testTokenCounter } from "../../../test/support/models/tokenCounter.ts";
import type { RecordedMessage } from "./transcripts.ts";

/** Classes of facts; the first five have figures to reach. */
export const CLASSES = [
  "userWords",
  "namesInUse",
  "firstWhole",
  "task",
  "lastFive",
  "userFacts",
  "identifiers",
  "paths",
  "errors",
  "decisions",
] as const;
export type FactClass = (typeof CLASSES)[number];

export type Wanted = Readonly<Record<FactClass, readonly string[]>>;

/** Fewer mentions, unless in the last messages, do not make a name one in use. */
const MENTIONS_IN_USE = 3;
const LAST_MESSAGES = 10;
const LAST_USER_MESSAGES = 5;

/** Collects facts message by message. */
export class WantedFacts {
  readonly #own: { readonly text: string; readonly tokens: number }[] = [];
  readonly #messages: (readonly StatedFact[])[] = [];
  readonly #mentions = new Map<string, { readonly kind: StatedFact["kind"]; count: number }>();
  readonly #errors = new Set<string>();
  readonly #decisions = new Set<string>();

  add({ message, own }: RecordedMessage): void {
    if (own !== "") this.#own.push({ text: own, tokens: testTokenCounter().countText(own, "cl100k") });
    const text = spokenText(message);
    const facts = statedFacts(text);
    this.#messages.push(facts);
    for (const { kind, text: stated } of facts) {
      if (kind !== "path" && kind !== "name" && kind !== "url") continue;
      const known = this.#mentions.get(stated) ?? { kind, count: 0 };
      known.count += text.split(stated).length - 1;
      this.#mentions.set(stated, known);
    }
    for (const line of errorLines(message)) this.#errors.add(line);
    if (message.role === "assistant") for (const sentence of decisionsOf(text)) this.#decisions.add(sentence);
  }

  /** Names, paths and addresses in the messages from a place in the order on. */
  namesSince(index: number): readonly string[] {
    return distinct(
      this.#messages
        .slice(index)
        .flat()
        .flatMap(({ kind, text }) => (isName(kind) ? [text] : [])),
    );
  }

  wanted(budgetTokens: number): Wanted {
    const own = this.#own.map(({ text }) => text);
    const [first = ""] = own;
    const recentNames = this.namesSince(-LAST_MESSAGES);
    const used = [...this.#mentions].flatMap(([text, { count }]) => (count >= MENTIONS_IN_USE ? [text] : []));
    const all = (wanted: StatedFact["kind"]): readonly string[] =>
      [...this.#mentions].flatMap(([text, { kind }]) => (kind === wanted ? [text] : []));
    return {
      userWords: distinct(this.#newestWords(Math.floor(budgetTokens / 4))),
      namesInUse: distinct([...used, ...recentNames]),
      firstWhole: [first],
      task: sentencesOf(first).filter(isOrder),
      lastFive: distinct(own.slice(-LAST_USER_MESSAGES).flatMap(sentencesOf)),
      userFacts: distinct(statedFacts(own.join("\n")).map(({ text }) => text)),
      identifiers: all("name"),
      paths: all("path"),
      errors: [...this.#errors],
      decisions: [...this.#decisions],
    };
  }

  #newestWords(mostTokens: number): readonly string[] {
    let left = mostTokens;
    const words: string[] = [];
    for (const { text, tokens } of this.#own.toReversed()) {
      if (tokens <= left) words.push(...sentencesOf(text));
      else {
        for (const sentence of sentencesOf(text).toReversed()) {
          left -= testTokenCounter().countText(sentence, "cl100k");
          if (left < 0) break;
          words.push(sentence);
        }
        break;
      }
      left -= tokens;
    }
    return words;
  }
}

/** Number of the facts that a request states. */
export function statedIn(prompt: string, facts: readonly string[]): number {
  return facts.filter((fact) => prompt.includes(flat(fact))).length;
}

/** With single blanks, as prompts are searched. */
export function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function isName(kind: StatedFact["kind"]): boolean {
  return kind === "path" || kind === "name" || kind === "url";
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function spokenText({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.kind === "toolCall") return part.inputJson.replaceAll(/\\[nt"]/g, " ");
      return part.kind === "image" || part.kind === "thinking" ? "" : part.text;
    })
    .join("\n");
}

/** Sentences of each line; pieces without a letter are none. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => line.split(/(?<=[.!?])\s+|(?<=[。！？])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 1 && /\p{L}/u.test(sentence));
}

const ORDER =
  /(?<!\p{L})(?:must|should|never|always|don['’]?t|do not|please|need|want|make|use|ensure|keep|only|bitte|muss|soll|nie|immer|deve|não|sempre|use|dois|doit|jamais|toujours|faut|ne)(?![\p{L}\p{N}])|ください|ましょう|します/iu;

function isOrder(sentence: string): boolean {
  return sentence.length <= 300 && ORDER.test(sentence);
}

const ERROR = /\b(?:[A-Za-z]*(?:Error|Exception)\b|error(?: TS\d+)?:|fatal:|FAILED|panic:|ERR!)/;
const LONGEST_ERROR = 200;

function errorLines({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind !== "toolResult") return [];
    const lines = part.text.split("\n").map((line) => line.trim());
    return lines.filter((line) => line.length >= 12 && line.length <= LONGEST_ERROR && ERROR.test(line));
  });
}

const DECISION =
  /\b(?:decided|the (?:root )?cause (?:is|was)|instead of|because|turned out|won't work|fixed by|switch(?:ed|ing)? to)\b/i;

function decisionsOf(text: string): readonly string[] {
  return sentencesOf(text).filter(
    (sentence) =>
      sentence.length >= 30 && sentence.length <= 240 && DECISION.test(sentence) && !/[{};]$/.test(sentence),
  );
}
