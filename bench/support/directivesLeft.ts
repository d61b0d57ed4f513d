/**
 * Fate of the user's directives: how many are in the prompt word for word, of all and of those that fit the allowance;
 * where the others were lost; and what was mistaken for a directive.
 */

import type { MessageId } from "../../src/core/ids.ts";
import { directivesOf } from "../../src/core/summary/facts/directives.ts";
import { readLedger } from "../../src/core/summary/facts/ledger.ts";
import type { PlantedFact } from "../../test/support/texts/talk/plantedSession.ts";
import type { Aside } from "../../test/support/texts/talk/style.ts";
import type { TalkSession } from "../../test/support/session/talkSession.ts";
import { testTokenCounter } from "../../test/support/models/tokenCounter.ts";
import { flat, holds } from "./soughtFacts.ts";

/** Allowance for the directives of one summary, in tokens, including their heading. */
const ALLOWANCE_TOKENS = 400;
const TOKENS_OF_HEADING = 8;
/** List marker and line end, estimated high. */
const TOKENS_OF_A_LINE = 4;

/** Directives missing in the prompt, by where they were lost. */
export interface LostDirectives {
  /** Not recognized as directives. */
  readonly unrecognized: readonly PlantedFact[];
  /** Recognized, but no summary had room for them. */
  readonly crowdedOut: readonly PlantedFact[];
  /** In a lower-level summary, but not in the one that replaced it. */
  readonly lostBetweenLevels: readonly PlantedFact[];
}

export interface DirectivesLeft extends LostDirectives {
  /** Planted rules whose messages are no longer in the prompt. */
  readonly rules: readonly PlantedFact[];
  /** Percentage of `rules` in the prompt. */
  readonly inPromptPercent: number;
  /**
   * Percentage of the directives within the allowance that are in the prompt word for word. Based on planted, not on
   * recognized directives: for each summary sent, the user's lasting demands (rules, deadlines, limits) count, newest
   * first, up to 400 tokens.
   */
  readonly withinAllowanceInPromptPercent: number;
  readonly withinAllowance: number;
  /** Number of lines under directive headings in the prompt. */
  readonly kept: number;
  /** Those lines that are not directives. */
  readonly mistaken: readonly string[];
  /** Those lines that come from tool results. */
  readonly fromTools: readonly string[];
}

/** Source of the conversation. */
export interface Planted {
  readonly facts: readonly PlantedFact[];
  readonly asides: readonly Aside[];
  readonly firstMessages: readonly MessageId[];
}

/** Determines the fate of the directives. `rules` are those whose messages are not in `prompt`. */
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

/** Text of a directive: the rule itself, or the sentence around another fact. */
function wordsOf({ type, text, said }: PlantedFact): string {
  return type === "rule" ? text : said.replace(/^- /, "");
}

/** The newest directives that fit the allowance. */
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

/** Whether one text contains the other. */
function overlap(one: string, other: string): boolean {
  return flat(one).includes(flat(other)) || flat(other).includes(flat(one));
}

/** `part` in percent of `whole`; 100 if `whole` is 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (part * 100) / whole;
}
