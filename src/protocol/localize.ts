/**
 * Words in the user's language. The English text is the key, as in the editor's own `vscode.l10n`; host and page each take
 * the table of `l10n/bundle.l10n.<language>.json` once, before anything is shown. What a model reads is never translated.
 */

/** Translations by their English text; both have the same places `{0}`, `{1}`, …. */
export type Translations = Readonly<Record<string, string>>;

let translations: Translations = {};
let language = "en";

/** From now on `localize` and `plural` speak the language of `table`, and numbers are written in it; none means English. */
export function useTranslations(table: Translations, languageOfTable = "en"): void {
  translations = table;
  language = languageOfTable;
}

/** The language of the words, such as "de". */
export function languageOfWords(): string {
  return language;
}

/** The translation of `message`, else `message` itself, with `{0}` replaced by the first of `values`, and so on. */
export function localize(message: string, ...values: readonly (string | number)[]): string {
  const text = Object.hasOwn(translations, message) ? (translations[message] ?? message) : message;
  return text.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

/** `one` for a count of 1, else `many`: whole sentences, for parts of them do not fit together in every language. `{0}` is the count. */
export function plural(count: number, one: string, many: string, ...values: readonly (string | number)[]): string {
  return localize(count === 1 ? one : many, count, ...values);
}
