/**
 * Long code in fences is taken out of a text before the lexer, which would scan it several times with each update, and
 * put back into its tokens. Pure; linear time.
 */
import type { MarkedToken, Token, Tokens } from "marked";
import { nestedFence } from "./nestedFence.ts";

/** Shorter code stays. */
const minTaken = 2_000;
/** A noncharacter on both sides of a number stands for code that was taken out. */
const mark = "\ufdd0";
const placeholder = new RegExp(` {0,99}${mark}(\\d+)${mark}`, "g");

/** Opening line of a fence, perhaps in a list item. */
const opening = /^( {0,40}(?:(?:[*+-]|\d{1,9}[.)]) {1,4}){0,5})(`{3,}|~{3,})([^\n]*)\n/gm;

interface TakenCode {
  readonly text: string;
  /** Blanks at the start of each line that belong to the list around it. */
  readonly indent: number;
}

export interface ShortenedText {
  readonly text: string;
  readonly taken: readonly TakenCode[];
}

/** `hasDocuments`: a fenced Markdown document may have fences of its own. */
export function takeLongCode(source: string, hasDocuments: boolean): ShortenedText {
  const taken: TakenCode[] = [];
  if (source.includes(mark)) return { text: source, taken };
  const parts: string[] = [];
  let copied = 0;
  const take = (start: number, end: number, indent: number): void => {
    parts.push(source.slice(copied, start), " ".repeat(indent), mark, String(taken.length), mark);
    taken.push({ text: source.slice(start, end), indent });
    copied = end;
  };
  opening.lastIndex = 0;
  for (let found = opening.exec(source); found !== null; found = opening.exec(source)) {
    const [line, { length: indent } = "", fence = "", info = ""] = found;
    if (fence.startsWith("`") && info.includes("`")) continue;
    const start = found.index + line.length;
    const document = hasDocuments && indent === 0 ? nestedFence(source.slice(found.index)) : null;
    const end = document === null ? source.length : found.index + document.raw.length;
    opening.lastIndex = takeBetweenFences(source, { start, end, fence, indent, isDocument: document !== null }, take);
  }
  return { text: taken.length === 0 ? source : parts.join("") + source.slice(copied), taken };
}

interface Fenced {
  readonly start: number;
  readonly end: number;
  readonly fence: string;
  readonly indent: number;
  readonly isDocument: boolean;
}

/** Takes out each long text between two lines that may be fences; returns where the block ends. */
function takeBetweenFences(
  source: string,
  block: Fenced,
  take: (start: number, end: number, indent: number) => void,
): number {
  const { indent, isDocument } = block;
  for (let from = block.start; ;) {
    const next = nextFence(source, from, block);
    const end = next === null ? block.end - (source.charAt(block.end - 1) === "\n" ? 1 : 0) : next.start - 1;
    // The lines beside the fences of a document say what these are.
    const [first, last] = isDocument
      ? [source.indexOf("\n", from) + 1 || end, source.lastIndexOf("\n", end - 1)]
      : [from, end];
    if (last - first > minTaken) take(first, last, indent);
    if (next === null) return block.end;
    if (next.isClosing) return next.end;
    from = next.end;
  }
}

interface FenceLine {
  readonly start: number;
  /** After its line end. */
  readonly end: number;
  readonly isClosing: boolean;
}

/**
 * The next line that may be a fence; in a document also one with a language. In a list item it may be indented by any
 * number of blanks, and need not be the closing one.
 */
function nextFence(source: string, from: number, { fence, indent, end, isDocument }: Fenced): FenceLine | null {
  const sign = fence.charAt(0);
  for (let at = source.indexOf(fence, from); at >= 0 && at < end; at = source.indexOf(fence, at)) {
    let start = at;
    while (start > from && isBlank(source.charAt(start - 1))) start--;
    const isFirst = start === from || source.charAt(start - 1) === "\n";
    const isShallow = at - start <= indent + 3;
    while (source.charAt(at) === sign) at++;
    if (!isFirst || !(isShallow || indent > 0 || isDocument)) continue;
    const lineEnd = source.indexOf("\n", at);
    const stop = lineEnd < 0 ? source.length : lineEnd;
    if (isDocument || /^[ `~]*$/.test(source.slice(at, stop)))
      return { start, end: stop + 1, isClosing: isShallow && !isDocument };
  }
  return null;
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t";
}

/** Puts the code back into the tokens; false if not all of it is in code blocks: it was something else. */
export function putBackCode(tokens: readonly Token[], taken: readonly TakenCode[]): boolean {
  if (taken.length === 0) return true;
  let count = 0;
  for (const token of tokens) {
    for (const code of codeIn(token)) {
      const text = code.text.replace(placeholder, (found: string, number: string) => {
        const restored = codeText(taken[Number(number)], token !== code);
        if (restored !== undefined) count++;
        return restored ?? found;
      });
      // The lexer, too, leaves the last line end out only where no blank line stands before it.
      code.text = text.endsWith("\n") && !code.text.endsWith("\n") ? `${text}\n` : text;
    }
    token.raw = token.raw.replace(placeholder, (found: string, number: string) => taken[Number(number)]?.text ?? found);
  }
  return count === taken.length;
}

function codeIn(token: Token): readonly Tokens.Code[] {
  const known = token as MarkedToken;
  switch (known.type) {
    case "code":
      return [known];
    case "list":
      return known.items.flatMap(({ tokens }) => tokens.flatMap(codeIn));
    default:
      return [];
  }
}

/** The code without the blanks before it, as the lexer removes them; `undefined` if it ends the list item around it. */
function codeText(taken: TakenCode | undefined, isInList: boolean): string | undefined {
  if (taken === undefined || taken.indent === 0) return taken?.text;
  const indent = String(taken.indent);
  if (!isInList) return taken.text.replace(new RegExp(`^[ \\t]{1,${indent}}`, "gm"), "");
  const text = taken.text.replace(/^ *\t[ \t]*/gm, blanksFor);
  const isOutside = new RegExp(`^(?! {${indent}})[^\\n]*\\S`, "m").test(text);
  return isOutside ? undefined : text.replace(new RegExp(`^ {1,${indent}}`, "gm"), "");
}

/** Blanks as wide as blanks and tabs at the start of a line. */
function blanksFor(space: string): string {
  let width = 0;
  for (const character of space) width += character === "\t" ? 4 - (width % 4) : 1;
  return " ".repeat(width);
}
