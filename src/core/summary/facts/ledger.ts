/**
 * The ledger under a summary: the user's directives, and facts that the summary itself does not state, word for word. It is
 * written so that the next summary over this one can read it again; so facts do not erode from level to level.
 */

import type { FactKind } from "./fact.ts";
import { normalize } from "./factCheck.ts";

/** A fact of a ledger. */
export interface LedgerFact {
  readonly kind: FactKind;
  readonly text: string;
  /** Stands in rows of data, and is named for lack of anything better. */
  readonly isCommonplace?: true;
}

/** Heads the directives. */
const DIRECTIVES_HEADING = "## User directives (word for word)";
/** Heads what else the user said. */
const REMARKS_HEADING = "## Also said by the user";
/** Heads the other facts. */
const FACTS_HEADING = "## Facts kept word for word";
/** Heads what stood in rows of data. */
const MENTIONED_HEADING = "## Also mentioned";

/** Kinds with a heading of their own, whose lines need no label. */
type OwnWordKind = "directive" | "remark";
type LabelledKind = Exclude<FactKind, OwnWordKind>;

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
/** Kinds that have a line for each fact, because a fact is a sentence. */
const ONE_A_LINE: ReadonlySet<FactKind> = new Set(["decision", "error", "command", "quote"]);
const SEPARATOR = " · ";

/** The ledger as Markdown; "" when there is nothing to keep. Facts keep their order within a kind. */
export function writeLedger(facts: readonly LedgerFact[]): string {
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [DIRECTIVES_HEADING, linesOfOwnWords("directive", facts)],
    [REMARKS_HEADING, linesOfOwnWords("remark", facts)],
    [FACTS_HEADING, linesOfKinds(facts.filter(({ isCommonplace }) => isCommonplace !== true))],
    [MENTIONED_HEADING, linesOfKinds(facts.filter(({ isCommonplace }) => isCommonplace === true))],
  ];
  return parts.flatMap(([heading, lines]) => (lines.length > 0 ? [heading, ...lines] : [])).join("\n");
}

type Section = "directives" | "remarks" | "facts" | "mentioned";

const SECTIONS: Readonly<Record<string, Section>> = {
  [DIRECTIVES_HEADING]: "directives",
  [REMARKS_HEADING]: "remarks",
  [FACTS_HEADING]: "facts",
  [MENTIONED_HEADING]: "mentioned",
};

/** Whether a line begins a part of a ledger. Only the program may write such a line. */
export function isLedgerHeading(line: string): boolean {
  return Object.hasOwn(SECTIONS, line);
}

/** The facts of the ledgers in a text, and the text without them. */
export function readLedger(text: string): { readonly facts: readonly LedgerFact[]; readonly rest: string } {
  const facts: LedgerFact[] = [];
  const rest: string[] = [];
  let section: Section | undefined;
  for (const line of text.split("\n")) {
    const isHeading = line.startsWith("#");
    if (isHeading) section = Object.hasOwn(SECTIONS, line) ? SECTIONS[line] : undefined;
    if (section === undefined) rest.push(line);
    else if (!isHeading && line.startsWith("- ")) facts.push(...readLine(line.slice(2), section));
    else if (!isHeading && line.trim() !== "") rest.push(line);
  }
  return { facts, rest: rest.join("\n") };
}

const KINDS = Object.keys(LABELS).filter((kind): kind is LabelledKind => kind in LABELS);

function linesOfOwnWords(wanted: OwnWordKind, facts: readonly LedgerFact[]): readonly string[] {
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

/**
 * Notes over earlier summaries without the lists of their ledgers, which models like to copy: what is worth the room gets
 * into the new ledger by itself.
 */
export function withoutCopiedLists(notes: string): string {
  const lines = notes.split("\n");
  const left = lines.filter((line) => !COPIED_LIST.test(line.trim()));
  return left.length === lines.length ? notes : left.join("\n");
}

/**
 * Notes without the lines that say just what stands in the ledger under them, each of `said` normalized; the notes as they are
 * where they say nothing else, as a summary is never empty.
 */
export function withoutRepeated(notes: string, said: ReadonlySet<string>): string {
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
