/** Whether a file of a folder really lies where its path says. */

import { realpath } from "node:fs/promises";
import path from "node:path";

/** False where a link on the way from `folder` to `relative` leads elsewhere, and where there is nothing. */
export async function isInOwnPlace(folder: string, relative: string): Promise<boolean> {
  try {
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(path.join(folder, relative))]);
    const own = path.join(realFolder, relative);
    return comparable(own) === comparable(realFile);
  } catch {
    return false; // gone, or not to be read
  }
}

/** Disks that do not tell cases apart answer with the name as it was first written, but on Linux, which only follows links. */
function comparable(file: string): string {
  return process.platform === "linux" ? file : file.normalize("NFC").toLowerCase();
}
