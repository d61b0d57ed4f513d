/**
 * Path patterns as editors and git write them: `*` and `?` within a name, `**` for any number of folders, `{a,b}`. Not
 * compiled to regular expressions, so no pattern can make matching slow.
 */

import { err, ok, type Result } from "../../../core/result.ts";
import { composed } from "../paths/spelling.ts";

const MOST_ALTERNATIVES = 200;

export interface GlobOptions {
  /** `{a,b}` are alternatives; git takes them literally. */
  readonly braces: boolean;
  readonly ignoreCase: boolean;
}

/** One alternative: a pattern for each name, or `anyDepth` for any number of folders. */
type Segments = readonly (SegmentPattern | "anyDepth")[];

export class Glob {
  readonly #alternatives: readonly Segments[];
  readonly #ignoreCase: boolean;

  constructor(alternatives: readonly Segments[], ignoreCase: boolean) {
    this.#alternatives = alternatives;
    this.#ignoreCase = ignoreCase;
  }

  /** Matches the whole path; `/` between folders, no leading one. */
  matches(relative: string): boolean {
    const spelled = composed(relative);
    const names = (this.#ignoreCase ? spelled.toLowerCase() : spelled).split("/");
    return this.#alternatives.some((segments) => matchSegments(segments, names));
  }
}

/** The pattern is relative to the folder in which the search begins. */
export function compileGlob(pattern: string, options: GlobOptions): Result<Glob, string> {
  const spelled = composed(pattern);
  const written = options.ignoreCase ? spelled.toLowerCase() : spelled;
  const alternatives = options.braces ? expandBraces(written) : [written];
  if (alternatives === undefined) return err(`The pattern has more than ${MOST_ALTERNATIVES} alternatives.`);
  return ok(new Glob(alternatives.map(segmentsOf), options.ignoreCase));
}

/** A pattern without a folder in it matches names at any depth. */
export function atAnyDepth(pattern: string): string {
  return pattern.includes("/") ? pattern : `**/${pattern}`;
}

function segmentsOf(pattern: string): Segments {
  const names = pattern.split("/").filter((name, index) => name !== "" && !(name === "." && index === 0));
  const segments = names.map((name) => (name === "**" ? ("anyDepth" as const) : new SegmentPattern(name)));
  // `src/**` is everything in `src`, and not `src` itself.
  return segments.at(-1) === "anyDepth" ? [...segments, new SegmentPattern("*")] : segments;
}

function matchSegments(segments: Segments, names: readonly string[]): boolean {
  let segment = 0;
  let at = 0;
  let lastDepth = -1;
  let depthEnd = 0;
  while (at < names.length) {
    const current = segments[segment];
    if (current === "anyDepth") {
      lastDepth = segment++;
      depthEnd = at;
    } else if (current?.matches(names[at] ?? "") === true) {
      segment++;
      at++;
    } else if (lastDepth >= 0) {
      segment = lastDepth + 1;
      at = ++depthEnd;
    } else {
      return false;
    }
  }
  return segments.slice(segment).every((rest) => rest === "anyDepth");
}

/** The alternatives of a pattern; `undefined` when there are too many. Unclosed braces are literal. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const open = openingBrace(pattern);
  const inside = open < 0 ? undefined : alternativesAt(pattern, open);
  if (inside === undefined) return [pattern];
  const before = pattern.slice(0, open);
  const expanded: string[] = [];
  for (const alternative of inside.alternatives) {
    const more = expandBraces(before + alternative + pattern.slice(inside.end + 1));
    if (more === undefined || expanded.length + more.length > MOST_ALTERNATIVES) return undefined;
    expanded.push(...more);
  }
  return expanded;
}

/** The first brace that is closed and not escaped; -1 when there is none. */
function openingBrace(pattern: string): number {
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "{" && alternativesAt(pattern, at) !== undefined) return at;
  }
  return -1;
}

interface Alternatives {
  readonly alternatives: readonly string[];
  /** Index of the closing brace. */
  readonly end: number;
}

function alternativesAt(pattern: string, open: number): Alternatives | undefined {
  const alternatives: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    if (depth === 0) return { alternatives: [...alternatives, pattern.slice(start, at)], end: at };
    if (character === "," && depth === 1) {
      alternatives.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return undefined;
}

/** `any` matches one character, `run` any number of them. */
type Token =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "run" }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** `*`, `?`, `[a-z]`, `[!a]`; a backslash escapes the next character. */
class SegmentPattern {
  readonly #tokens: readonly Token[];

  constructor(pattern: string) {
    this.#tokens = tokensOf(Array.from(pattern));
  }

  /** Matches the whole name. */
  matches(name: string): boolean {
    const characters = Array.from(name);
    let token = 0;
    let at = 0;
    let lastRun = -1;
    let runEnd = 0;
    while (at < characters.length) {
      const current = this.#tokens[token];
      if (current?.kind === "run") {
        lastRun = token++;
        runEnd = at;
      } else if (current !== undefined && fits(current, characters[at] ?? "")) {
        token++;
        at++;
      } else if (lastRun >= 0) {
        token = lastRun + 1;
        at = ++runEnd;
      } else {
        return false;
      }
    }
    return this.#tokens.slice(token).every(({ kind }) => kind === "run");
  }
}

function fits(token: Token, character: string): boolean {
  if (token.kind === "character") return token.character === character;
  if (token.kind === "any") return true;
  if (token.kind === "run") return false;
  const isIn = token.ranges.some(([from, to]) => from <= character && character <= to);
  return isIn !== token.isNegated;
}

function tokensOf(pattern: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  const lastClosing = pattern.lastIndexOf("]");
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? "";
    const end = character === "[" && at < lastClosing ? classEnd(pattern, at) : -1;
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "run") tokens.push({ kind: "run" });
    } else if (character === "?") {
      tokens.push({ kind: "any" });
    } else if (character === "\\" && at + 1 < pattern.length) {
      tokens.push({ kind: "character", character: pattern[++at] ?? "" });
    } else if (end > 0) {
      tokens.push(classOf(pattern.slice(at + 1, end)));
      at = end;
    } else {
      tokens.push({ kind: "character", character });
    }
  }
  return tokens;
}

/** Index of the end of the class that begins at `start`; -1 when the bracket is not closed, and literal. */
function classEnd(pattern: readonly string[], start: number): number {
  const first = pattern[start + 1] === "!" || pattern[start + 1] === "^" ? start + 2 : start + 1;
  return pattern.indexOf("]", first + 1);
}

function classOf(inside: readonly string[]): Token {
  const isNegated = inside[0] === "!" || inside[0] === "^";
  const members = isNegated ? inside.slice(1) : inside;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? "";
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    ranges.push([from, isRange ? (members[at + 2] ?? "") : from]);
    if (isRange) at += 2;
  }
  return { kind: "class", isNegated, ranges };
}
