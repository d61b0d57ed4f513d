/**
 * Sentences in which the user directs: standing orders and wishes that must outlive every compaction word for word.
 *
 * The words are a table by language that can grow. Latin words are matched whole, others as they stand.
 */

import { sentencesOf } from "./lines.ts";
import { isStandingOrder } from "./standingOrders.ts";

/** Longer sentences are pasted text rather than an order. */
const LONGEST_DIRECTIVE_UNITS = 500;
const SHORTEST_DIRECTIVE_UNITS = 6;

/** The directives in what a user wrote, word for word, in order, without doubles. Questions direct nothing. */
export function directivesOf(userText: string): readonly string[] {
  const directives = sentencesOf(userText).filter(isDirective);
  return [...new Set(directives)];
}

/** Whether a sentence directs. */
export function isDirective(sentence: string): boolean {
  if (sentence.length < SHORTEST_DIRECTIVE_UNITS || sentence.length > LONGEST_DIRECTIVE_UNITS) return false;
  return !QUESTION.test(sentence) && (CUES.some((cue) => cue.test(sentence)) || isStandingOrder(sentence));
}

const QUESTION = /[?？؟]["'”’)\]»」]*$/;

const CUE_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: [
    ...[
      "must",
      "must not",
      "mustn['’]t",
      "never",
      "always",
      "do not",
      "don['’]?t",
      "prefer",
      "remember",
      "avoid",
      "ensure",
    ],
    ...[
      "make sure",
      "make certain",
      "be sure to",
      "should not",
      "shouldn['’]t",
      "should",
      "may not",
      "need to",
      "needs to",
    ],
    ...["from now on", "at all times", "under no circumstances", "no matter what", "instead of", "stick to", "rule"],
    ...[
      "only use",
      "(?:may|can|must|should|shall) only",
      "have to",
      "has to",
      "use only",
      "only ever",
      "no more than",
      "at most",
      "at least",
      "keep in mind",
      "note that",
      "important",
    ],
    ...["required", "forbidden", "not allowed", "i want", "i['’]d like", "i would like", "(?:i|we) expect", "insist"],
  ],
  de: [
    ...["muss", "müssen", "musst", "darf nicht", "dürfen nicht", "darfst nicht", "nie", "niemals", "immer", "stets"],
    ...[
      "bevorzuge",
      "lieber",
      "vermeide",
      "merk dir",
      "denk daran",
      "achte darauf",
      "stell sicher",
      "soll",
      "sollst",
      "sollen",
    ],
    ...["ab jetzt", "auf keinen fall", "nicht erlaubt", "verboten", "ich möchte", "ich will", "nur noch"],
  ],
  fr: [
    ...["dois", "doit", "doivent", "il faut", "jamais", "toujours", "ne pas", "préfère", "préférer", "évite", "éviter"],
    ...[
      "rappelle-toi",
      "souviens-toi",
      "n['’]oublie pas",
      "assure-toi",
      "désormais",
      "interdit",
      "obligatoire",
      "je veux",
    ],
  ],
  es: [
    ...[
      "debe",
      "debes",
      "deben",
      "hay que",
      "nunca",
      "siempre",
      "no uses",
      "no hagas",
      "prefiero",
      "prefiere",
      "evita",
    ],
    ...["recuerda", "asegúrate", "a partir de ahora", "prohibido", "obligatorio", "quiero que"],
  ],
  pt: [
    "deve",
    "devem",
    "nunca",
    "sempre",
    "não use",
    "não faça",
    "prefira",
    "evite",
    "lembre-se",
    "certifique-se",
    "proibido",
  ],
  it: [
    "devi",
    "deve",
    "bisogna",
    "mai",
    "sempre",
    "preferisci",
    "evita",
    "ricorda",
    "assicurati",
    "vietato",
    "d['’]ora in poi",
  ],
  nl: [
    "moet",
    "moeten",
    "nooit",
    "altijd",
    "niet gebruiken",
    "liever",
    "vermijd",
    "onthoud",
    "zorg ervoor",
    "verboden",
  ],
  pl: ["musi", "musisz", "nigdy", "zawsze", "nie używaj", "wolę", "unikaj", "pamiętaj", "upewnij się"],
  ru: [
    "должен",
    "должна",
    "должны",
    "никогда",
    "всегда",
    "нельзя",
    "не используй",
    "предпочитаю",
    "избегай",
    "запомни",
    "помни",
  ],
  zh: [
    "必须",
    "必須",
    "不要",
    "不得",
    "禁止",
    "务必",
    "務必",
    "永远",
    "永遠",
    "始终",
    "始終",
    "总是",
    "總是",
    "请记住",
    "記住",
    "避免",
    "一定要",
    "不能",
    "应该",
  ],
  ja: [
    "必ず",
    "常に",
    "決して",
    "絶対に",
    "しないで",
    "してください",
    "使わないで",
    "避けて",
    "覚えて",
    "禁止",
    "べき",
    "てはいけ",
  ],
  ko: ["반드시", "항상", "절대", "하지 마", "마세요", "기억", "금지", "피하", "해야"],
};

const CUES: readonly RegExp[] = Object.values(CUE_WORDS).map((words) => {
  const [latin, other] = [words.filter(isLatin), words.filter((word) => !isLatin(word))];
  const bounded = latin.length > 0 ? [`(?<![\\p{L}\\p{N}_])(?:${latin.join("|")})(?![\\p{L}\\p{N}_])`] : [];
  return new RegExp([...bounded, ...other].join("|"), "iu");
});

/** Cyrillic is written with blanks between words, as Latin is. */
function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Cyrillic}\s'’[\]-]+$/u.test(word);
}
