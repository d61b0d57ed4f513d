/**
 * What became of the user's directives: how many stand in the prompt word for word, of all and of those that their allowance
 * has room for; at which step the others were lost; and what was taken for a directive that is none.
 */

import type { MessageId } from "../../src/core/ids.ts";
import { directivesOf } from "../../src/core/summary/facts/directives.ts";
import { readLedger } from "../../src/core/summary/facts/ledger.ts";
import type { PlantedFact } from "../../test/support/texts/talk/plantedSession.ts";
import type { Aside } from "../../test/support/texts/talk/style.ts";
import type { TalkSession } from "../../test/support/session/talkSession.ts";
import { testTokenCounter } from "../../test/support/models/tokenCounter.ts";
import { flat, holds } from "./soughtFacts.ts";

/** Tokens that the directives under one summary may take together, their heading included. */
const ALLOWANCE_TOKENS = 400;
const TOKENS_OF_HEADING = 8;
/** A list mark and the end of the line, generously. */
const TOKENS_OF_A_LINE = 4;

/** Where directives that are not in the prompt were lost. */
export interface LostDirectives {
  /** Nothing in them was taken for a directive. */
  readonly unrecognized: readonly PlantedFact[];
  /** Recognized, and no summary had room for them. */
  readonly crowdedOut: readonly PlantedFact[];
  /** In a summary of a lower level, and not in the one that stands for it now. */
  readonly lostBetweenLevels: readonly PlantedFact[];
}

/** What became of the directives of one conversation. */
export interface DirectivesLeft extends LostDirectives {
  /** Planted rules whose messages are no longer sent. */
  readonly rules: readonly PlantedFact[];
  /** Of those, the ones in the prompt, in percent. */
  readonly inPromptPercent: number;
  /**
   * Of all directives that their allowance has room for, the ones in the prompt word for word, in percent. Reckoned from what
   * was planted and not from what was recognized: under each summary that is sent, whatever the user asked for that is to
   * hold (rules, and also deadlines and limits) is counted, the newest first, until 400 tokens are used up.
   */
  readonly withinAllowanceInPromptPercent: number;
  readonly withinAllowance: number;
  /** Lines under the headings of directives that are sent. */
  readonly kept: number;
  /** Those that nobody meant as a directive. */
  readonly mistaken: readonly string[];
  /** Those that stand in what a tool answered. */
  readonly fromTools: readonly string[];
}

/** What the conversation was made of. */
export interface Planted {
  readonly facts: readonly PlantedFact[];
  readonly asides: readonly Aside[];
  /** The first message of each turn. */
  readonly firstMessages: readonly MessageId[];
}

/** Looks what became of the directives; `rules` are those whose messages are not in `prompt` themselves. */
export function directivesLeft(
  session: TalkSession,
  prompt: string,
  rules: readonly PlantedFact[],
  { facts, asides, firstMessages }: Planted,
): DirectivesLeft {
  const { history } = session.manager;
  const prepared = session.manager.prepare();
  if (prepared.kind !== "ready") throw new Error("it fits");
  const sent = prepared.context.segments.flatMap((segment) =>
    segment.kind === "summary" ? [history.summary(segment.id)] : [],
  );
  const placeOf = ({ turn }: PlantedFact): number => firstMessages[turn] ?? 0;
  const isInPrompt = ({ text }: PlantedFact): boolean => holds(prompt, text);
  const directing = facts.filter(({ directs, voice }) => directs && voice === "user");
  const room = sent.flatMap(({ covers }) =>
    newestWithin(directing.filter((fact) => covers.start <= placeOf(fact) && placeOf(fact) < covers.end)),
  );
  const missing = rules.filter((rule) => !isInPrompt(rule));
  const isRecognized = ({ said, text }: PlantedFact): boolean =>
    directivesOf(said).some((directive) => overlap(directive, text));
  const wasKept = ({ text }: PlantedFact): boolean =>
    history.summaries.some(({ content }) => holds(flat(content), text));
  const kept = sent.flatMap(({ content }) =>
    readLedger(content).facts.flatMap(({ kind, text }) => (kind === "directive" ? [text] : [])),
  );
  const meant = facts.filter(({ directs }) => directs).map(({ said }) => said);
  const ofTools = asides.filter(({ voice }) => voice === "tool").map(({ text }) => text);
  return {
    rules,
    inPromptPercent: percent(rules.length - missing.length, rules.length),
    withinAllowanceInPromptPercent: percent(room.filter((fact) => holds(prompt, wordsOf(fact))).length, room.length),
    withinAllowance: room.length,
    unrecognized: missing.filter((rule) => !isRecognized(rule)),
    crowdedOut: missing.filter((rule) => isRecognized(rule) && !wasKept(rule)),
    lostBetweenLevels: missing.filter((rule) => isRecognized(rule) && wasKept(rule)),
    kept: kept.length,
    mistaken: kept.filter((line) => !meant.some((said) => overlap(line, said))),
    fromTools: kept.filter((line) => ofTools.some((text) => overlap(line, text))),
  };
}

/** What a directive says: a rule is all of it, of other facts it is the sentence around them. */
function wordsOf({ type, text, said }: PlantedFact): string {
  return type === "rule" ? text : said.replace(/^- /, "");
}

/** Directives, newest first, as long as the allowance lasts. */
function newestWithin(directing: readonly PlantedFact[]): readonly PlantedFact[] {
  const counter = testTokenCounter();
  let room = ALLOWANCE_TOKENS - TOKENS_OF_HEADING;
  return directing.toReversed().filter((fact) => {
    const cost = counter.countText(wordsOf(fact), "cl100k") + TOKENS_OF_A_LINE;
    if (cost > room) return false;
    room -= cost;
    return true;
  });
}

/** Whether one stands in the other. */
function overlap(one: string, other: string): boolean {
  return flat(one).includes(flat(other)) || flat(other).includes(flat(one));
}

/** A part of a whole in percent; 100 of nothing. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (part * 100) / whole;
}
