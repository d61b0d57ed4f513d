/** Licences of third-party code in the package. Plain JavaScript, since the build uses it. */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";

/** The licences of all packages that `files` belong to. Throws for a package without the text of its licence. */
export async function thirdPartyNotices(root, files) {
  const packages = [...new Set(files.map(packageFolder).filter((folder) => folder !== undefined))].sort();
  const notices = await Promise.all(packages.map((folder) => notice(path.join(root, folder))));
  return `Forge contains the following packages.\n\n${notices.join("\n")}`;
}

/** "node_modules/@scope/name" for a file in it; `undefined` for the project's own files. */
function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** Copyright of packages under the MIT licence that come without its text, as their sources state it. */
const COPYRIGHTS = {
  "@xterm/headless":
    "Copyright (c) 2014-2024 The xterm.js authors\nCopyright (c) 2012-2013, Christopher Jeffrey\n" +
    "Copyright (c) Microsoft Corporation",
  "js-tiktoken": "Copyright (c) 2022 OpenAI, Shantanu Jain",
};

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const names = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file)).sort();
  const texts = await Promise.all(names.map((file) => readFile(path.join(folder, file), "utf8")));
  if (name in COPYRIGHTS) texts.push(`${COPYRIGHTS[name]}\n\n${MIT}`);
  if (texts.every((text) => text.trim() === "")) throw new Error(`the text of the licence of ${name} is missing`);
  const heading = `${name} ${version} (${license})`;
  return [`${heading}\n${"=".repeat(heading.length)}`, ...texts.map((text) => text.trim()), ""].join("\n\n");
}
