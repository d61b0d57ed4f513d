/** Words too common to tell texts apart, and the language that they give away. */

import { foldText } from "../searchWords.ts";
import type { StemLanguage } from "./stemmer.ts";

/** The remains of "don't", "it's" and "we'll" are among them. */
const ENGLISH = foldedWords(`
  a about above after again against all also am an and any are aren as at be because been before being below between
  both but by can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn
  has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m
  ma me more most mustn my myself no nor not now o of off on once only or other our ours ourselves out over own re s
  same shan she should shouldn so some such t than that the their theirs them themselves then there these they this
  those through to too under until up us ve very was wasn we were weren what when where which while who whom whose why
  will with won would wouldn you your yours yourself yourselves`);

const GERMAN = foldedWords(`
  aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim
  bin bis bist da damit dann das dass daß dein deine deinem deinen deiner dem den denn der des dessen die dies diese
  diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige einigen er es etwas euch euer
  eure für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
  im in indem ins ist ja jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen
  keiner können könnte machen man manche mein meine meinem meinen meiner mich mir mit muss musste nach nicht nichts noch
  nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst
  über um und uns unser unsere unserem unseren unter viel vom von vor wann war waren warst warum was weg weil weiter
  welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wirst wo wollen wollte wurde
  wurden würde würden zu zum zur zwar zwischen`);

const STOP_WORDS: Readonly<Record<StemLanguage, ReadonlySet<string>>> = { english: ENGLISH, german: GERMAN };
/** Words of a text from which its language is read. */
export const LANGUAGE_WORDS = 300;

export function isStopWord(folded: string, language: StemLanguage): boolean {
  return STOP_WORDS[language].has(folded);
}

/** The language of most of the stop words at the beginning of a text; English if there are none, as in code. */
export function languageOf(words: readonly { readonly folded: string }[]): StemLanguage {
  let balance = 0;
  for (const { folded } of words.slice(0, LANGUAGE_WORDS)) balance += germanBalance(folded);
  return languageOfBalance(balance);
}

/** 1 for a stop word of German alone, -1 for one of English alone. */
export function germanBalance(folded: string): number {
  return Number(GERMAN.has(folded)) - Number(ENGLISH.has(folded));
}

/** By the sum of {@link germanBalance} over the first {@link LANGUAGE_WORDS} words. */
export function languageOfBalance(balance: number): StemLanguage {
  return balance > 0 ? "german" : "english";
}

function foldedWords(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/u).map(foldText));
}
