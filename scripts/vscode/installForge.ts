/** The packaged Forge, installed once for all servers of a run: tests get what users get, and prove it complete. */

import { existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { installVsix } from "./editorServer.ts";
import type { Editor } from "./editors.ts";
import { testDirectory } from "./nodeRuntime.mjs";

/** The packaged extension, as `npm run package` leaves it. */
export const vsixFile = path.resolve(import.meta.dirname, "../../forge.vsix");

/**
 * Folder of extensions that holds Forge as packaged in `forge.vsix`; installed again only when that is newer. Throws when
 * there is no package.
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
