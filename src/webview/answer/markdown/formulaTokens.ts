/**
 * Formulas among the tokens of Markdown: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` also on lines of their own. An
 * amount of money, a variable of a shell or a regular expression is none: where it is in doubt, it stays text.
 */
import type { MarkedOptions, Tokens } from "marked";
import type { Formula } from "./markdownTree.ts";

/** Longest formula in a line, the same where it asks for a line of its own, and on lines of its own. */
const maxInline = 500;
const maxDisplayed = 1_000;
const maxBlock = 5_000;

/** So far is looked for the next one at a time: looking through all the rest at every word would take too long. */
const nearby = 300;

/** So many signs in one paragraph that begin no formula, and it is taken to hold none. */
const mostTries = 20;
/** The rest of a paragraph is read anew behind each formula in it: so many characters in all, and then no more. */
const mostReadAnew = 1_000_000;

/** A token that holds a formula. */
export interface FormulaToken extends Tokens.Generic {
  readonly type: "formula";
  readonly formula: Formula;
}

type Extensions = NonNullable<MarkedOptions["extensions"]>;
type Tokenizes = (source: string) => Tokens.Generic | undefined;

/** What the lexer is told for `source`; nothing where no formula can be in it. */
export function formulaRules(source: string): { readonly extensions?: Extensions } {
  if (!source.includes("$") && !source.includes("\\(") && !source.includes("\\[")) return {};
  return { extensions: extensions() };
}

/** Whether the token is one of these. */
export function isFormula(token: { readonly type: string }): token is FormulaToken {
  return token.type === "formula";
}

const block: Tokenizes = (source) => {
  const [opening = "", sign = ""] = /^ {0,3}(\$\$|\\\[)/.exec(source) ?? [];
  if (sign === "") return undefined;
  const closing = sign === "$$" ? "$$" : "\\]";
  const near = source.slice(0, opening.length + maxBlock);
  const blank = near.search(/\n[ \t]*\n/);
  const stretch = near.slice(opening.length, blank < 0 ? undefined : blank);
  const end = stretch.indexOf(closing);
  if (end < 0) return stillOpen(source, stretch, blank >= 0);
  const behind = /^[ \t]*(?:[.,;:][ \t]*)?(?=\n|$)/.exec(source.slice(opening.length + end + closing.length))?.[0];
  if (behind === undefined) return undefined;
  const raw = source.slice(0, opening.length + end + closing.length + behind.length);
  return made(raw, stretch.slice(0, end) + behind.trim(), true);
};

/** The rest of an answer that begins a formula on a line of its own is its source, as it is written, until it ends. */
function stillOpen(source: string, stretch: string, isCut: boolean): Tokens.Generic | undefined {
  if (isCut || !/^[ \t]*\n/.test(stretch) || source.length > maxBlock) return undefined;
  return { type: "html", block: true, raw: source, pre: false, text: source };
}

const inline: Tokenizes = (source) => {
  const opening = /^(?:\$\$?|\\\(|\\\[)/.exec(source)?.[0];
  switch (opening) {
    case "$":
      return dollars(source);
    case "$$":
      return between(source, "$$", "$$", true);
    case "\\(":
      return between(source, opening, "\\)", false);
    case "\\[":
      return between(source, opening, "\\]", true);
    default:
      return undefined;
  }
};

function between(source: string, opening: string, closing: string, display: boolean): FormulaToken | undefined {
  const stretch = source.slice(0, display ? maxDisplayed : maxInline);
  const end = stretch.indexOf(closing, opening.length);
  const tex = stretch.slice(opening.length, end);
  if (end < 0 || tex.trim() === "" || tex.includes("$")) return undefined;
  return made(stretch.slice(0, end + closing.length), tex, display);
}

/** As Pandoc reads them, and more careful: answers speak of money and of shells more often than of formulas. */
function dollars(source: string): FormulaToken | undefined {
  const [raw = "", tex = ""] =
    /^\$((?:[^$\\\n`]|\\[^\n`]){1,500}?)\$(?![\p{L}\p{N}_{$])/u.exec(source.slice(0, maxInline + 3)) ?? [];
  if (raw === "" || /^[\s{]|\s$/.test(tex)) return undefined;
  const opens = tex.replace(/[^([]/g, "").length;
  const closes = tex.replace(/[^)\]]/g, "").length;
  if (opens !== closes) return undefined;
  const isProse = !tex.includes("\\") && /(?:^|[\s,;])(?:\p{L}{3,}|\d[\d.,]*)[\s,;]+\p{L}{2,}/u.test(tex);
  return isProse ? undefined : made(raw, tex, false);
}

function made(raw: string, tex: string, display: boolean): FormulaToken {
  return { type: "formula", raw, formula: { kind: "formula", tex: tex.trim(), source: raw.trim(), display } };
}

/** Where the next may begin; a sign inside a word, or after another, begins none. */
function nextInline(source: string): number {
  const at = source.slice(0, nearby).search(/(?<![\p{L}\p{N}_$\\])\$|\\[([]/u);
  return at < 0 && source.length > nearby ? nearby - 1 : at; // it is looked for again from there
}

/**
 * Finds where the next formula on lines of its own begins, up to the blank line that ends the paragraph. Only one that is
 * whole counts: a paragraph that is cut for nothing is looked at anew from each cut on.
 */
function blockFinder(): (source: string) => number {
  let left = mostReadAnew;
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
      if (++tries === mostTries) break;
    }
    return -1;
  };
}

/** For one reading of a text. */
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
