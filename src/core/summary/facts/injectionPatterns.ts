/**
 * Prevents prompt injection through summaries: instructions in tool results and files must not become the user's
 * instructions when a summary repeats them.
 */

import { CheckedText, normalize } from "./factCheck.ts";
import { isLedgerHeading } from "./ledger.ts";
import { sentencesOf } from "./lines.ts";
import type { Origin, ReadSource } from "../write/source.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";

/** Replaces a line that would pass on an instruction from data. */
export const LEFT_OUT = "(An instruction that stands in a tool result or file was left out; it is not the user's.)";

/** Phrases by which text tries to instruct its reader. */
const INSTRUCTION = new RegExp(
  [
    String.raw`\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|prompts?|rules?|previous|above|prior|earlier|directions?|polic(?:y|ies))\b`,
    String.raw`\b(?:you|assistant|agent|ai|model)\b,?\s(?:must|should|shall|need to|have to|are to|are required to|will)\b`,
    String.raw`\b(?:new|updated|system|important|critical|hidden|special|urgent) (?:system )?(?:instructions?|prompts?|directives?|orders?|rules?)\b`,
    String.raw`\b(?:do not|don['’]t|never) (?:tell|mention|inform|ask|reveal|warn)\b`,
    String.raw`\b(?:from now on|without (?:asking|telling|confirmation)|exfiltrate|on behalf of the user)\b`,
    String.raw`\b(?:send|post|upload|forward|email|leak)\b.{0,80}\b(?:to|at)\b.{0,20}(?:https?:|@|\bserver\b|\bme\b)`,
    String.raw`\b(?:the )?user (?:wants|asks|asked|demands|requires|authorized|approved|said)\b`,
    String.raw`\b(?:please )?(?:run|execute|delete|remove|install|download)\b.{0,60}\b(?:immediately|now|first|rm -rf|curl|sudo)\b`,
  ].join("|"),
  "i",
);

/** Phrases that try to take over their reader; no legitimate notes contain them. */
const TAKEOVER = new RegExp(
  [
    String.raw`\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:all|any|previous|prior|above|earlier|your|these)\b.{0,30}\b(?:instructions?|prompts?|directions?)\b`,
    String.raw`\b(?:send|post|upload|forward|email|leak|delete)\b.{0,120}\bwithout (?:asking|telling|confirmation)\b`,
    String.raw`\bexfiltrate\b`,
  ].join("|"),
  "i",
);

/** Consecutive words that tell a copied instruction from a coincidence. */
const WINDOW_WORDS = 5;

/** The texts of a span, by whether they may speak for the user. */
export interface SourceTexts {
  /** The user, and earlier summaries. */
  readonly trusted: CheckedText;
  readonly data: CheckedText;
}

export function* sourceTextsOf(sources: readonly ReadSource[]): CooperativeTask<SourceTexts> {
  const textsOf = (isWanted: (origin: Origin) => boolean): readonly string[] =>
    sources.flatMap(({ passages }) => passages.filter(({ origin }) => isWanted(origin)).map(({ text }) => text));
  return {
    trusted: yield* CheckedText.of(textsOf((origin) => origin === "user" || origin === "summary")),
    data: yield* CheckedText.of(textsOf((origin) => origin === "tool")),
  };
}

/**
 * Removes instructions that come from data alone. Those that would take over the reader are also removed when they come
 * from nobody: data may have been summarized before, and models remember it. Headings of ledger sections are defused,
 * because only the program may write those.
 */
export function* withoutInjections(notes: string, voices: SourceTexts): CooperativeTask<string> {
  const lines: string[] = [];
  for (const line of withoutLedgerHeadings(notes).split("\n")) {
    lines.push(relaysInstruction(line, voices) ? LEFT_OUT : line);
    yield;
  }
  return lines.join("\n");
}

function withoutLedgerHeadings(notes: string): string {
  const lines = notes.split("\n").map((line) => line.trim());
  return lines.map((line) => (isLedgerHeading(line) ? `${line.slice(3)} (as the notes have it):` : line)).join("\n");
}

function relaysInstruction(line: string, voices: SourceTexts): boolean {
  if (!INSTRUCTION.test(line)) return false;
  return sentencesOf(line).some(
    (sentence) =>
      INSTRUCTION.test(sentence) &&
      (isCopied(sentence, voices) || (TAKEOVER.test(sentence) && isUnattributed(sentence, voices))),
  );
}

/** Whether the data contains a run of its words that the user never said. */
function isCopied(sentence: string, { trusted, data }: SourceTexts): boolean {
  return windowsOf(sentence).some((window) => data.states(window) && !trusted.states(window));
}

/** Whether neither the user nor an earlier summary contains any run of its words. */
function isUnattributed(sentence: string, { trusted }: SourceTexts): boolean {
  return !windowsOf(sentence).some((window) => trusted.states(window));
}

function windowsOf(sentence: string): readonly { readonly kind: "quote"; readonly text: string }[] {
  const words = normalize(sentence).split(" ");
  const size = Math.min(WINDOW_WORDS, words.length);
  return Array.from({ length: words.length - size + 1 }, (_, start) => {
    return { kind: "quote", text: words.slice(start, start + size).join(" ") };
  });
}
