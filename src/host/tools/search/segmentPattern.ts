/** A pattern for one name of a path. Matching takes at most the product of both lengths, whatever the pattern. */

/** `any` matches one character, `run` any number of them. */
type Token =
  | { readonly kind: "character"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "run" }
  | { readonly kind: "class"; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** `*`, `?`, `[a-z]`, `[!a]`; a backslash escapes the next character. */
export class SegmentPattern {
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
