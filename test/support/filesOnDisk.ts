/** Files that a test finds on a real disk. */

import fs from "node:fs";
import path from "node:path";

/** Writes files below a folder, each with what leads to it; names are paths from there. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
}
