/**
 * Splits a text into search words: without case and accents, with the offsets at which a match may begin. `getUserId`,
 * `get_user_id` and `getuserid` are one word; "user", "userid" and "id" begin in it as well.
 *
 * Scripts without spaces between words, and Korean, whose words carry endings, yield whole runs, in which a match may
 * begin at every character.
 */

export interface SearchWord {
  /** Without case, accents, underscores and differences of width. Never empty. */
  readonly folded: string;
  /** A match may begin at every character. */
  readonly isRun: boolean;
  /** Where a match may begin, in order. Empty in a run, as it may begin anywhere. */
  readonly beginnings: readonly WordBeginning[];
  /** Offset in the text. */
  readonly start: number;
}

export interface WordBeginning {
  /** Offset in the folded word. */
  readonly at: number;
  /** Offset in the text. */
  readonly start: number;
}

// Thai, Lao, Khmer and Burmese have no spaces either. The marks at the end voice a kana.
const RUN =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Hangul}" +
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\uff70\\u3005\\u3099\\u309a\\uff9e\\uff9f";
const WORD = new RegExp(`([${RUN}]+)|(?:(?![${RUN}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");

/**
 * Where an identifier is split: `HTTPServer2024_x` is HTTP, Server, 2024 and x. Single digits do not split. Long
 * lookbehinds come after a lookahead, so that a letter under thousands of accents is scanned once.
 */
const CUTS = new RegExp(
  `(${[
    "_+",
    "(?=\\p{Lu})(?<=\\p{Ll}[\\p{M}\\p{N}]*)",
    "(?<=[\\p{Lu}\\p{N}])(?=\\p{Lu}\\p{Ll})",
    "(?<=[\\p{L}\\p{M}])(?=\\p{N}{2})",
    "(?<=\\p{N})(?=\\p{L}{3})",
  ].join("|")})`,
  "u",
);
/** More pieces, separators included, than any name has; what has more is encoded data. */
const MOST_PIECES = 16;
const PLAIN = /^(?:[a-z]+|[0-9]+)$/;

export function* searchWords(text: string): Generator<SearchWord, void> {
  const words = new WordScanner(text);
  while (words.next()) {
    const { folded, isRun, beginnings, start } = words;
    yield { folded, isRun, beginnings: beginnings ?? [{ at: 0, start }], start };
  }
}

/** The units of ASCII that are part of a word. */
const ASCII_UNITS = Uint8Array.from({ length: 0x80 }, (_, unit) => Number(/\w/.test(String.fromCharCode(unit))));

/**
 * The words without an object for each, which would be most of what indexing leaves as garbage. Its members tell of the
 * word read last. Words of ASCII alone are found without the expression, as each of its matches is an object, too.
 */
export class WordScanner {
  readonly #text: string;
  #at = 0;
  folded = "";
  isRun = false;
  /** `undefined` for a word that has no parts: a match may begin at its start. */
  beginnings: readonly WordBeginning[] | undefined;
  start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** False at the end. */
  next(): boolean {
    while (this.#at < this.#text.length) {
      const word = this.#nextWord();
      if (word === "") continue;
      if (PLAIN.test(word)) [this.folded, this.beginnings] = [word, undefined];
      else if (this.isRun) [this.folded, this.beginnings] = [foldText(word), []];
      else ({ folded: this.folded, beginnings: this.beginnings } = foldIdentifier(word, this.start));
      if (this.folded !== "") return true;
    }
    return false;
  }

  /** Goes on to what follows the next word, or the next unit. Empty when there is none. */
  #nextWord(): string {
    const text = this.#text;
    let end = this.#at;
    while (ASCII_UNITS[text.charCodeAt(end)] === 1) end++;
    if (text.charCodeAt(end) >= ASCII_UNITS.length) return this.#matchedWord();
    this.start = this.#at;
    this.isRun = false;
    this.#at = Math.max(this.#at + 1, end);
    return text.slice(this.start, end);
  }

  #matchedWord(): string {
    WORD.lastIndex = this.#at;
    const match = WORD.exec(this.#text);
    const word = match?.[0] ?? "";
    this.start = match?.index ?? this.#text.length;
    this.isRun = match?.[1] !== undefined;
    this.#at = this.start + word.length;
    return word;
  }
}

function foldIdentifier(word: string, start: number): Pick<SearchWord, "folded" | "beginnings"> {
  const pieces = word.split(CUTS);
  if (pieces.length > MOST_PIECES) return { folded: foldText(word), beginnings: [{ at: 0, start }] };
  const beginnings: WordBeginning[] = [];
  let [folded, place] = ["", start];
  for (const piece of pieces) {
    const letters = foldText(piece);
    if (letters !== "") beginnings.push({ at: folded.length, start: place });
    folded += letters;
    place += piece.length;
  }
  return { folded, beginnings };
}

/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters; in other scripts marks are vowels. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/g;
/** What NFKD and NFKC leave of characters that stand for several: spaces, brackets, full stops. */
const SEPARATORS = /[\s\x00-\x2f\x3a-\x60\x7b-\x7f]/g;
/** Letters of their own in Unicode, typed as another one by those who have no key for them. */
const LETTERS = /[øłđðħŧıœæþς]/g;
const LETTER_FOR: Readonly<Record<string, string>> = {
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", œ: "oe", æ: "ae", þ: "th", ς: "σ" },
};
const ASCII = /^[\x00-\x7f]*$/;
/** More marks in a row than Unicode's stream-safe format allows: meaningless, and slow to normalize. */
const HEAPED_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Removes case, accents, underscores and differences of width. */
export function foldText(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase().replace(SEPARATORS, "");
  return word
    .replace(HEAPED_MARKS, "$1")
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(LETTERS, (letter) => LETTER_FOR[letter] ?? letter)
    .replace(SEPARATORS, "");
}
