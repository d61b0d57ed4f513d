/** The text that a reader is asked to allow, with long runs of blanks as their count: they would move the rest out of sight. Pure. */

export type ReviewPart =
  | { readonly kind: "text"; readonly text: string }
  /** `count` empty lines, or blanks in a line. */
  | { readonly kind: "lines" | "blanks"; readonly count: number };

/** Any white space, and what is drawn like it; tabs and blanks of usual indentation stay. */
const RUN = /[\s\u2800]{2,}/g;
/** Longest run that is drawn: of empty lines, of blanks and tabs, and of blanks of other kinds. */
const MAX_EMPTY_LINES = 2;
const MAX_BLANKS = 60;
const MAX_ODD_BLANKS = 3;

export function reviewParts(text: string): readonly ReviewPart[] {
  const parts: ReviewPart[] = [];
  const add = (part: string): void => {
    const last = parts.at(-1);
    if (last?.kind === "text") parts.splice(-1, 1, { kind: "text", text: last.text + part });
    else if (part !== "") parts.push({ kind: "text", text: part });
  };
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    add(text.slice(end, index));
    end = index + run.length;
    const lines = run.split("\n");
    if (lines.length - 2 > MAX_EMPTY_LINES) {
      // The count has a line of its own, and what follows keeps its indentation.
      add("\n");
      parts.push({ kind: "lines", count: lines.length - 2 });
      add("\n");
      addBlanks(lines.at(-1) ?? "");
    } else {
      lines.forEach((line, at) => {
        if (at > 0) add("\n");
        addBlanks(line);
      });
    }
  }
  add(text.slice(end));
  return parts;

  function addBlanks(blanks: string): void {
    const oddCount = blanks.replaceAll(/[ \t]/g, "").length;
    if (blanks.length > MAX_BLANKS || oddCount > MAX_ODD_BLANKS) parts.push({ kind: "blanks", count: blanks.length });
    else add(blanks);
  }
}
