/**
 * `npm run l10n`: writes the table of all texts that Forge shows, and sorts each translated table in its order. Removes
 * unused translations; lists missing ones and fails.
 */

import { writeFileSync } from "node:fs";
import { languages, readTable, type Table, tableFile, textsOfSources } from "./l10n/tables.ts";

const { texts, unreadable } = textsOfSources();
const sorted = [...texts.keys()].toSorted((one, other) => one.localeCompare(other, "en"));
write(tableFile(), Object.fromEntries(sorted.map((text) => [text, text])));

const missing = languages().flatMap((language) => {
  const old = readTable(tableFile(language));
  write(
    tableFile(language),
    Object.fromEntries(sorted.flatMap((text) => (text in old ? [[text, old[text] ?? ""]] : []))),
  );
  return sorted
    .filter((text) => !(text in old))
    .map((text) => `${language}: ${JSON.stringify(text)} (${texts.get(text) ?? ""})`);
});
for (const line of [...unreadable.map((call) => `no literal: ${call}`), ...missing]) console.log(line);
console.log(`${sorted.length} texts, ${missing.length} translations missing`);
if (unreadable.length + missing.length > 0) process.exitCode = 1;

function write(file: string, table: Table): void {
  writeFileSync(file, `${JSON.stringify(table, undefined, 2)}\n`);
}
