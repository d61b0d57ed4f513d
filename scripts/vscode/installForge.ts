/** Installs the packaged Forge once for all servers of a run, so that tests prove the package complete. */

import { existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { installVsix } from "./editorServer.ts";
import type { Editor } from "./editors.ts";
import { testDirectory } from "./nodeRuntime.mjs";

/** Output of `npm run package`. */
export const vsixFile = path.resolve(import.meta.dirname, "../../forge.vsix");

/**
 * Extensions folder with Forge from `forge.vsix`. Installs it again only if the package is newer. Throws if there is no
 * package.
 */
export function installForge(editor: Editor): string {
  if (!existsSync(vsixFile)) throw new Error("there is no forge.vsix: npm run package");
  const directory = path.join(testDirectory, `extensions-${editor.name}`);
  const list = path.join(directory, "extensions.json");
  if (existsSync(list) && statSync(list).mtimeMs > statSync(vsixFile).mtimeMs) return directory;
  rmSync(directory, { recursive: true, force: true });
  installVsix(editor, vsixFile, directory);
  return directory;
}
