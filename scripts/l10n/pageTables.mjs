/** Scripts with the page's translations, which are loaded before the page's own. Used by the build. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { localizedTexts } from "./localizedTexts.mjs";

export async function pageTables(root) {
  const used = new Set(await textsOfPage(path.join(root, "src/webview")));
  const scripts = {};
  for (const name of await readdir(path.join(root, "l10n"))) {
    const language = /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1];
    if (language === undefined) continue;
    const table = JSON.parse(await readFile(path.join(root, "l10n", name), "utf8"));
    scripts[`webview.${language}.js`] = pageTable(table, used);
  }
  return scripts;
}

/** A script with one constant, which `webview/translations.ts` reads. */
export function pageTable(table, used) {
  const shown = Object.fromEntries(Object.entries(table).filter(([text]) => used.has(text)));
  return `const forgeTranslations = ${JSON.stringify(shown, undefined, 1)};\n`;
}

async function textsOfPage(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  const sources = await Promise.all(files.map((file) => readFile(path.join(folder, file), "utf8")));
  return files.flatMap((file, index) => localizedTexts(sources[index], file).texts);
}
