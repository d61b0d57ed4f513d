export interface LocalizedTexts {
  /** In source order, including repetitions. */
  readonly texts: readonly string[];
  /** Calls whose text is not a literal. */
  readonly unreadable: readonly string[];
}

/** Finds the texts that `source` passes to `localize` and `plural`. `name` ends in `x` for JSX. */
export function localizedTexts(source: string, name?: string): LocalizedTexts;
