/** What a source has translated. */
export interface LocalizedTexts {
  /** In the source's order, repeated where it repeats them. */
  readonly texts: readonly string[];
  /** Calls whose text is no literal. */
  readonly unreadable: readonly string[];
}

/** Finds the texts that `source` gives to `localize` and `plural`; `name` ends in `x` where it holds elements. */
export function localizedTexts(source: string, name?: string): LocalizedTexts;
