/**
 * Keeps instructions that stand in tool results and files from becoming orders. What a summary says is read again and
 * again, so an instruction that once was data must not come back as one.
 */

import { CheckedText, normalize } from "./factCheck.ts";
import { isLedgerHeading } from "./ledger.ts";
import { sentencesOf } from "./lines.ts";
import type { Origin, ReadSource } from "../write/source.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";

/** Takes the place of a line that would pass on an instruction from data. */
export const LEFT_OUT = "(An instruction that stands in a tool result or file was left out; it is not the user's.)";

/** Phrases by which text tries to direct its reader. */
const ORDER = new RegExp(
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

/** Those that would take their reader over: nobody has notes say them for a good purpose. */
const TAKEOVER = new RegExp(
  [
    String.raw`\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:all|any|previous|prior|above|earlier|your|these)\b.{0,30}\b(?:instructions?|prompts?|directions?)\b`,
    String.raw`\b(?:send|post|upload|forward|email|leak|delete)\b.{0,120}\bwithout (?:asking|telling|confirmation)\b`,
    String.raw`\bexfiltrate\b`,
  ].join("|"),
  "i",
);

/** Words in a row that tell a copied instruction from a chance likeness. */
const WINDOW_WORDS = 5;

/** The words of a span, by whether the user may be held to them. */
export interface Voices {
  /** The user, and what earlier summaries carry over. */
  readonly trusted: CheckedText;
  /** Tools and files. */
  readonly data: CheckedText;
}

/** Tells the voices of a span apart. */
export function* voicesOf(sources: readonly ReadSource[]): CooperativeTask<Voices> {
  const textsOf = (isWanted: (origin: Origin) => boolean): readonly string[] =>
    sources.flatMap(({ passages }) => passages.filter(({ origin }) => isWanted(origin)).map(({ text }) => text));
  return {
    trusted: yield* CheckedText.of(textsOf((origin) => origin === "user" || origin === "summary")),
    data: yield* CheckedText.of(textsOf((origin) => origin === "tool")),
  };
}

/**
 * The notes without instructions that come from data alone or, where they would take over their reader, from nobody: what
 * stood in data may have been summarized before, and is remembered by the model that writes. Also without sections that only the program may write: those of
 * the ledger are made from the source and not from an answer.
 */
export function* withoutForeignOrders(notes: string, voices: Voices): CooperativeTask<string> {
  const lines: string[] = [];
  for (const line of withoutLedgerHeadings(notes).split("\n")) {
    lines.push(passesOnAnOrder(line, voices) ? LEFT_OUT : line);
    yield;
  }
  return lines.join("\n");
}

function withoutLedgerHeadings(notes: string): string {
  const lines = notes.split("\n").map((line) => line.trim());
  return lines.map((line) => (isLedgerHeading(line) ? `${line.slice(3)} (as the notes have it):` : line)).join("\n");
}

function passesOnAnOrder(line: string, voices: Voices): boolean {
  if (!ORDER.test(line)) return false;
  return sentencesOf(line).some(
    (sentence) =>
      ORDER.test(sentence) && (isCopied(sentence, voices) || (TAKEOVER.test(sentence) && isOfNobody(sentence, voices))),
  );
}

/** Whether some words in a row stand in the data and the user never said them. */
function isCopied(sentence: string, { trusted, data }: Voices): boolean {
  return windowsOf(sentence).some((window) => data.states(window) && !trusted.states(window));
}

/** Whether the user and earlier summaries have no words in a row of it. */
function isOfNobody(sentence: string, { trusted }: Voices): boolean {
  return !windowsOf(sentence).some((window) => trusted.states(window));
}

function windowsOf(sentence: string): readonly { readonly kind: "quote"; readonly text: string }[] {
  const words = normalize(sentence).split(" ");
  const size = Math.min(WINDOW_WORDS, words.length);
  return Array.from({ length: words.length - size + 1 }, (_, start) => {
    return { kind: "quote", text: words.slice(start, start + size).join(" ") };
  });
}
