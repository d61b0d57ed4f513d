/** Extracts error messages as programs wrote them, not what people say about them. */

import { beginningOf } from "../../cutText.ts";
import { looksLikeCode } from "./outlierLines.ts";
import { codeSpansOf, quotationsOf } from "./phrases.ts";

/** An error with a recognizable name or code, anywhere in the line. */
const NAMED =
  /(?:\b(?:[A-Z]\w{0,60})?(?:Error|Exception)\b(?:\s?\[[\w-]{1,40}\])?:|\b(?:error|fatal|panic|FATAL|ERROR|FAIL(?:ED|URE)?)\b(?:\s?(?:\[|TS\d|E\d|[A-Z]{1,4}\d{2,}|:)|\s+in\b|\s*$)|(?:error|warning) (?:TS|CS|E)\d{3,6}|\bE[A-Z]{4,15}\b[:,]|\bTraceback \(|npm ERR!|✗|✖)/;
/** Phrases by which programs report a failure. */
const FAILURE_PHRASE =
  /(?:\b(?:errors?|exception|fail(?:ed|s|ure)?|fatal|panic|abort(?:ed|ing)?|killed|denied|refused|rejected|violat\w{1,5}|time[d-]?\s?out|unreachable|not found|no such|can(?:not|'t| not)|unable to|invalid|unexpected|unknown|missing|unauthori[sz]ed|forbidden|conflict\w{0,4}|overflow|out of (?:memory|range|space|bounds)|too (?:old|large|long|many|small|few)|expired|corrupt\w{0,4}|mismatch|undefined|deprecated|core dumped|segmentation|is not|reset (?:by|before)|before headers|exit(?:ed)?(?: with)? (?:code|status) [1-9]\d{0,4})|Killed\b|(?:violation|(?<!de)fault|failure|exception|error):)/i;
/** Lines that speak of errors and report none. */
const NO_REPORTS: readonly RegExp[] = [
  /^[+-]\s{2,}/, // of a diff
  /^\s*\d{1,6}(?:→|[-:]?\t)/, // of a numbered listing
  /^(?!(?:[A-Z]\w*)?(?:Error|Exception)\b)[\w.]+\((?![^)]*\)\s?:)/, // a call
  /^[\w.$]+(?:\[[^\]]*\])?\s(?:[|:+]?=|=~|<-)\s/, // an assignment
  /^(?:assert|expect|test|describe|it|attr|case|when|catch|except|rescue|log|echo|printf?)\b[^:]*[("'`:,]/,
  /\{:error\b|\bdo$/,
  /^\[[\w./-]+ [0-9a-f]{7,40}\]|^[0-9a-f]{7,40} /, // the title of a commit
  /^git \w+ |^Command: /,
];
/** "0 failures", "no errors". */
const NOTHING_FAILED = /\b(?:0|no) (?:failures?|failed|errors?|warnings?|conflicts?|problems?)\b/gi;
/** Typical start of a program's message: a program, class, code or location, then a colon. */
const HEAD =
  /^(?:\[[^\]]{1,40}\]\s{0,3})?(?:[A-Za-z_$][\w.$/\\-]{0,90}|[A-Z]{2,6}-\d{2,6})(?:::[\w$]{1,60})?(?:[[(][\w, -]{1,40}[\])])?:\s/;
/** A sentence written by a person: initial capital and final punctuation. */
const SENTENCE = /^\p{Lu}[\p{Ll}'’]+\s(?:\S+\s){3}.*[.!?…]$/u;
const LONGEST_ERROR_UNITS = 200;
const SHORTEST_ERROR_UNITS = 8;
const COLONS_TRIED = 3;

/** The error reported by a line: the whole line, or the part that a program wrote. */
export function errorOf(marked: string): string | undefined {
  if (marked.length < SHORTEST_ERROR_UNITS) return undefined;
  if (NO_REPORTS.some((pattern) => pattern.test(marked))) return undefined;
  const line = marked.replace(/^(?:[>*-]\s+){1,3}/, "");
  if (!FAILURE_PHRASE.test(line.replaceAll(NOTHING_FAILED, " ")) && !NAMED.test(line)) return undefined;
  const named = NAMED.exec(line);
  if (named !== null) return namedError(line, named.index);
  for (const part of [line, ...codeSpansOf(line), ...quotationsOf(line), ...afterColons(line)]) {
    if (!looksLikeCode(part) && isWrittenByProgram(part) && FAILURE_PHRASE.test(part)) return cut(part);
  }
  return undefined;
}

/** From the start of the word that names the error to the end of the line or of the quotation around it. */
function namedError(line: string, index: number): string | undefined {
  let start = index;
  while (start > 0 && /[\w.$]/.test(line.charAt(start - 1))) start--;
  const rest = line.slice(start);
  const quote = /["`“]$/.exec(line.slice(0, start))?.[0];
  const end = quote === undefined ? -1 : closing(rest, quote);
  return cut(end > 0 ? rest.slice(0, end) : rest);
}

/** Position of the closing quote; inside backticks a quotation mark does not close. */
function closing(text: string, quote: string): number {
  return text.search(quote === "`" ? /`(?![^`]*`[\w ])/ : /["”]/);
}

function isWrittenByProgram(text: string): boolean {
  return (
    HEAD.test(text) ||
    (/^[\p{Ll}\d[(<]/u.test(text) && !/[?？]$/.test(text)) ||
    (MACHINE_WORD.test(text) && !SENTENCE.test(text))
  );
}

/** `OOMKilled`, `ECONNRESET`, `exit code 137`. */
const MACHINE_WORD = /\b[A-Z]{2,}[a-z]+[A-Z]?[a-z]*\b|\b[A-Z]{4,}\b|\bcode \d{2,3}\b/;

function afterColons(line: string): readonly string[] {
  const parts: string[] = [];
  for (let at = line.indexOf(": "); at >= 0 && parts.length < COLONS_TRIED; at = line.indexOf(": ", at + 2)) {
    parts.push(line.slice(at + 2));
  }
  return parts.filter((part) => HEAD.test(part));
}

function cut(text: string): string | undefined {
  const error = beginningOf(text.trim(), LONGEST_ERROR_UNITS).trim();
  return error.length >= SHORTEST_ERROR_UNITS ? error : undefined;
}
