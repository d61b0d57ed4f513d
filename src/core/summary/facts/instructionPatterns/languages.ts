/** Guesses the languages of a sentence from its script and its function words. */

import { chinese, japanese, korean } from "./eastAsian.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import type { InstructionPatterns } from "./instructionPatterns.ts";
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
];
const WORDS: readonly (readonly [forms: InstructionPatterns, words: ReadonlySet<string>])[] = MARKS.map(
  ([forms, words]) => [forms, new Set(words.split(" "))],
);
const LATIN = WORDS.map(([forms]) => forms);
const MOST_WORDS_READ = 60;

/** Patterns of every language that the sentence may be in; several when it is ambiguous. */
export function patternsFor(sentence: string): readonly InstructionPatterns[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sentence)) return [japanese];
  if (/\p{Script=Han}/u.test(sentence)) return [chinese, japanese];
  if (/\p{Script=Hangul}/u.test(sentence)) return [korean];
  if (/\p{Script=Cyrillic}/u.test(sentence)) return [russian];
  const words =
    sentence
      .toLowerCase()
      .match(/\p{L}+(?:['’]t)?/gu)
      ?.slice(0, MOST_WORDS_READ) ?? [];
  const marks = WORDS.map(([, known]) => words.filter((word) => known.has(word.replace("’", "'"))).length);
  const most = Math.max(...marks);
  // A single function word does not rule English out: most names are English.
  return LATIN.filter((forms, index) => marks[index] === most || (forms === english && most < 2));
}
