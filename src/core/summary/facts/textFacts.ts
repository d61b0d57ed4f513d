/** Facts stated by a single text, in order. The extraction depends on the origin of the text. */

import type { FactKind } from "./fact.ts";
import { type Line, linesOf, sentencesOf } from "./lines.ts";
import { commandOf, commandsInProse, isInspection, isQuotedCommand } from "./commandLines.ts";
import { isDecision } from "./decisions.ts";
import { errorOf } from "./errorLines.ts";
import { isSourceLine, outlierLines } from "./outlierLines.ts";
import { codeSpansOf, datesOf, measuresOf, namedVersionsOf, quantitiesOf, quotationsOf } from "./phrases.ts";
import type { Origin } from "../write/source.ts";
import { wordFactsOf } from "./words.ts";

/** A fact without its message. */
export interface StatedFact {
  readonly kind: FactKind;
  readonly text: string;
  /** Occurs in one of many data lines of the same shape. */
  readonly isCommonplace?: true;
}

export function factsOfText(text: string, origin: Origin): readonly StatedFact[] {
  if (origin === "toolCall") return factsOfToolCall(text);
  const lines = linesOf(text);
  if (origin === "tool") {
    const odd = outlierLines(lines.map((line) => line.text));
    const [ofProse, ofData] = [oncePerLine(factsOfProse), oncePerLine(factsOfData)];
    return lines.flatMap((line, index) =>
      odd.has(index) ? ofProse({ ...line, isCode: false }).map(quotedByTool) : ofData(line),
    );
  }
  const decisions = sentencesOf(text).filter(isDecision);
  const [ofCode, ofProse] = [oncePerLine(factsOfCode), oncePerLine(factsOfProse)];
  const ofLines = lines.flatMap((line) => (line.isCode ? ofCode(line) : ofProse(line)));
  return [...decisions.map((sentence) => stated("decision", sentence)), ...ofLines];
}

/** Quotation marks in output are around a label more often than around somebody's words. */
function quotedByTool(fact: StatedFact): StatedFact {
  return fact.kind === "quote" ? { ...fact, isCommonplace: true } : fact;
}

type FactsOfLine = (line: Line) => readonly StatedFact[];

/** Reads equal lines once, as tools repeat them by the thousand. */
function oncePerLine(read: FactsOfLine): FactsOfLine {
  const known = new Map<string, readonly StatedFact[]>();
  return (line) => {
    const key = `${line.isCode ? line.language : "-"}\n${line.text}`;
    const facts = known.get(key) ?? read(line);
    known.set(key, facts);
    return facts;
  };
}

/** Only definitions, reports, paths and the like: code is full of names and numbers. */
function factsOfCode(line: Line): readonly StatedFact[] {
  const defined = definedNameOf(line.text);
  return [
    ...reportsOf(line, true),
    ...(defined === undefined ? [] : [stated("identifier", defined)]),
    ...wordFactsOf(line.text).filter(({ kind }) => kind !== "identifier"),
  ];
}

/** A regular line of tool output. */
function factsOfData(line: Line): readonly StatedFact[] {
  const ofCode = factsOfCode(line);
  const isReport = !line.isCode && line.text.length <= LONGEST_REPORT_UNITS && errorOf(line.text) === undefined;
  const measures = isReport && DIGIT.test(line.text) ? measuresOf(withoutNonQuantities(ofCode, line.text)) : [];
  const facts = [...ofCode, ...measures.map((text) => stated("quantity", text))];
  return facts.map((fact) => (fact.kind === "error" ? fact : { ...fact, isCommonplace: true }));
}

/** Prose of people and models, and outlier lines of tool output. */
function factsOfProse(line: Line): readonly StatedFact[] {
  const { text } = line;
  const hasDigit = DIGIT.test(text);
  const spans = codeSpansOf(text);
  const quoted = spans.flatMap((span) => wordFactsOf(span, true));
  const prose = text.replaceAll(/`[^`]{1,300}`/g, " ");
  const commands = [...spans.filter(isQuotedCommand), ...commandsInProse(prose)].map((span) => stated("command", span));
  const words = wordFactsOf(prose);
  const dates = hasDigit ? datesOf(text).map((date) => stated("date", date)) : [];
  const versions = hasDigit ? namedVersionsOf(text).map((version) => stated("version", version)) : [];
  const named = [...words, ...dates, ...versions];
  const numbers = hasDigit ? quantitiesOf(withoutNonQuantities(named, text)) : [];
  const quantities = numbers.map((quantity) => stated("quantity", quantity));
  const quotes = quotationsOf(text).map((quote) => stated("quote", quote));
  return [...reportsOf(line), ...commands, ...quoted, ...named, ...quantities, ...quotes];
}

function reportsOf(line: Line, isData = false): readonly StatedFact[] {
  const error = isData && isSourceLine(line.text) ? undefined : errorOf(line.text);
  const command = commandOf(line);
  return [
    ...(error === undefined ? [] : [stated("error", error)]),
    ...(command === undefined ? [] : [stated("command", command)]),
  ];
}

/** Blanks out facts whose digits are no quantities. */
function withoutNonQuantities(facts: readonly StatedFact[], line: string): string {
  const others = facts.filter(({ kind }) => kind !== "identifier" && kind !== "quantity");
  return others.reduce((rest, { text }) => rest.replace(text, " | "), line);
}

/** A text without a digit states no number, date or version. */
const DIGIT = /\d/;

/** Longer lines of tool output are data, not reports. */
const LONGEST_REPORT_UNITS = 160;

const DEFINITION =
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|module|table)\s+([A-Za-z_$][\w$]{2,60})/;

function definedNameOf(line: string): string | undefined {
  return DEFINITION.exec(line)?.[1];
}

/** String arguments of a call. Long ones, such as file contents, are treated as tool output. */
function factsOfToolCall(text: string): readonly StatedFact[] {
  return stringsOf(text).flatMap(({ key, value }): readonly StatedFact[] => {
    if (value.length > LONGEST_ARGUMENT_UNITS) return factsOfText(value, "tool");
    if (!COMMAND_KEY.test(key)) return wordFactsOf(value);
    return [isInspection(value) ? { ...stated("command", value), isCommonplace: true } : stated("command", value)];
  });
}

const COMMAND_KEY = /^(?:cmd|command|commandLine|shell|script)$/;
const LONGEST_ARGUMENT_UNITS = 300;

/** String values of possibly truncated JSON, with their keys and common escapes decoded. */
function stringsOf(json: string): readonly { readonly key: string; readonly value: string }[] {
  const strings: { readonly key: string; readonly value: string }[] = [];
  let key = "";
  for (let start = json.indexOf('"'); start >= 0;) {
    const end = endOfString(json, start + 1);
    const value = json.slice(start + 1, end);
    if (/^\s{0,8}:/.test(json.slice(end + 1, end + 10))) key = value;
    else {
      strings.push({ key, value: unescaped(value) });
      key = "";
    }
    start = json.indexOf('"', end + 1);
  }
  return strings;
}

/** Index of the closing quotation mark, or the end of the text. */
function endOfString(json: string, start: number): number {
  let end = start;
  while (end < json.length && json.charAt(end) !== '"') end += json.charAt(end) === "\\" ? 2 : 1;
  return Math.min(end, json.length);
}

function unescaped(value: string): string {
  return value.replaceAll(/\\(["\\/nt])/g, (_, escaped: string) =>
    escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped,
  );
}

function stated(kind: FactKind, text: string): StatedFact {
  return { kind, text };
}
