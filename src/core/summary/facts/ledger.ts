/**
 * The ledger below the notes of a summary: the user's messages and directives, and facts that the notes do not state,
 * verbatim. The format can be parsed again by the next summary over this one, so facts do not erode from level to level.
 */

import { messageIdOfNumber, messageNumber, type MessageId } from "../../ids.ts";
import type { FactKind } from "./fact.ts";
import { normalize } from "./factCheck.ts";

/** First line of an extract. */
export const EXTRACT_HEADING = /^Extract of messages? \d/;
/** Before each sentence of an extract: who said it, and where. Extracts of earlier versions have "[12] user: ". */
export const EXTRACT_MARK = /^- (?:(User|Assistant) \((\d{1,9})\): |\[(\d{1,9})\] (user|assistant|summary): )?/;

/** The mark of a sentence; none where nobody is known to have said it. */
export function extractMark(speaker: string, number: number): string {
  if (speaker !== "user" && speaker !== "assistant") return "- ";
  return `- ${speaker === "user" ? "User" : "Assistant"} (${String(number)}): `;
}

export interface LedgerFact {
  readonly kind: FactKind;
  readonly text: string;
  /** Only for a message of the user. */
  readonly id?: MessageId;
  /** From repetitive data, listed in the lowest section. */
  readonly isCommonplace?: true;
}

const DIRECTIVES_HEADING = "## User directives (word for word)";
const MESSAGES_HEADING = "## Messages of the user (word for word)";
const REMARKS_HEADING = "## Also said by the user";
const FACTS_HEADING = "## Facts kept word for word";
const MENTIONED_HEADING = "## Also mentioned";

/** Kinds with a section of their own, whose lines need no label. */
type UserVerbatimKind = "directive" | "remark";
type LabelledKind = Exclude<FactKind, UserVerbatimKind | "message">;

const LABELS: Readonly<Record<LabelledKind, string>> = {
  decision: "Decision",
  error: "Error",
  command: "Command",
  quote: "Quote",
  path: "Paths",
  url: "URLs",
  identifier: "Names",
  quantity: "Figures",
  version: "Versions",
  commit: "Commits",
  date: "Dates",
};
/** Kinds whose facts are whole sentences or lines. */
const ONE_A_LINE: ReadonlySet<FactKind> = new Set(["decision", "error", "command", "quote"]);
const SEPARATOR = " · ";

/** Markdown; "" without facts. Facts keep their order within a kind. */
export function writeLedger(facts: readonly LedgerFact[]): string {
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [DIRECTIVES_HEADING, userVerbatimLines("directive", facts)],
    [MESSAGES_HEADING, facts.flatMap((fact) => (fact.kind === "message" ? [messageLines(fact)] : []))],
    [REMARKS_HEADING, userVerbatimLines("remark", facts)],
    [FACTS_HEADING, linesOfKinds(facts.filter(({ isCommonplace }) => isCommonplace !== true))],
    [MENTIONED_HEADING, linesOfKinds(facts.filter(({ isCommonplace }) => isCommonplace === true))],
  ];
  return parts.flatMap(([heading, lines]) => (lines.length > 0 ? [heading, ...lines] : [])).join("\n");
}

type Section = "directives" | "messages" | "remarks" | "facts" | "mentioned";

const SECTIONS: Readonly<Record<string, Section>> = {
  [DIRECTIVES_HEADING]: "directives",
  [MESSAGES_HEADING]: "messages",
  [REMARKS_HEADING]: "remarks",
  [FACTS_HEADING]: "facts",
  [MENTIONED_HEADING]: "mentioned",
};

/** Whether a line starts a ledger section. Only the program may write such a line. */
export function isLedgerHeading(line: string): boolean {
  return Object.hasOwn(SECTIONS, line);
}

/** Parses the ledgers in a text; `rest` is the text without them. */
export function readLedger(text: string): { readonly facts: readonly LedgerFact[]; readonly rest: string } {
  const facts: LedgerFact[] = [];
  const rest: string[] = [];
  let section: Section | undefined;
  let message: string[] | undefined;
  const endMessage = (): void => {
    if (message !== undefined) facts.push(...readMessage(message));
    message = undefined;
  };
  for (const line of text.split("\n")) {
    if (section === "messages" && line.startsWith(INDENT)) {
      message?.push(line.slice(INDENT.length));
      continue;
    }
    endMessage();
    if (section === "messages" && line.startsWith("- ")) {
      message = [line.slice(2)];
      continue;
    }
    const isHeading = line.startsWith("#");
    if (isHeading) section = Object.hasOwn(SECTIONS, line) ? SECTIONS[line] : undefined;
    if (section === undefined) rest.push(line);
    else if (!isHeading && line.startsWith("- ")) facts.push(...readLine(line.slice(2), section));
    else if (!isHeading && line.trim() !== "") rest.push(line);
  }
  endMessage();
  return { facts, rest: rest.join("\n") };
}

/** The ledgers of a summary without its notes. */
export function ledgerOf(summary: string): string {
  return writeLedger(readLedger(summary).facts);
}

const KINDS = Object.keys(LABELS).filter((kind): kind is LabelledKind => kind in LABELS);

/** Indentation of the further lines of a message. */
const INDENT = "  ";

/** `- [12] first line`, and further lines indented. */
function messageLines({ text, id }: LedgerFact): string {
  const number = id === undefined ? "" : `[${messageNumber(id)}] `;
  return `- ${number}${linesOfMessage(text)}`;
}

/** A message as it stands after its mark; empty lines are left out. */
export function linesOfMessage(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.join(`\n${INDENT}`);
}

function readMessage([first = "", ...lines]: readonly string[]): readonly LedgerFact[] {
  const [head, number] = /^\[([1-9]\d{0,8})\] /.exec(first) ?? [""];
  const text = [first.slice(head.length), ...lines].join("\n");
  const id = number === undefined ? {} : { id: messageIdOfNumber(Number(number)) };
  return [{ kind: "message", text, isCommonplace: true, ...id }];
}

function userVerbatimLines(wanted: UserVerbatimKind, facts: readonly LedgerFact[]): readonly string[] {
  return facts.flatMap(({ kind, text }) => (kind === wanted ? [`- ${oneLine(text)}`] : []));
}

function linesOfKinds(facts: readonly LedgerFact[]): readonly string[] {
  return KINDS.flatMap((kind) =>
    linesOfKind(
      kind,
      facts.filter((fact) => fact.kind === kind),
    ),
  );
}

function linesOfKind(kind: LabelledKind, facts: readonly LedgerFact[]): readonly string[] {
  const texts = facts.map(({ text }) => oneLine(text));
  if (texts.length === 0) return [];
  const label = LABELS[kind];
  return ONE_A_LINE.has(kind) ? texts.map((text) => `- ${label}: ${text}`) : [`- ${label}: ${texts.join(SEPARATOR)}`];
}

const LISTS = KINDS.filter((kind) => !ONE_A_LINE.has(kind)).map((kind) => LABELS[kind]);
const COPIED_LIST = new RegExp(`^(?:[-*]\\s+)*(?:${LISTS.join("|")}): .*${SEPARATOR}`);

/** Removes copies of earlier ledgers, which models like to make: the new ledger picks its facts by itself. */
export function withoutCopiedLists(notes: string): string {
  const lines = notes.split("\n");
  const left = lines.filter((line) => !COPIED_LIST.test(line.trim()));
  return left.length === lines.length ? notes : left.join("\n");
}

/**
 * Removes lines that only repeat the ledger below; `said` holds its normalized texts. Returns the notes unchanged when
 * nothing else would be left, as a summary is never empty.
 */
export function withoutLedgerDuplicates(notes: string, said: ReadonlySet<string>): string {
  const lines = notes.split("\n");
  const left = lines.filter((line) => !said.has(normalize(line.replace(MARKS, ""))));
  const isSaying = left.some((line) => line.trim() !== "" && !line.startsWith("#"));
  return isSaying && left.length < lines.length ? left.join("\n") : notes;
}

const MARKS = /^\s*(?:[-*]\s+)*/;

function readLine(line: string, section: Section): readonly LedgerFact[] {
  if (section === "directives") return [{ kind: "directive", text: line }];
  if (section === "remarks") return [{ kind: "remark", text: line, isCommonplace: true }];
  const kind = KINDS.find((candidate) => line.startsWith(`${LABELS[candidate]}: `));
  if (kind === undefined) return [];
  const rank = section === "mentioned" ? ({ isCommonplace: true } as const) : {};
  const texts = line.slice(LABELS[kind].length + 2);
  return (ONE_A_LINE.has(kind) ? [texts] : texts.split(SEPARATOR)).map((text) => ({ kind, text, ...rank }));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
