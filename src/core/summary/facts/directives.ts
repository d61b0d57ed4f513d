/**
 * Sentences in which the user directs: standing orders and wishes that must outlive every compaction word for word.
 *
 * A sentence is held against the forms in which its language gives orders (see `orders/`). What the user quotes, and what a
 * program reported, are not the user's own words; a question directs only where it politely asks for something lasting.
 */

import { errorOf } from "./errorLines.ts";
import { linesOf, sentencesOf } from "./lines.ts";
import { formsFor } from "./instructionPatterns/languages.ts";
import { directsBy } from "./instructionPatterns/orderForms.ts";

/** Longer sentences are pasted text rather than an order. */
const LONGEST_DIRECTIVE_UNITS = 500;
const SHORTEST_DIRECTIVE_UNITS = 6;

/** The directives in what a user wrote, word for word, in order, without doubles. */
export function directivesOf(userText: string): readonly string[] {
  return [...new Set(ownLinesOf(userText).flatMap(sentencesOf))].filter(isDirective);
}

/**
 * All else that the user tells, word for word, in order, without doubles: it may direct in words, or in a tongue, that nobody
 * foresaw. None that a program reported, that announces what follows, or that is a word or two.
 */
export function remarksOf(userText: string): readonly string[] {
  return [...new Set(ownLinesOf(userText).flatMap(unitsOf))].filter((unit) => isTelling(unit) && !isDirective(unit));
}

/** Whether a sentence gives an account of something rather than saying how it is to be, as far as the tables of tongues tell. */
export function isAccount(sentence: string): boolean {
  return (
    SAID_BY_A_THING.test(sentence) ||
    formsFor(sentence).some(({ account }) => account.some((each) => each.test(sentence)))
  );
}

/** Whether a sentence of the user is kept word for word in the ledger where there is room: a directive or a remark. */
export function isOwnWord(sentence: string): boolean {
  return isDirective(sentence) || isTelling(sentence);
}

/** Whether a sentence asks. Some direct by asking ("Could the tests stay offline?"), in tongues that no table knows. */
export function isQuestion(sentence: string): boolean {
  return ASKS.test(sentence);
}

function isTelling(text: string): boolean {
  if (text.length > LONGEST_REMARK_UNITS || ANNOUNCES.test(text) || isLogged(text)) return false;
  if (isQuestion(text) && wordsIn(text) < SHORTEST_QUESTION_WORDS && !WITHOUT_BLANKS.test(text)) return false;
  return WITHOUT_BLANKS.test(text) ? text.length >= SHORTEST_UNBLANKED_UNITS : wordsIn(text) >= SHORTEST_REMARK_WORDS;
}

const LONGEST_REMARK_UNITS = 240;
const SHORTEST_REMARK_WORDS = 2;
const SHORTEST_UNBLANKED_UNITS = 6;
const SHORTEST_QUESTION_WORDS = 4;
/** A colon at the end; that of a smiley is none. */
const ANNOUNCES = /[:：]["'”’\]»」]*$/;
const ASKS = /[?？؟]["'”’)\]»」]*(?:\s*\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)*$/u;
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function ownLinesOf(userText: string): readonly string[] {
  return linesOf(userText).flatMap(({ text, isCode }) => (isCode || isQuotedLine(text) ? [] : [text]));
}

/**
 * The sentences of a line but the directives. A short question stands with what answers it ("Tests? Pytest."), a word alone
 * with what stands before it.
 */
function unitsOf(line: string): readonly string[] {
  const units: string[] = [];
  let last: string | undefined;
  for (const sentence of sentencesOf(line)) {
    if (isDirective(sentence)) {
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
  return /[?？؟]$/.test(text) && !WITHOUT_BLANKS.test(text) && wordsIn(text) <= MOST_WORDS_OF_A_HEADING;
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length;
}

/** Whether a sentence directs. */
export function isDirective(sentence: string): boolean {
  if (sentence.length < SHORTEST_DIRECTIVE_UNITS || sentence.length > LONGEST_DIRECTIVE_UNITS) return false;
  if (isReport(sentence)) return false;
  const own = sentence.replaceAll(QUOTED, " … ");
  return formsFor(own).some((forms) => directsBy(forms, own));
}

/** A line of a mail or an answer that is replied to. */
function isQuotedLine(line: string): boolean {
  return line.startsWith(">");
}

/** What stands in quotation marks or backticks, if it is more than a word. */
const QUOTED =
  /`[^`]*\s[^`]*`|"[^"]*\s[^"]*"|“[^”]*\s[^”]*”|„[^“”]*\s[^“”]*[“”]|«[^»]*\s[^»]*»|「[^」]{4,}」|『[^』]{4,}』|“[^”]*\p{Script=Han}{4,}[^”]*”|"[^"]*\p{Script=Han}{4,}[^"]*"/gu;

/** Errors, lines of logs, and what a program or a page is said to say. */
function isReport(sentence: string): boolean {
  return SAID_BY_A_THING.test(sentence) || isLogged(sentence);
}

function isLogged(sentence: string): boolean {
  if (STAMPED.test(sentence)) return LEVEL.test(sentence) || !/[.!]$/.test(sentence);
  return LOGGED.test(sentence) || isError(sentence);
}

/** Whether all of it is an error as programs write them. That it begins in lower case says nothing: so do people. */
function isError(sentence: string): boolean {
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return errorOf(text) === text.replace(/[.!]$/, "");
}

/** Begins with a date and a time, as lines of logs do, and at times a sentence that sets a deadline. */
const STAMPED = /^\[?\d{4}-\d{2}-\d{2}[T ]\[?(?:\d{2}:\d{2}|[A-Z]{4,7}\b)/;
const LEVEL = /^\S+(?: \d{2}:\d{2}\S*)?\]? *[-|:]? *\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|notice)\b/i;
const LOGGED =
  /^(?:\[?\d{2}:\d{2}:\d{2}|\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|notice)\]?\s?[:\]]|at \S+ ?\(\S*:\d+|\$ \S+ |(?:npm|pip|yarn|git|cargo|tsc|eslint)(?:: | (?:warn(?:ing)?|err!|error)(?::|!| [A-Z]{2,}| code| deprecated| EBADENGINE)))/i;
const SAID_BY_A_THING =
  /(?<![\p{L}])(?:it|log|logs|output|error|message|warning|linter|compiler|docs?|documentation|readme|page|manual|tutorial|test|ci|console|changelog|comment|docstring|tool|stack ?overflow|terminal|server)(?: \S+){0,4}? (?:says|said|say|reads|claims|claimed|complains|prints|printed|states|mentions|reports|reported|warns|warned|told|tells)(?![\p{L}])|(?<![\p{L}])(?:log|ausgabe|fehlermeldung|meldung|doku|readme|seite|linter|compiler|kommentar|konsole|server)(?: \S+){0,4}? (?:sagt|steht|meldet|behauptet|schreibt|meint)(?![\p{L}])|(?<![\p{L}])(?:journal|log|message|doc|documentation|readme|page|linter|compilateur|commentaire|console|serveur|sortie)(?: \S+){0,4}? (?:dit|affiche|indique|prétend|signale)(?![\p{L}])|(?<![\p{L}])(?:log|mensaje|documentación|readme|página|linter|compilador|comentario|consola|servidor|salida|mensagem|documentação)(?: \S+){0,4}? (?:dice|muestra|indica|pone|diz|mostra)(?![\p{L}])/iu;
