/**
 * Measures a model's notes against what they stand for and against the extract of the same, which costs nothing: notes
 * that tell less, are about something else or are no notes are not worth their place. Details that the source lacks are
 * no reason by themselves, as they are marked; notes that consist of them are.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { NotesFault } from "../../history/records.ts";
import { LoopDetector } from "../../repetition/loopDetector.ts";
import { CheckedText } from "../facts/factCheck.ts";
import type { Fact } from "../facts/fact.ts";
import { isUserFact } from "../facts/ledgerRoom.ts";
import { linesOf } from "../facts/lines.ts";
import { contentWordsOf, sharedWords } from "./contentWords.ts";
import { isAnswer } from "./dialogForm.ts";
import { languagesOf } from "./languageWords.ts";

export interface MeasuredNotes {
  readonly notes: string;
  /** Names, numbers and quotations of the notes, and those of them that the source lacks. */
  readonly details: readonly string[];
  readonly inventions: readonly string[];
  /** All of the source. */
  readonly source: readonly string[];
  /** Words of people and models in it; by these its language is told. */
  readonly said: readonly string[];
  readonly facts: readonly Fact[];
  /** The extract of the same source, at the size of the notes. */
  readonly extract: string;
}

/** UTF-16 units of a loop in notes: they have no data that rightly repeats. */
const SHORTEST_LOOP_UNITS = 160;
/** Share of lines that differ by more than numbers. */
const LEAST_DIFFERENT_LINES = 0.6;
const FEWEST_LINES = 5;

/** Share of a language in the conversation, from which notes may be in it. */
const LEAST_LANGUAGE_SHARE = 0.15;

/** Content words that notes without a single fact share with the source: so many, or fewer if most of theirs. */
const LEAST_SHARED_WORDS = 5;
const MANY_SHARED_WORDS = 10;
/** Share of the content words of notes that the source has, too: a story about something else has fewer. */
const LEAST_SHARED_SHARE = 0.36;
const LARGE_SHARED_SHARE = 0.6;

const LEAST_INVENTED_WEIGHT = 2;
const MOST_INVENTED_SHARE = 0.6;
/** A number that the source lacks may be rounded or counted; a name may not. */
const WEIGHT_OF_NUMBER = 0.4;
const NUMBER = /^\P{L}*\d\P{L}*\p{L}{0,12}$/u;

/** Share of the facts of the extract that notes must tell; short notes tell fewer. */
const LEAST_TOLD_SHARE = 0.12;

/** `undefined`: worth keeping. */
export function* complaintAgainst(measured: MeasuredNotes): CooperativeTask<NotesFault | undefined> {
  const { notes, details, inventions } = measured;
  if (repeats(notes)) return "repeats";
  if (isAnswer(notes)) return "answers";
  yield;
  if (isInOtherLanguage(notes, measured.said)) return "otherLanguage";
  yield;
  const inventedWeight = weightOf(inventions);
  if (inventedWeight >= LEAST_INVENTED_WEIGHT && inventedWeight > weightOf(details) * MOST_INVENTED_SHARE) {
    return "invents";
  }
  return (yield* tellsLess(measured)) ? "tellsLess" : undefined;
}

function weightOf(details: readonly string[]): number {
  return details.reduce((sum, detail) => sum + (NUMBER.test(detail) ? WEIGHT_OF_NUMBER : 1), 0);
}

function repeats(notes: string): boolean {
  const detector = new LoopDetector({ everywhere: true, leastUnits: SHORTEST_LOOP_UNITS });
  detector.push(notes);
  if (detector.loops.length > 0) return true;
  const lines = linesOf(notes).map(({ text }) => text.replaceAll(/\d+/g, "0").toLowerCase());
  return lines.length >= FEWEST_LINES && new Set(lines).size < lines.length * LEAST_DIFFERENT_LINES;
}

function isInOtherLanguage(notes: string, said: readonly string[]): boolean {
  const [main] = languagesOf(proseOf(notes));
  const spoken = languagesOf(said.map(proseOf).join("\n"));
  if (main === undefined || spoken.length === 0 || main.share < LEAST_MAIN_SHARE) return false;
  return (spoken.find(({ language }) => language === main.language)?.share ?? 0) < LEAST_LANGUAGE_SHARE;
}

/** Share of the first language of notes, from which it is theirs. */
const LEAST_MAIN_SHARE = 0.4;

/** Headings are the prompt's, in English. */
function withoutHeadings(text: string): string {
  return text.replaceAll(/^#{1,6}\s.*$/gm, "");
}

/** Without headings and code. */
function proseOf(text: string): string {
  return linesOf(withoutHeadings(text))
    .filter(({ isCode }) => !isCode)
    .map(({ text: line }) => line.replaceAll(/`[^`]{1,300}`|\S*[/\\_]\S*/g, " "))
    .join("\n");
}

function* tellsLess({ notes, source, facts, extract }: MeasuredNotes): CooperativeTask<boolean> {
  const words = contentWordsOf(withoutHeadings(notes));
  const known = new Set<string>();
  for (const text of source) {
    for (const word of contentWordsOf(text)) known.add(word);
    yield;
  }
  const shared = sharedWords(words, known);
  if (shared === 0 || shared < words.size * LEAST_SHARED_SHARE) return true;
  const counted = facts.filter((fact) => fact.isCommonplace !== true && !isUserFact(fact));
  const [inNotes, inExtract] = [new CheckedText(notes), new CheckedText(extract)];
  let [told, extracted] = [0, 0];
  for (const [index, fact] of counted.entries()) {
    if (inNotes.states(fact)) told++;
    if (inExtract.states(fact)) extracted++;
    if (index % FACTS_A_SLICE === 0) yield;
  }
  if (shared >= MANY_SHARED_WORDS) return false; // told in other words; the ledger below has the facts
  const isAboutIt = shared >= LEAST_SHARED_WORDS && shared >= words.size * LARGE_SHARED_SHARE;
  return (told === 0 && !isAboutIt) || told < Math.floor(extracted * LEAST_TOLD_SHARE);
}

const FACTS_A_SLICE = 100;
