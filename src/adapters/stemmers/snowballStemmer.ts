/** The Snowball stemmers of English (Porter2) and German. */

import { stemmer as germanStem } from "@orama/stemmers/german";
import englishStem from "wink-porter2-stemmer";
import type { Stemmer } from "../../core/search/ranking/stemmer.ts";

export const snowballStemmer: Stemmer = {
  stem: (word, language) => (language === "german" ? germanStem(word) : englishStem(word)),
};
