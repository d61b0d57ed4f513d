/** Guesses the languages of a sentence from its script and its function words. */

import { chinese, japanese, korean } from "./eastAsian.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { Slice, type CooperativeTask } from "../../../cooperativeTask.ts";
import { patternsIn, type InstructionPatterns } from "./instructionPatterns.ts";
import {
  arabic,
  czech,
  danish,
  finnish,
  greek,
  hebrew,
  hindi,
  hungarian,
  indonesian,
  persian,
  romanian,
  swedish,
  thai,
  turkish,
  ukrainian,
  vietnamese,
} from "./moreLanguages.ts";
import { dutch, italian, polish, russian } from "./otherLanguages.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";

/** Function words; those shared by two languages are listed with both. */
const MARKS: readonly (readonly [forms: InstructionPatterns, words: string])[] = [
  [
    english,
    "the a an and or of to in is are it you we i for on with that this not no be do don't dont never always only must should if when before after from at as by use keep please every all any without has have needs more than into there my our your its they",
  ],
  [
    german,
    "der die das den dem des ein eine einen einem einer und oder nicht kein keine keinen keiner ist sind im in am zu zum zur mit für auf von vom bei nur nie niemals immer bitte wir ich du sie es dass wenn vor nach ohne statt muss müssen soll sollen darf aus als auch erst jede jeder jedes jeden wird werden über ab bis alle noch so man mal pro um",
  ],
  [
    french,
    "le la les l un une des du de d et ou ne pas n je tu on nous vous il elle est sont dans sur pour par avec sans que qu qui ce cette ces mon ton votre nos vos jamais toujours aucun aucune plutôt au aux en si avant après chaque tous toutes tout c doit doivent faut merci y lieu",
  ],
  [
    spanish,
    "el la los las un una unos unas de del y o no ni que en con sin por para se lo al es son está hay siempre nunca sólo solo cada todo todos todas antes después si cuando debe deben nada tu te me su mi nos más muy esto eso ese esta este quiero usa como vez",
  ],
  [
    portuguese,
    "o a os as um uma de do da dos das e ou não nem que em no na nos nas com sem por para se ao é são está há sempre nunca só apenas cada todo todos todas antes depois quando deve devem nada você te me seu sua mais muito isso esse essa este esta pelo pela use à vez",
  ],
  [
    italian,
    "il lo la i gli le un una di del della dei delle e o non che in con senza per si al è sono sempre mai solo ogni tutti tutte prima dopo se quando deve devono nei nella nel questo questa più da dal",
  ],
  [
    dutch,
    "de het een en of niet geen is zijn in op met voor van bij nooit altijd alleen wij ik je jij dat als zonder moet moeten naar uit ook eerst elke alle aan te om wordt worden nog",
  ],
  [
    polish,
    "i w z na do nie się jest są to że po bez tylko nigdy zawsze każdy każda przed dla od jak ale przez o ma być",
  ],
  [
    turkish,
    "ve bir bu da de için ile ne mi mı mu değil var yok çok daha gibi kadar sonra önce her olarak ama veya ya hiç asla lütfen sadece yalnızca şu ben sen biz siz bana hep tüm bütün olmadan zaman",
  ],
  [
    swedish,
    "och att det som en ett är på i av för med inte den till om har de vi du jag aldrig alltid bara måste ska bör när innan efter utan alla varje från eller får",
  ],
  [
    danish,
    "og at det som en et er på i av af for med ikke den til om har de vi du jeg aldri aldrig alltid altid bare kun skal når før etter efter uten uden alle hver fra eller må å",
  ],
  [
    czech,
    "a v na je se to že do s z pro jako jsou nebo ale před po bez vždy nikdy jen pouze každý každá musí když prosím ve ke od už u není",
  ],
  [
    hungarian,
    "a az és egy nem is hogy van de ha csak ne mindig soha minden előtt után nélkül kell meg el vagy ez ezt azt itt nincs már",
  ],
  [
    romanian,
    "și de la în cu pe nu este sunt un o să că pentru din ce sau dar fără înainte după mereu niciodată doar numai toate fiecare trebuie când te se",
  ],
  [
    finnish,
    "ja on ei se että kun jos vain aina koskaan ennen jälkeen ilman kaikki jokainen tai mutta ole tämä älä niin",
  ],
  [
    vietnamese,
    "và của là có không được cho các một những trong này khi với để thì đã sẽ tôi bạn chỉ phải hãy đừng mọi luôn trước sau bằng vào",
  ],
  [
    indonesian,
    "dan yang di ke dari untuk dengan ini itu tidak adalah pada saya kamu kita akan bisa harus jangan selalu hanya setiap semua sebelum sesudah tanpa atau dalam",
  ],
];
const WORDS: readonly (readonly [forms: InstructionPatterns, words: ReadonlySet<string>])[] = MARKS.map(
  ([forms, words]) => [forms, new Set(words.split(" "))],
);
const LATIN = WORDS.map(([forms]) => forms);
/** The first of them. */
const WIDESPREAD = LATIN.slice(0, LATIN.indexOf(polish) + 1);
const MOST_WORDS_READ = 60;

/** Languages that are told by their script. */
const OTHERS = [chinese, japanese, korean, ukrainian, russian, arabic, persian, hebrew, hindi, thai, greek];

/**
 * Compiles the patterns of all languages, a few between two pauses. An engine compiles a pattern at its first use, anew at
 * the second, and once more for text with letters beyond Latin 1: up to 6 ms for one, 200 ms for those that a single
 * sentence may need. What is compiled already takes no time.
 */
export class CompiledPatterns {
  readonly #slice = new Slice(PATTERNS_A_SLICE);
  #isNarrow = false;
  #isWide = false;

  *compileFor(text: string): CooperativeTask<void> {
    if (!this.#isNarrow) yield* this.#use(LATIN, "say it");
    this.#isNarrow = true;
    if (this.#isWide || !WIDE.test(text)) return;
    this.#isWide = true;
    yield* this.#use([...LATIN, ...OTHERS], "say …");
  }

  *#use(languages: readonly InstructionPatterns[], sample: string): CooperativeTask<void> {
    for (const pattern of languages.flatMap(patternsIn)) {
      for (let uses = 0; uses < USES_UNTIL_COMPILED; uses++) pattern.test(sample);
      if (this.#slice.isOver(1)) yield;
    }
  }
}

const PATTERNS_A_SLICE = 8;

/** Letters that a text stores in two bytes each. */
const WIDE = /[^\u0000-\u00ff]/;
const USES_UNTIL_COMPILED = 2;

/** Patterns of every language that the sentence may be in; several when it is ambiguous. */
export function patternsFor(sentence: string): readonly InstructionPatterns[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sentence)) return [japanese];
  if (/\p{Script=Han}/u.test(sentence)) return [chinese, japanese];
  if (/\p{Script=Hangul}/u.test(sentence)) return [korean];
  if (/[іїєґ]/iu.test(sentence)) return [ukrainian];
  if (/\p{Script=Cyrillic}/u.test(sentence)) return [russian];
  if (/\p{Script=Arabic}/u.test(sentence)) return /[پچژگکی]/u.test(sentence) ? [persian] : [arabic, persian];
  if (/\p{Script=Hebrew}/u.test(sentence)) return [hebrew];
  if (/\p{Script=Devanagari}/u.test(sentence)) return [hindi];
  if (/\p{Script=Thai}/u.test(sentence)) return [thai];
  if (/\p{Script=Greek}/u.test(sentence)) return [greek];
  const words =
    sentence
      .toLowerCase()
      .replaceAll("\u0307", "") // what becomes of a Turkish İ
      .match(/\p{L}+(?:['’]t)?/gu)
      ?.slice(0, MOST_WORDS_READ) ?? [];
  const marks = WORDS.map(([, known]) => words.filter((word) => known.has(word.replace("’", "'"))).length);
  const most = Math.max(...marks);
  // A single function word does not rule English out: most names are English.
  // Code and names have no function words: rarer languages are then told by their letters only.
  const isPlain = most === 0 && !/[^\0-\x7f]/.test(sentence);
  return (isPlain ? WIDESPREAD : LATIN).filter(
    (forms, index) => marks[index] === most || (forms === english && most < 2),
  );
}
