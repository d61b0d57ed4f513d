/** The tables of words in l10n/ and package.nls*.json, beside what the sources ask for. */

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "../command.ts";
import { localizedTexts } from "./localizedTexts.mjs";

/** English texts and their translations; in the source's table each stands for itself. */
export type Table = Readonly<Record<string, string>>;

/** Every text that `src` gives to `localize` or `plural`, by its files; and the calls that cannot be read. */
export function textsOfSources(): {
  readonly texts: ReadonlyMap<string, string>;
  readonly unreadable: readonly string[];
} {
  const texts = new Map<string, string>();
  const unreadable: string[] = [];
  for (const file of globSync("src/**/*.{ts,tsx}", { cwd: projectDirectory }).toSorted()) {
    if (file === path.join("src", "protocol", "localize.ts")) continue; // where they are made
    const found = localizedTexts(readFileSync(path.join(projectDirectory, file), "utf8"), file);
    for (const text of found.texts) if (!texts.has(text)) texts.set(text, file);
    unreadable.push(...found.unreadable.map((call) => `${file}: ${call}`));
  }
  return { texts, unreadable };
}

/** The languages that there are tables for: "de". */
export function languages(): readonly string[] {
  return globSync("l10n/bundle.l10n.*.json", { cwd: projectDirectory }).map(
    (file) => path.basename(file).split(".")[2] ?? "",
  );
}

/** File of the words of a language; of the source's own without one. */
export function tableFile(language?: string): string {
  return path.join(
    projectDirectory,
    "l10n",
    language === undefined ? "bundle.l10n.json" : `bundle.l10n.${language}.json`,
  );
}

/** File of what the manifest says in a language; in English without one. */
export function manifestFile(language?: string): string {
  return path.join(projectDirectory, language === undefined ? "package.nls.json" : `package.nls.${language}.json`);
}

/** Reads a table; throws where it is none. */
export function readTable(file: string): Table {
  const table: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (typeof table !== "object" || table === null) throw new Error(`${file} holds no table`);
  return Object.fromEntries(Object.entries(table).map(([text, translation]) => [text, String(translation)]));
}

/** The places of a text, `{0}` and so on, each once, in order. */
export function placesIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g))].toSorted();
}
