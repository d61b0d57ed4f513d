/**
 * The words of a text as they are searched for: without case and accents, with the places inside them at which a search may
 * begin. `getUserId`, `get_user_id` and `getuserid` are one word; "user", "userid" and "id" begin in it as well.
 *
 * Scripts that are written without blanks between words, and Korean, whose words carry endings, have words of whole runs,
 * in which a search may begin at every character.
 */

/** A word of a text. */
export interface SearchWord {
  /** Without case, accents, underscores and differences of width. Never empty. */
  readonly folded: string;
  /** A search may begin at every character. */
  readonly isRun: boolean;
  /** Where a search may begin, the first place in front. Empty in a run, as it may begin anywhere. */
  readonly beginnings: readonly WordBeginning[];
  /** Where the word stands in the text. */
  readonly start: number;
}

/** A place at which a search may begin. */
export interface WordBeginning {
  /** In the folded word. */
  readonly at: number;
  /** In the text. */
  readonly start: number;
}

// Thai, Lao, Khmer and Burmese are written without blanks too. The marks at the end voice a kana.
const RUN =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Hangul}" +
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\uff70\\u3005\\u3099\\u309a\\uff9e\\uff9f";
const WORD = new RegExp(`([${RUN}]+)|(?:(?![${RUN}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");

/**
 * Where an identifier is cut: `HTTPServer2024_x` is HTTP, Server, 2024 and x. Single digits stay where they are. What looks
 * far back looks ahead first: a letter under thousands of accents is gone through once.
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
/** More pieces, with the cuts between them, than any name has; what has more is no name but encoded data. */
const MOST_PIECES = 16;
const PLAIN = /^(?:[a-z]+|[0-9]+)$/;

/** The words of `text`, in order. */
export function* searchWords(text: string): Generator<SearchWord, void> {
  for (const { 0: word, 1: run, index: start } of text.matchAll(WORD)) {
    const isRun = run !== undefined;
    if (PLAIN.test(word)) yield { folded: word, isRun, beginnings: [{ at: 0, start }], start };
    else {
      const { folded, beginnings } = isRun ? { folded: foldText(word), beginnings: [] } : foldIdentifier(word, start);
      if (folded !== "") yield { folded, isRun, beginnings, start };
    }
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
/** What is left of characters that stand for several: blanks, brackets, stops. */
const SEPARATORS = /[\s\x00-\x2f\x3a-\x60\x7b-\x7f]/g;
/** Letters that are their own in Unicode and another one's to who has no key for them. */
const LETTERS = /[øłđðħŧıœæþς]/g;
const LETTER_FOR: Readonly<Record<string, string>> = {
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", œ: "oe", æ: "ae", þ: "th", ς: "σ" },
};
const ASCII = /^[\x00-\x7f]*$/;
/** More marks in a row than Unicode's stream-safe texts have: they say nothing, and normalizing sorts them one by one. */
const HEAPED_MARKS = /(\p{M}{30})\p{M}+/gu;

/** A word without case, accents, underscores and differences of width. */
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
