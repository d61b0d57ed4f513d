/** The editor's own extensions in its tests. */

import { existsSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Editor } from "./editors.ts";
import { installFolder, testDirectory } from "./nodeRuntime.mjs";

/** Colors, icons, pictures, Git, the languages whose files the tests open, and the compiler that one of these starts. */
const needed = [
  ...["theme-defaults", "theme-seti", "media-preview", "git", "git-base"],
  ...["javascript", "json", "json-language-features", "markdown-basics"],
  ...["typescript-basics", "typescript-language-features", "node_modules"],
];

/**
 * Folder with the built-in extensions that tests need, instead of a hundred. A server reads the manifests of all at each
 * start, and sends them to each window and to each extension host: a sixth of what an empty window costs.
 */
export function neededBuiltIns(editor: Editor): string {
  const folder = path.join(testDirectory, `built-ins-${editor.name}`);
  if (needed.every((name) => existsSync(path.join(folder, name)))) return folder;
  installFolder(folder, (partial) => {
    for (const name of needed) {
      symlinkSync(path.join(editor.root, "extensions", name), path.join(partial, name), "junction");
    }
  });
  return folder;
}
