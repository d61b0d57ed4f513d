/** Few of the editor's own extensions: with all of them a window takes a third more to come up. */

import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Editor } from "./editors.ts";

/** The default themes and icons, the languages of the files that the tests write, and what shows images. */
const names = [
  "theme-defaults",
  "theme-modern-icons",
  "theme-seti",
  "configuration-editing",
  "css",
  "html",
  "javascript",
  "json",
  "markdown-basics",
  "media-preview",
  "shellscript",
  "typescript-basics",
];

/** Makes `directory`, where it is not there already, a folder of links to those that `editor` has. */
export function linkFewBuiltIns(editor: Editor, directory: string): void {
  if (existsSync(directory)) return;
  mkdirSync(directory, { recursive: true });
  const those = names.map((name) => path.join(editor.root, "extensions", name)).filter((folder) => existsSync(folder));
  for (const folder of those) symlinkSync(folder, path.join(directory, path.basename(folder)));
}
