/** The language of a text, told by its most frequent words, or by its script where one language alone is written in it. */

/** Words that most sentences of a language have and other languages lack. */
const WORDS: Readonly<Record<string, string>> = {
  en: "the and of to is are was were that this with for not have has had it you be been they which from will would should there when what then them into because by",
  de: "der die das und ist nicht ein eine einen dem den mit auf für wird werden wurde wurden sind sich auch noch aber oder wenn dass nach bei vom zum zur im ich wir sie er es kann soll hat haben als wie über",
  fr: "le les des est une dans pour pas que qui sur avec sont été par plus mais nous vous il elle du au aux ce cette ces être avoir fait comme ou où leur ne",
  es: "el los las una que por para con del es está son fue se lo pero como más no ya sin sobre también este esta estos ser hay porque cuando muy sus al y si tiene",
  pt: "os as uma que não para com por mais como mas foi ele ela são está você isso este esta pelo pela dos das ao também já quando muito sem seu sua em no na um e foram",
  it: "il gli che non una per con del della dei delle sono è stato anche come più ma se nel nella alla al dal questo questa essere ha ho hanno perché quando si lo",
  nl: "de het een van en niet dat die voor met is zijn was werd worden aan ook maar als bij naar om nog wel hebben heeft deze dit geen er door kan moet",
  pl: "nie jest na się że do to jak ale po przez dla od jego jej są był była było być tylko może tak już oraz lub więc bez przy który która",
  tr: "ve bir bu için ile da de olarak olan değil daha çok gibi kadar sonra ama veya her ise var yok en ki mi şu göre önce ancak kullanıcı sadece",
  sv: "och att det som en är på för med inte har av till den de ett om var jag vi kan ska från men så eller när också vid",
  cs: "je se na to že v do s by ale jak pro nebo při jsou byl byla bylo být ani jen jako tak už podle který která není",
  vi: "và là của có không được cho trong với một các những này đã để khi từ thì người ra vào sẽ đó",
  id: "yang dan di untuk dengan tidak ini itu dari pada adalah ke akan dalam oleh sudah bisa ada juga atau telah karena saya",
};

const LANGUAGES_OF_WORD = wordsToLanguages();

/** Scripts in the order in which they are asked for: Japanese has Han characters, too. */
const SCRIPTS: readonly (readonly [language: string, pattern: RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["cyrillic", /\p{Script=Cyrillic}/gu],
  ["arabic", /\p{Script=Arabic}/gu],
  ["hebrew", /\p{Script=Hebrew}/gu],
  ["greek", /\p{Script=Greek}/gu],
  ["thai", /\p{Script=Thai}/gu],
  ["devanagari", /\p{Script=Devanagari}/gu],
];
/** Share of the letters of a text that are in a script of its own, from which that is its language. */
const LEAST_SHARE_OF_SCRIPT = 0.15;
/** Kana among the characters of a Japanese text: names in Chinese texts have fewer. */
const LEAST_KANA_SHARE = 0.05;

/** Evidence for each language, most of it first; empty if the text has too few words to tell. */
export interface LanguageEvidence {
  readonly language: string;
  /** Of all evidence, from 0 to 1. */
  readonly share: number;
}

const LEAST_WORDS = 5;

/** Reads at most the first `LONGEST_UNITS` of `text`; give prose without code. */
export function languagesOf(text: string): readonly LanguageEvidence[] {
  const read = text.slice(0, LONGEST_UNITS);
  const letters = countOf(read, /\p{L}/gu);
  if (letters === 0) return [];
  const found = new Map<string, number>();
  for (const [language, pattern] of SCRIPTS) {
    const share = countOf(read, pattern) / letters;
    if (language === "ja" && share < LEAST_KANA_SHARE) continue;
    if (language === "zh" && found.has("ja")) continue;
    if (share >= (language === "ja" ? LEAST_KANA_SHARE : LEAST_SHARE_OF_SCRIPT)) found.set(language, letters * share);
  }
  if (found.size === 0) {
    for (const [word] of read.toLowerCase().matchAll(/\p{L}+/gu)) {
      for (const language of LANGUAGES_OF_WORD.get(word) ?? []) found.set(language, (found.get(language) ?? 0) + 1);
    }
    const best = Math.max(0, ...found.values());
    if (best < LEAST_WORDS) return [];
  }
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  return [...found]
    .map(([language, count]) => ({ language, share: count / total }))
    .toSorted((one, other) => other.share - one.share);
}

/** True for one of the most frequent words of a language, which says nothing about a text. */
export function isFunctionWord(word: string): boolean {
  return LANGUAGES_OF_WORD.has(word);
}

const LONGEST_UNITS = 60_000;

function countOf(text: string, pattern: RegExp): number {
  let count = 0;
  for (const match of text.matchAll(pattern)) count += match.length;
  return count;
}

function wordsToLanguages(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(WORDS)) {
    for (const word of words.split(" ")) {
      const known = languages.get(word);
      if (known === undefined) languages.set(word, [language]);
      else known.push(language);
    }
  }
  return languages;
}
