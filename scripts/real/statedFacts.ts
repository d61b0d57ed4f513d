/**
 * Facts that a text states word for word, for judging notes: URLs, paths, names, numbers, commands and quotations.
 * Written on its own: it shares no code with the extraction that summaries use, so that their mistakes differ.
 */

export type StatedKind = "url" | "path" | "name" | "number" | "command" | "quotation";

export interface StatedFact {
  readonly kind: StatedKind;
  readonly text: string;
}

/** Distinct facts in order of appearance. */
export function statedFacts(text: string): readonly StatedFact[] {
  const found = new Map<string, StatedFact>();
  const add = (kind: StatedKind, stated: string): void => {
    if (!found.has(stated)) found.set(stated, { kind, text: stated });
  };
  for (const command of commandsIn(text)) add("command", command);
  for (const quotation of quotationsIn(text)) add("quotation", quotation);
  for (const [url] of text.matchAll(URL)) add("url", trimmed(url));
  for (const piece of text.replaceAll(URL, " ").split(SEPARATORS)) {
    const word = trimmed(piece);
    const kind = kindOf(word);
    if (kind !== undefined) add(kind, word);
  }
  return [...found.values()];
}

/** A fact is stated also in other marks or other white space, but not as a part of a longer word. */
export function states(text: PlainText, fact: StatedFact): boolean {
  const wanted = plain(fact.text);
  for (let at = text.plain.indexOf(wanted); at >= 0; at = text.plain.indexOf(wanted, at + 1)) {
    const before = text.plain[at - 1] ?? " ";
    const after = text.plain[at + wanted.length] ?? " ";
    if (!(isWordSign(before) && isWordSign(wanted[0] ?? "")) && !(isWordSign(after) && isWordSign(wanted.at(-1) ?? "")))
      return true;
  }
  return false;
}

/** A text prepared for many questions. */
export interface PlainText {
  readonly plain: string;
}

export function plainText(text: string): PlainText {
  return { plain: plain(text) };
}

/** Facts of `note` that `source` does not state and that no mark follows. */
export function unmarkedInventions(note: string, source: PlainText, mark: string): readonly StatedFact[] {
  return statedFacts(note).filter((fact) => {
    if (states(source, fact)) return false;
    return !note
      .split(fact.text)
      .slice(1)
      .every((rest) => rest.replace(/^[`"”'*]{1,3}/, "").startsWith(mark));
  });
}

const URL = /\bhttps?:\/\/[^\s`"'<>()[\]{}|]+/gi;
const SEPARATORS = /[\s`"'“”‘’„«»<>()[\]{}|,;*=]+/;

const FILE_ENDING =
  /\.(?:ts|tsx|js|jsx|mjs|cjs|json|jsonl|md|py|rs|go|java|kt|c|h|cpp|cs|rb|php|html|css|scss|yml|yaml|toml|sh|sql|txt|lock|xml|svg|png|vue|swift)$/i;
const NUMBER = /^[-+~v]?\d[\d.,:/_-]*(?:%|ms|s|min|h|k|m|kb|mb|gb|px|x)?$/i;
const NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*$/;

function kindOf(word: string): StatedKind | undefined {
  if (word.length < 2 || word.length > 200) return undefined;
  if (NUMBER.test(word)) return (word.match(/\d/g)?.length ?? 0) >= 2 ? "number" : undefined;
  if (isPath(word)) return "path";
  return word.length >= 6 && NAME.test(word) && isCompound(word) ? "name" : undefined;
}

function isPath(word: string): boolean {
  if (!/^[\w./@~+-]+$/.test(word) || !/[A-Za-z]/.test(word)) return false;
  const segments = word.split("/").filter((segment) => segment !== "" && segment !== "." && segment !== "..");
  // "and/or" is none.
  if (segments.length > 1)
    return word.startsWith("/") || word.startsWith(".") || segments.length > 2 || FILE_ENDING.test(word);
  return FILE_ENDING.test(word) && word.length > 4;
}

/** Capitals or joins inside: `readFile`, `read_file`, `file.read`. */
function isCompound(word: string): boolean {
  return /[a-z0-9][A-Z]/.test(word) || /[A-Za-z0-9]_[A-Za-z0-9]/.test(word) || word.includes("::");
}

const PROGRAMS =
  /^(?:npm|npx|pnpm|yarn|node|git|gh|python3?|pip3?|cargo|go|make|docker|kubectl|curl|grep|rg|sed|ls|cd|cat|mkdir|pytest|bun|deno|tsc|eslint) [\w./@-]/;

/** Lines after a prompt sign, and whole code spans or lines of a fence that begin with a usual program. */
function commandsIn(text: string): readonly string[] {
  const found: string[] = [];
  let isFenced = false;
  for (const line of text.split("\n")) {
    const shown = line.trim();
    if (shown.startsWith("```")) {
      isFenced = !isFenced;
      continue;
    }
    if (shown.startsWith("$ ")) found.push(shown.slice(2).trim());
    else if (isFenced && PROGRAMS.test(shown)) found.push(shown);
    else found.push(...line.split("`").filter((span, index) => index % 2 === 1 && PROGRAMS.test(span)));
  }
  return found.filter((command) => command.length > 4 && command.length <= 200);
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“", "«": "»" };

/** Words between quotation marks of one line: at least two words, at most 200 characters. */
function quotationsIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const line of text.split("\n")) {
    for (let at = 0; at < line.length; at++) {
      const end = QUOTES[line[at] ?? ""];
      const to = end === undefined ? -1 : line.indexOf(end, at + 1);
      if (to < 0) continue;
      const words = line.slice(at + 1, to);
      if (words.length >= 12 && words.length <= 200 && /^\p{L}\S* \S/u.test(words) && !/[{}\\]/.test(words))
        found.push(words);
      at = to;
    }
  }
  return found;
}

function trimmed(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && "#-–—:!?&^".includes(word[start] ?? "")) start++;
  while (end > start && ".,;:!?…-–—&^\\#".includes(word[end - 1] ?? "")) end--;
  return word.slice(start, end);
}

/** Without marks of Markdown, with single blanks, in lower case. */
function plain(text: string): string {
  return text
    .replaceAll(/[`*]/g, "")
    .replaceAll("\\n", " ")
    .replaceAll('\\"', '"')
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}

function isWordSign(sign: string): boolean {
  return /[\p{L}\p{N}_]/u.test(sign);
}

/** Longest unit of a loop, in characters. */
const LONGEST_UNIT = 500;
const LEAST_LOOP_UNITS = 4;
const LEAST_LOOP_CHARACTERS = 200;

/** True when a text ends in one unit again and again. */
export function endsInLoop(text: string): boolean {
  const end = text.trimEnd();
  for (let unit = 1; unit <= LONGEST_UNIT; unit++) {
    const needed = Math.max(unit * LEAST_LOOP_UNITS, LEAST_LOOP_CHARACTERS);
    if (end.length < needed) continue;
    let same = 0;
    while (same < needed - unit && end[end.length - 1 - same] === end[end.length - 1 - same - unit]) same++;
    if (same >= needed - unit) return true;
  }
  return false;
}
