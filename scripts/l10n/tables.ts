/** The translation tables in l10n/ and package.nls*.json, and the texts used by the sources. */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "../command.ts";
import { localizedTexts } from "./localizedTexts.mjs";

/** Translations by English text; the source table maps each text to itself. */
export type Table = Readonly<Record<string, string>>;

/** Every text that `src` passes to `localize` or `plural` with its first file, and the calls without a literal. */
export function textsOfSources(): {
  readonly texts: ReadonlyMap<string, string>;
  readonly unreadable: readonly string[];
} {
  const texts = new Map<string, string>();
  const unreadable: string[] = [];
  for (const file of globSync("src/**/*.{ts,tsx}", { cwd: projectDirectory }).toSorted()) {
    if (file === path.join("src", "protocol", "localize.ts")) continue; // defines these functions
    const found = localizedTexts(readFileSync(path.join(projectDirectory, file), "utf8"), file);
    for (const text of found.texts) if (!texts.has(text)) texts.set(text, file);
    unreadable.push(...found.unreadable.map((call) => `${file}: ${call}`));
  }
  return { texts, unreadable };
}

/** Languages with a table: "de". */
export function languages(): readonly string[] {
  return globSync("l10n/bundle.l10n.*.json", { cwd: projectDirectory }).map(
    (file) => path.basename(file).split(".")[2] ?? "",
  );
}

/** File of a language's table; without a language that of the source table. */
export function tableFile(language?: string): string {
  return path.join(
    projectDirectory,
    "l10n",
    language === undefined ? "bundle.l10n.json" : `bundle.l10n.${language}.json`,
  );
}

/** File of the manifest's texts in a language; in English without one. */
export function manifestFile(language?: string): string {
  return path.join(projectDirectory, language === undefined ? "package.nls.json" : `package.nls.${language}.json`);
}

/** Reads a table. Throws if the file is not one. */
export function readTable(file: string): Table {
  const table: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof table !== "object" || table === null) throw new Error(`${file} holds no table`);
  return Object.fromEntries(Object.entries(table).map(([text, translation]) => [text, String(translation)]));
}

/** Distinct placeholders of a text (`{0}`, `{1}`), in order. */
export function placesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g))].toSorted();
}
