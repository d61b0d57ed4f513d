/** Port to stemming: `connections`, `connected` and `connection` are one term. */

export type StemLanguage = "english" | "german";

export interface Stemmer {
  /** `word` has no upper case letters and no accents. Must return the same stem for the same word. */
  stem(word: string, language: StemLanguage): string;
}

/** Words that differ in an ending are different terms. */
export const UNSTEMMED: Stemmer = { stem: (word) => word };
