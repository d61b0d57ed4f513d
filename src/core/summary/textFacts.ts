/** The facts that one text states, in order. How much is looked for depends on whose words they are. */

import type { FactKind } from "./fact.ts";
import { type Line, linesOf, sentencesOf } from "./lines.ts";
import {
  codeSpansOf,
  commandOf,
  datesOf,
  errorOf,
  isCommand,
  isDecision,
  measuresOf,
  quantitiesOf,
  quotationsOf,
} from "./phrases.ts";
import type { Origin } from "./source.ts";
import { wordFactsOf } from "./words.ts";

/** A fact without its place. */
export interface StatedFact {
  readonly kind: FactKind;
  readonly text: string;
}

/** All facts of a text, doubles included. */
export function factsOfText(text: string, origin: Origin): readonly StatedFact[] {
  if (origin === "toolCall") return factsOfToolCall(text);
  const isData = origin === "tool";
  const ofLines = linesOf(text).flatMap((line) => factsOfLine(line, isData));
  if (isData) return ofLines;
  const decisions = sentencesOf(text).filter(isDecision);
  return [...decisions.map((sentence) => stated("decision", sentence)), ...ofLines];
}

function factsOfLine(line: Line, isData: boolean): readonly StatedFact[] {
  const facts: StatedFact[] = [];
  const error = errorOf(line.text);
  if (error !== undefined) facts.push(stated("error", error));
  const command = commandOf(line);
  if (command !== undefined) facts.push(stated("command", command));
  if (line.isCode || isData) {
    // Code is full of names and numbers; what it defines and where it points is what others will ask for.
    const defined = definedNameOf(line.text);
    if (defined !== undefined) facts.push(stated("identifier", defined));
    const words = wordFactsOf(line.text).filter(({ kind }) => kind !== "identifier");
    facts.push(...words);
    if (isData && !line.isCode && error === undefined && line.text.length <= LONGEST_REPORT_UNITS) {
      facts.push(...measuresOf(without(words, line.text)).map((text) => stated("quantity", text)));
    }
    return facts;
  }
  for (const span of codeSpansOf(line.text)) {
    if (isCommand(span)) facts.push(stated("command", span));
    facts.push(...wordFactsOf(span, true));
  }
  const words = wordFactsOf(line.text.replaceAll(/`[^`]{1,300}`/g, " "));
  const dates = datesOf(line.text).map((text) => stated("date", text));
  facts.push(...words, ...dates);
  const rest = without([...words, ...dates], line.text);
  facts.push(...quantitiesOf(rest).map((text) => stated("quantity", text)));
  facts.push(...quotationsOf(line.text).map((text) => stated("quote", text)));
  return facts;
}

/** The line without facts whose digits are no quantities. */
function without(facts: readonly StatedFact[], line: string): string {
  const others = facts.filter(({ kind }) => kind !== "identifier" && kind !== "quantity");
  return others.reduce((rest, { text }) => rest.replace(text, " | "), line);
}

/** Lines of tool output up to this length report something; longer ones are data. */
const LONGEST_REPORT_UNITS = 160;

const DEFINITION =
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|module|table)\s+([A-Za-z_$][\w$]{2,60})/;

function definedNameOf(line: string): string | undefined {
  return DEFINITION.exec(line)?.[1];
}

/** The strings in a call's input: paths, commands and the like. Long ones, such as contents of files, are data. */
function factsOfToolCall(text: string): readonly StatedFact[] {
  return stringsOf(text).flatMap(({ key, value }) => {
    if (value.length > LONGEST_ARGUMENT_UNITS) return factsOfText(value, "tool");
    return COMMAND_KEY.test(key) ? [stated("command", value)] : wordFactsOf(value);
  });
}

const COMMAND_KEY = /^(?:cmd|command|commandLine|shell|script)$/;
const LONGEST_ARGUMENT_UNITS = 300;

/** The string values of a call's JSON, whole or not, with the names they have and escapes undone where they can be. */
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

/** Where the quotation mark is that closes a string, or the end of the text. */
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
