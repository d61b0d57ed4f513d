/**
 * Translations, keyed by the English text, as in the editor's own `vscode.l10n`. Host and webview each load the table
 * of `l10n/bundle.l10n.<language>.json` once, before anything is shown. What a model reads is never translated.
 */

/** Key and value have the same placeholders `{0}`, `{1}`, …. */
export type Translations = Readonly<Record<string, string>>;

let translations: Translations = {};
let language = "en";

/** Sets the table of `localize` and `plural`, and the language of numbers. */
export function setTranslations(table: Translations, languageOfTable = "en"): void {
  translations = table;
  language = languageOfTable;
}

/** Such as "de". */
export function displayLanguage(): string {
  return language;
}

/** The translation of `message`, or `message` itself, with `{0}`, `{1}`, … filled from `values`. */
export function localize(message: string, ...values: readonly (string | number)[]): string {
  const text = Object.hasOwn(translations, message) ? (translations[message] ?? message) : message;
  return text.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

/** `one` for a count of 1, else `many`: whole sentences, as fragments do not translate. `{0}` is the count. */
export function plural(count: number, one: string, many: string, ...values: readonly (string | number)[]): string {
  return localize(count === 1 ? one : many, count, ...values);
}
