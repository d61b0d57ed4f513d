/** Licences of third-party code in the package. Plain JavaScript, since the build uses it. */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";

/** The licences of all packages that `files` belong to. Throws for a package without a licence file. */
export async function thirdPartyNotices(root, files) {
  const packages = [...new Set(files.map(packageFolder).filter((folder) => folder !== undefined))].sort();
  const notices = await Promise.all(packages.map((folder) => notice(path.join(root, folder))));
  return `Forge contains the following packages.\n\n${notices.join("\n")}`;
}

/** "node_modules/@scope/name" for a file in it; `undefined` for the project's own files. */
function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const names = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
  const texts = await Promise.all(names.map((file) => readFile(path.join(folder, file), "utf8")));
  if (texts.length === 0 && license === undefined) throw new Error(`${name} has no licence`);
  const heading = `${name} ${version} (${license})`;
  return [`${heading}\n${"=".repeat(heading.length)}`, ...texts.map((text) => text.trim()), ""].join("\n\n");
}
