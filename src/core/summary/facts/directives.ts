/**
 * Detects directives: standing instructions of the user that must survive every compaction verbatim.
 *
 * Sentences are matched against the instruction patterns of their language. Quotations, program output, and
 * what tools add to a message are not the user's own words; a question is a directive only when it politely asks for something lasting.
 */

import { ownWordsOf } from "../../history/userWords.ts";
import { errorOf } from "./errorLines.ts";
import { linesOf, sentencesOf } from "./lines.ts";
import { patternsFor } from "./instructionPatterns/languages.ts";
import { matchesInstruction } from "./instructionPatterns/instructionPatterns.ts";

/** Longer sentences are pasted text rather than an instruction. */
const LONGEST_DIRECTIVE_UNITS = 500;
const SHORTEST_DIRECTIVE_UNITS = 6;

/** Directives in a user's text: verbatim, in order, without duplicates. */
export function directivesOf(userText: string): readonly string[] {
  return readUserText(userText).directives;
}

/**
 * All other statements of the user: verbatim, in order, without duplicates. They may be instructions in words or
 * languages that no pattern covers. Excludes program output, lines that announce what follows, and one-word sentences.
 */
export function userStatementsOf(userText: string): readonly string[] {
  return readUserText(userText).statements;
}

/** Both at once. */
export function readUserText(userText: string): UserText {
  const lines = [...new Set(ownLinesOf(userText))].map((line) => ({ line, sentences: sentencesOf(line) }));
  const sentences = worthReading(lines.flatMap((each) => each.sentences));
  const directives = new Set(sentences.filter(isDirective));
  const known = new Set(sentences);
  const units = worthReading(lines.flatMap((each) => unitsOf(each, directives)));
  const statements = units.filter(
    (unit) => isStatement(unit) && (known.has(unit) ? !directives.has(unit) : !isDirective(unit)),
  );
  return { directives: [...directives], statements };
}

export interface UserText {
  readonly directives: readonly string[];
  readonly statements: readonly string[];
}

/** Without duplicates. Of hundreds of scraps, as in pasted data, only those that are long enough for a sentence. */
function worthReading(sentences: readonly string[]): readonly string[] {
  const distinct = [...new Set(sentences)];
  const units = distinct.reduce((sum, { length }) => sum + length, 0);
  const isData = distinct.length > MOST_SHORT_SENTENCES && units < distinct.length * FEWEST_UNITS_ON_AVERAGE;
  return isData ? distinct.filter(({ length }) => length >= FEWEST_UNITS_ON_AVERAGE) : distinct;
}

const MOST_SHORT_SENTENCES = 300;
const FEWEST_UNITS_ON_AVERAGE = 20;

/** Whether a sentence reports something rather than demanding it, as far as the language tables can tell. */
export function isAccount(sentence: string): boolean {
  return (
    ATTRIBUTED_TO_PROGRAM.test(sentence) ||
    patternsFor(sentence).some(({ account }) => account.some((each) => each.test(sentence)))
  );
}

/** Whether a user's sentence is a candidate for the verbatim part of the ledger: a directive or a statement. */
export function isUserVerbatim(sentence: string): boolean {
  return isDirective(sentence) || isStatement(sentence);
}

/** Some questions are instructions ("Could the tests stay offline?") in languages without a table. */
export function isQuestion(sentence: string): boolean {
  return ASKS.test(sentence);
}

function isStatement(text: string): boolean {
  if (text.length > LONGEST_REMARK_UNITS || text.length < SHORTEST_REMARK_UNITS) return false;
  const isUnspaced = UNSPACED_SCRIPT.test(text);
  if (isUnspaced ? text.length < SHORTEST_UNBLANKED_UNITS : wordsIn(text) < SHORTEST_REMARK_WORDS) return false;
  if (isQuestion(text) && wordsIn(text) < SHORTEST_QUESTION_WORDS && !isUnspaced) return false;
  return !ANNOUNCES.test(text) && !isLogged(text);
}

const LONGEST_REMARK_UNITS = 240;
const SHORTEST_REMARK_WORDS = 2;
/** Two words of one letter. */
const SHORTEST_REMARK_UNITS = 3;
const SHORTEST_UNBLANKED_UNITS = 6;
const SHORTEST_QUESTION_WORDS = 4;
/** A colon at the end, but not that of a smiley. */
const ANNOUNCES = /[:：]["'”’\]»」]*$/;
const ASKS = /[?？؟]["'”’)\]»」]*(?:\s*\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*$/u;
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function ownLinesOf(userText: string): readonly string[] {
  return linesOf(ownWordsOf(userText)).flatMap(({ text, isCode }) => (isCode || isQuotedLine(text) ? [] : [text]));
}

/**
 * Sentences of a line except directives. A short question is joined with its answer ("Tests? Pytest."), a single word
 * with the short question before it.
 */
function unitsOf(
  { line, sentences }: { readonly line: string; readonly sentences: readonly string[] },
  directives: ReadonlySet<string>,
): readonly string[] {
  const units: string[] = [];
  let last: string | undefined;
  for (const sentence of sentences) {
    if (directives.has(sentence)) {
      last = undefined;
      continue;
    }
    const joined = last === undefined ? undefined : joinedIn(line, last, sentence);
    if (joined !== undefined) units.pop();
    last = joined ?? sentence;
    units.push(last);
  }
  return units;
}

function joinedIn(line: string, one: string, next: string): string | undefined {
  if (!isHeading(one) && wordsIn(next) > 1) return undefined;
  return [`${one} ${next}`, `${one}${next}`].find((text) => line.includes(text));
}

const MOST_WORDS_OF_A_HEADING = 6;

function isHeading(text: string): boolean {
  return /[?？؟]$/.test(text) && !UNSPACED_SCRIPT.test(text) && wordsIn(text) <= MOST_WORDS_OF_A_HEADING;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length;
}

export function isDirective(sentence: string): boolean {
  if (sentence.length < SHORTEST_DIRECTIVE_UNITS || sentence.length > LONGEST_DIRECTIVE_UNITS) return false;
  if (isReport(sentence)) return false;
  const own = sentence.replaceAll(QUOTED, " … ");
  return patternsFor(own).some((forms) => matchesInstruction(forms, own));
}

/** Quoted line of an e-mail or of an answer being replied to. */
function isQuotedLine(line: string): boolean {
  return line.startsWith(">");
}

/** Quoted text of more than one word. */
const QUOTED =
  /`[^`]*\s[^`]*`|"[^"]*\s[^"]*"|“[^”]*\s[^”]*”|„[^“”]*\s[^“”]*[“”]|«[^»]*\s[^»]*»|「[^」]{4,}」|『[^』]{4,}』|“[^”]*\p{Script=Han}{4,}[^”]*”|"[^"]*\p{Script=Han}{4,}[^"]*"/gu;

/** Errors, log lines, and statements attributed to a program or a page. */
function isReport(sentence: string): boolean {
  return ATTRIBUTED_TO_PROGRAM.test(sentence) || isLogged(sentence);
}

function isLogged(sentence: string): boolean {
  if (STAMPED.test(sentence)) return LEVEL.test(sentence) || !/[.!]$/.test(sentence);
  return LOGGED.test(sentence) || isError(sentence);
}

/** Whether the whole sentence is a program's error message. Case is ignored: people write in lower case, too. */
function isError(sentence: string): boolean {
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return errorOf(text) === text.replace(/[.!]$/, "");
}

/** Date and time at the start: typical of log lines, but also of a sentence that sets a deadline. */
const STAMPED = /^\[?\d{4}-\d{2}-\d{2}[T ]\[?(?:\d{2}:\d{2}|[A-Z]{4,7}\b)/;
const LEVEL = /^\S+(?: \d{2}:\d{2}\S*)?\]? *[-|:]? *\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|notice)\b/i;
const LOGGED =
  /^(?:\[?\d{2}:\d{2}:\d{2}|\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|notice)\]?\s?[:\]]|at \S+ ?\(\S*:\d+|\$ \S+ |(?:npm|pip|yarn|git|cargo|tsc|eslint)(?:: | (?:warn(?:ing)?|err!|error)(?::|!| [A-Z]{2,}| code| deprecated| EBADENGINE)))/i;
const ATTRIBUTED_TO_PROGRAM =
  /(?<![\p{L}])(?:it|log|logs|output|error|message|warning|linter|compiler|docs?|documentation|readme|page|manual|tutorial|test|ci|console|changelog|comment|docstring|tool|stack ?overflow|terminal|server)(?: \S+){0,4}? (?:says|said|say|reads|claims|claimed|complains|prints|printed|states|mentions|reports|reported|warns|warned|told|tells)(?![\p{L}])|(?<![\p{L}])(?:log|ausgabe|fehlermeldung|meldung|doku|readme|seite|linter|compiler|kommentar|konsole|server)(?: \S+){0,4}? (?:sagt|steht|meldet|behauptet|schreibt|meint)(?![\p{L}])|(?<![\p{L}])(?:journal|log|message|doc|documentation|readme|page|linter|compilateur|commentaire|console|serveur|sortie)(?: \S+){0,4}? (?:dit|affiche|indique|prétend|signale)(?![\p{L}])|(?<![\p{L}])(?:log|mensaje|documentación|readme|página|linter|compilador|comentario|consola|servidor|salida|mensagem|documentação)(?: \S+){0,4}? (?:dice|muestra|indica|pone|diz|mostra)(?![\p{L}])/iu;
