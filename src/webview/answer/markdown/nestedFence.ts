/**
 * A Markdown document inside a fence, with fences of its own that are as long. By CommonMark the first fence without a
 * language ends the document; who writes such a document means the one that is left over. Pure; linear time.
 */

export interface NestedFence {
  readonly raw: string;
  /** The same block, with an outer fence that is longer than any inside. */
  readonly unambiguous: string;
  /** The outer fence was not closed yet: all text belongs to the block. */
  readonly isOpen: boolean;
}

const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/;
const fenceLine = /^([ \t]*)(`{3,}|~{3,})([^\n]*)$/;
/** Also a line that may become a fence with its next character. */
const fenceStart = /^[ \t]*(?:(?:`{3,}|~{3,}).*|`+|~+)$/;
const markdownInfo = /^\s*(?:(?:markdown|mdx?|mkd|mdc|qmd|rmd)\b|.*\.(?:md|mdx|markdown)\b)/i;

/** Null if `source` does not begin with a fence around Markdown with fences as long. */
export function nestedFence(source: string): NestedFence | null {
  const [first = "", indent = "", outer = "", info = ""] = opening.exec(source) ?? [];
  if (!markdownInfo.test(info)) return null;
  const sign = outer.charAt(0);
  /** Open fences inside the block, the innermost last. */
  const open: { readonly length: number; readonly isMarkdown: boolean }[] = [];
  let longest = outer.length;
  let isNested = false;
  let previous = "";
  const block = (end: number, isOpen: boolean): NestedFence | null => {
    if (!isNested) return null;
    const raw = source.slice(0, end);
    const inside = isOpen ? raw.slice(first.length) : raw.slice(first.length, raw.lastIndexOf("\n") + 1);
    const fence = indent + sign.repeat(longest + 1);
    return { raw, unambiguous: `${fence}${info}\n${inside}${isOpen ? "" : fence}`, isOpen };
  };
  for (let start = first.length; start < source.length;) {
    const line = lineAt(source, start);
    const end = start + line.length;
    const [, space = "", run = "", language = ""] = fenceLine.exec(line) ?? [];
    const isFence = run.startsWith(sign) && run.length >= outer.length && !(sign === "`" && language.includes("`"));
    if (isFence) {
      const innermost = open.at(-1);
      const isDeeper = space.replaceAll("\t", "    ").length > indent.length;
      longest = Math.max(longest, run.length);
      if (language.trim() !== "" || (innermost === undefined && (isDeeper || beginsCode(previous, source, end + 1)))) {
        isNested = true;
        if (innermost?.isMarkdown !== false) open.push({ length: run.length, isMarkdown: markdownInfo.test(language) });
      } else if (innermost === undefined) return block(end, false);
      else if (run.length >= innermost.length) open.pop();
    }
    previous = line;
    start = end + 1;
  }
  return block(source.length, true);
}

/**
 * Whether the bare fence between the line `previous` and the offset `next` begins code. If the fence after it begins
 * some, or has a language, this one ends the document.
 */
function beginsCode(previous: string, source: string, next: number): boolean {
  if (!looksLikeOpening(previous, source, next)) return false;
  let before = "";
  for (let start = next; start < source.length;) {
    const line = lineAt(source, start);
    const [, , , language] = fenceLine.exec(line) ?? [];
    const end = start + line.length + 1;
    if (language !== undefined) return language.trim() === "" && !looksLikeOpening(before, source, end);
    before = line;
    start = end;
  }
  return true;
}

/** Code begins after a blank line, a heading or a colon, and with a line of text. */
function looksLikeOpening(previous: string, source: string, next: number): boolean {
  if (previous.trim() !== "" && !/^ {0,3}#|[:：]\s*$/.test(previous)) return false;
  const following = lineAt(source, next);
  return following.trim() !== "" && !fenceStart.test(following);
}

function lineAt(source: string, start: number): string {
  const end = source.indexOf("\n", start);
  return source.slice(start, end < 0 ? source.length : end);
}
