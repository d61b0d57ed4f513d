/** The page's words in other languages: scripts that stand in front of the page's own. Called by the build. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { localizedTexts } from "./localizedTexts.mjs";

/** Writes `webview.<language>.js` into `outdir` for each table in l10n/, with the texts that the page has and no others. */
export async function writePageTables(root, outdir) {
  const used = new Set(await textsOfPage(path.join(root, "src/webview")));
  for (const name of await readdir(path.join(root, "l10n"))) {
    const language = /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1];
    if (language === undefined) continue;
    const table = JSON.parse(await readFile(path.join(root, "l10n", name), "utf8"));
    await writeFile(path.join(outdir, `webview.${language}.js`), pageTable(table, used));
  }
}

/** The script: one constant, which `webview/translations.ts` reads. */
export function pageTable(table, used) {
  const shown = Object.fromEntries(Object.entries(table).filter(([text]) => used.has(text)));
  return `const forgeTranslations = ${JSON.stringify(shown, undefined, 1)};\n`;
}

async function textsOfPage(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  const sources = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  return files.flatMap((file, index) => localizedTexts(sources[index], file).texts);
}
