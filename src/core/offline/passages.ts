/** Finds passages relevant to a question: BM25 over paragraphs and code blocks, without a model. */

/** A self-contained piece of text: a paragraph, a list, or a whole code fence. */
export interface Passage {
  /** Index into the searched texts. */
  readonly source: number;
  readonly text: string;
}

/** The best matches, at most `limit`, in conversation order; empty when nothing matches. */
export function findPassages(question: string, texts: readonly string[], limit: number): readonly Passage[] {
  const asked = new Set(termsOf(question));
  const passages = texts.flatMap((text, source) => passagesOf(text).map((passage) => ({ source, text: passage })));
  if (asked.size === 0 || passages.length === 0) return [];
  const counted = passages.map((passage) => ({ passage, terms: termsOf(passage.text) }));
  const scored = scoreAll(
    asked,
    counted.map(({ terms }) => terms),
  );
  return counted
    .map(({ passage }, index) => ({ passage, index, score: scored[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.index - a.index)
    .slice(0, limit)
    .sort((a, b) => a.index - b.index)
    .map(({ passage }) => passage);
}

/** Splits Markdown at blank lines, except inside code fences. */
export function passagesOf(text: string): readonly string[] {
  const passages: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const close = (): void => {
    const passage = lines.join("\n").trim();
    if (passage !== "") passages.push(passage);
    lines = [];
  };
  for (const line of text.split("\n")) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) {
      close();
      fence = mark;
      lines.push(line);
    } else if (fence !== undefined) {
      lines.push(line);
      if (mark?.startsWith(fence) === true && line.trim() === mark) {
        fence = undefined;
        close();
      }
    } else if (line.trim() === "") close();
    else lines.push(line);
  }
  close();
  return passages;
}

/** Usual BM25 parameters k1 and b: saturation of repeated terms, and penalty on long passages. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

function scoreAll(asked: ReadonlySet<string>, passages: readonly (readonly string[])[]): readonly number[] {
  const meanLength = passages.reduce((sum, terms) => sum + terms.length, 0) / passages.length;
  const holders = new Map<string, number>();
  for (const terms of passages) {
    for (const term of new Set(terms)) if (asked.has(term)) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  return passages.map((terms) => {
    const counts = new Map<string, number>();
    for (const term of terms) if (asked.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    let score = 0;
    for (const [term, count] of counts) {
      const held = holders.get(term) ?? 0;
      const rarity = Math.log(1 + (passages.length - held + 0.5) / (held + 0.5));
      const lengthFactor = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * terms.length) / meanLength;
      score += (rarity * count * (SATURATION + 1)) / (count + SATURATION * lengthFactor);
    }
    return score;
  });
}

/** Lower-case words plus the parts of compound names; letter pairs in scripts without spaces between words. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (UNSPACED.test(word)) {
      for (let at = 0; at + 1 < word.length; at++) terms.push(word.slice(at, at + 2));
      continue;
    }
    const whole = word.toLowerCase();
    if (whole.length < 2 || STOP_WORDS.has(whole)) continue;
    terms.push(whole);
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u).map((part) => part.toLowerCase());
    if (parts.length > 1) terms.push(...parts.filter((part) => part.length > 2 && !STOP_WORDS.has(part)));
  }
  return terms;
}

const WORD = /[\p{L}\p{N}_]{1,64}/gu;
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]{2,}$/u;

/** Stop words. English only: in other languages, BM25 gives frequent words little weight by itself. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "the and for are was were has have had not but you your yours with this that these those from into about what when where " +
    "which who why how can could should would will shall may might must does did done its it's they them their there here " +
    "our ours out all any some one two of to in on at by is it be as an or if so we me my do i'm than then please tell show give"
  ).split(" "),
);
