/**
 * Marked extension for formulas: `$…$` and `\(…\)` inline, `$$…$$` and `\[…\]` also on lines of their own. Amounts of
 * money, shell variables and regular expressions are none: in doubt it stays text.
 */
import type { MarkedOptions, Tokens } from "marked";
import type { Formula } from "./markdownTree.ts";

/** Longest formula: inline, displayed but within a line, and on lines of its own. */
const maxInline = 500;
const maxDisplayed = 1_000;
const maxBlock = 5_000;

/** Distance searched for the next formula at a time: searching all the rest at every word would take too long. */
const searchDistance = 300;

/** After this many signs in a paragraph that begin no formula, it is taken to contain none. */
const maxFalseStarts = 20;
/** The rest of a paragraph is lexed again after each formula on its own lines; limit for all such characters. */
const maxRelexedLength = 1_000_000;

export interface FormulaToken extends Tokens.Generic {
  readonly type: "formula";
  readonly formula: Formula;
}

type Extensions = NonNullable<MarkedOptions["extensions"]>;
type Tokenizes = (source: string) => Tokens.Generic | undefined;

/** Marked options for `source`; empty if it cannot contain a formula. */
export function formulaOptions(source: string): { readonly extensions?: Extensions } {
  if (!source.includes("$") && !source.includes("\\(") && !source.includes("\\[")) return {};
  return { extensions: extensions() };
}

export function isFormula(token: { readonly type: string }): token is FormulaToken {
  return token.type === "formula";
}

const block: Tokenizes = (source) => {
  const [opening = "", sign = ""] = /^ {0,3}(\$\$|\\\[)/.exec(source) ?? [];
  if (sign === "") return undefined;
  const closing = sign === "$$" ? "$$" : "\\]";
  const near = source.slice(0, opening.length + maxBlock);
  const blank = near.search(/\n[ \t]*\n/);
  const candidate = near.slice(opening.length, blank < 0 ? undefined : blank);
  const end = candidate.indexOf(closing);
  if (end < 0) return unfinishedFormula(source, candidate, blank >= 0);
  const trailing = /^[ \t]*(?:[.,;:][ \t]*)?(?=\n|$)/.exec(source.slice(opening.length + end + closing.length))?.[0];
  if (trailing === undefined) return undefined;
  const raw = source.slice(0, opening.length + end + closing.length + trailing.length);
  return formulaToken(raw, candidate.slice(0, end) + trailing.trim(), true);
};

/** An unfinished formula on lines of its own: its source is shown until it is closed. */
function unfinishedFormula(source: string, candidate: string, isCut: boolean): Tokens.Generic | undefined {
  if (isCut || !/^[ \t]*\n/.test(candidate) || source.length > maxBlock) return undefined;
  return { type: "html", block: true, raw: source, pre: false, text: source };
}

const inline: Tokenizes = (source) => {
  const opening = /^(?:\$\$?|\\\(|\\\[)/.exec(source)?.[0];
  switch (opening) {
    case "$":
      return dollarFormula(source);
    case "$$":
      return delimitedFormula(source, "$$", "$$", true);
    case "\\(":
      return delimitedFormula(source, opening, "\\)", false);
    case "\\[":
      return delimitedFormula(source, opening, "\\]", true);
    default:
      return undefined;
  }
};

function delimitedFormula(
  source: string,
  opening: string,
  closing: string,
  display: boolean,
): FormulaToken | undefined {
  const candidate = source.slice(0, display ? maxDisplayed : maxInline);
  const end = candidate.indexOf(closing, opening.length);
  const tex = candidate.slice(opening.length, end);
  if (end < 0 || tex.trim() === "" || tex.includes("$")) return undefined;
  return formulaToken(candidate.slice(0, end + closing.length), tex, display);
}

/** Pandoc's rules, but stricter: answers mention money and shells more often than formulas. */
function dollarFormula(source: string): FormulaToken | undefined {
  const [raw = "", tex = ""] =
    /^\$((?:[^$\\\n`]|\\[^\n`]){1,500}?)\$(?![\p{L}\p{N}_{$])/u.exec(source.slice(0, maxInline + 3)) ?? [];
  if (raw === "" || /^[\s{]|\s$/.test(tex)) return undefined;
  const opens = tex.replace(/[^([]/g, "").length;
  const closes = tex.replace(/[^)\]]/g, "").length;
  if (opens !== closes) return undefined;
  const isProse = !tex.includes("\\") && /(?:^|[\s,;])(?:\p{L}{3,}|\d[\d.,]*)[\s,;]+\p{L}{2,}/u.test(tex);
  return isProse ? undefined : formulaToken(raw, tex, false);
}

function formulaToken(raw: string, tex: string, display: boolean): FormulaToken {
  return { type: "formula", raw, formula: { kind: "formula", tex: tex.trim(), source: raw.trim(), display } };
}

/** Where the next formula may begin; a sign inside a word or after another sign begins none. */
function nextInline(source: string): number {
  const at = source.slice(0, searchDistance).search(/(?<![\p{L}\p{N}_$\\])\$|\\[([]/u);
  return at < 0 && source.length > searchDistance ? searchDistance - 1 : at; // the search resumes there
}

/** Finds the next complete formula on its own lines in the paragraph; the rest is lexed again after each cut. */
function blockFinder(): (source: string) => number {
  let left = maxRelexedLength;
  return (source) => {
    const end = source.indexOf("\n\n");
    const paragraph = end < 0 ? source : source.slice(0, end);
    if (left < paragraph.length) return -1;
    let tries = 0;
    for (const { index } of paragraph.matchAll(/\n(?= {0,3}(?:\$\$|\\\[))/g)) {
      if (block(source.slice(index + 1, index + 2 * maxBlock)) !== undefined) {
        left -= paragraph.length;
        return index + 1;
      }
      if (++tries === maxFalseStarts) break;
    }
    return -1;
  };
}

/** For one lexer run: the finder has a counter. */
function extensions(): Extensions {
  return {
    block: [block],
    inline: [inline],
    startBlock: [blockFinder()],
    startInline: [nextInline],
    childTokens: {},
    renderers: {},
  };
}
