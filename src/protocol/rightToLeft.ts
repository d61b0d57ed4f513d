/**
 * Right-to-left words in text that is not prose: commands, code, paths, titles. Next to one another they would be drawn
 * in the opposite order, and a reader would allow the opposite; isolated, each stays where it was written.
 */

/** Letters of right-to-left scripts. */
const LETTERS = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
export const rightToLeftLetter = /* @__PURE__ */ new RegExp(`[${LETTERS}]`, "u");
/** A word: joiners and marks belong to it. */
const WORD = /* @__PURE__ */ new RegExp(`[${LETTERS}][${LETTERS}\\p{M}\\u200c-\\u200f]*`, "gu");
const OTHER_LETTER = /* @__PURE__ */ new RegExp(`(?![${LETTERS}])\\p{L}`, "u");
const FIRST_STRONG_ISOLATE = "\u2068";
const END_OF_ISOLATE = "\u2069";

export interface TextRun {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

/**
 * The text in runs; those of right-to-left words are to be isolated. Words form one run where their order cannot be that
 * of arguments: in one quotation, and in a line without other letters, of which a part knows nothing.
 */
export function directionRuns(text: string, isPartOfLine = false): readonly TextRun[] {
  if (!rightToLeftLetter.test(text)) return [{ text, isRightToLeft: false }];
  const runs: TextRun[] = [];
  const add = (part: string, isRightToLeft: boolean): void => {
    if (part !== "") runs.push({ text: part, isRightToLeft });
  };
  let end = 0;
  let lineStart = 0;
  for (const line of text.split("\n")) {
    for (const run of runsOfLine(line, isPartOfLine)) {
      add(text.slice(end, lineStart + run.start), false);
      end = lineStart + run.end;
      add(text.slice(lineStart + run.start, end), true);
    }
    lineStart += line.length + 1;
  }
  add(text.slice(end), false);
  return runs;
}

/** For plain text, as in lists and dialogs of the editor: each run between the characters for isolates. */
export function isolated(text: string): string {
  return directionRuns(text)
    .map((run) => (run.isRightToLeft ? FIRST_STRONG_ISOLATE + run.text + END_OF_ISOLATE : run.text))
    .join("");
}

/** For prose, whose own order is to be kept: the text as a whole, apart from what stands beside it. */
export function isolatedProse(text: string): string {
  return rightToLeftLetter.test(text) ? FIRST_STRONG_ISOLATE + text + END_OF_ISOLATE : text;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function runsOfLine(line: string, isPart: boolean): readonly Range[] {
  const words = Array.from(line.matchAll(WORD), ({ index, 0: { length } }): Range => ({
    start: index,
    end: index + length,
  }));
  if (words.length < 2) return words;
  const hasOthers = isPart || OTHER_LETTER.test(line);
  const quotations = quotationsOf(line);
  const runs: Range[] = [];
  let quotation = 0;
  for (const word of words) {
    while ((quotations[quotation]?.end ?? Infinity) < word.start) quotation++;
    const last = runs.at(-1);
    const gap = last === undefined ? "" : line.slice(last.end, word.start);
    const isQuoted = last !== undefined && (quotations[quotation]?.start ?? Infinity) < last.start;
    if (last !== undefined && (isQuoted ? !OTHER_LETTER.test(gap) : !hasOthers && /^ +$/.test(gap)))
      runs.splice(-1, 1, { start: last.start, end: word.end });
    else runs.push(word);
  }
  return runs;
}

/** Closed quotations of a line, by the places of their marks. An apostrophe between letters is none. */
function quotationsOf(line: string): readonly Range[] {
  const quotations: Range[] = [];
  let start: number | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const open = start === undefined ? "" : line.charAt(start);
    if (character === "\\" && open !== "'") at++;
    else if (start !== undefined && character === open) {
      quotations.push({ start, end: at });
      start = undefined;
    } else if (start === undefined && /["'`]/.test(character) && !isApostrophe(line, at)) start = at;
  }
  return quotations;
}

function isApostrophe(line: string, at: number): boolean {
  return /^\p{L}'\p{L}$/u.test(line.slice(at - 1, at + 2));
}
