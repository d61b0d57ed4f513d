/** Numbers in the display language: "3.1" and "$0.02", or "3,1" and "0,02 $". Shared by host and webview. */

import { displayLanguage } from "./localize.ts";

/** At least `least` and at most `most` fraction digits, without grouping of thousands. */
export function formatDecimal(value: number, most: number, least = most): string {
  return formatted(value, most, { minimumFractionDigits: least, maximumFractionDigits: most });
}

/** A whole number with its thousands grouped: "3,712", or "3.712". */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(displayLanguage(), { maximumFractionDigits: 0 }).format(count);
}

export function formatDollars(usd: number, digits: number): string {
  const amount = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;
  return formatted(usd, digits, { ...amount, minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Localizes the decimal point of the core's figures: "2.1k / 129k (2%)" becomes "2,1k / 129k (2%)". */
export function localizedFigure(figure: string): string {
  return figure.replaceAll(/(?<=\d)\.(?=\d)/g, decimalSign());
}

function decimalSign(): string {
  return (
    formatOf({})
      .formatToParts(0.1)
      .find(({ type }) => type === "decimal")?.value ?? "."
  );
}

/** Rounded as `toFixed` does, in every language. */
function formatted(value: number, digits: number, options: Intl.NumberFormatOptions): string {
  return formatOf(options).format(Number(value.toFixed(digits)));
}

const made = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = displayLanguage();
  const key = `${language} ${JSON.stringify(options)}`;
  const format = made.get(key) ?? new Intl.NumberFormat(language, { ...options, useGrouping: false });
  made.set(key, format);
  return format;
}
