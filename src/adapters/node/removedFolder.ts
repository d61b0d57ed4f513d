/** Removes folders for good. */

import { join } from "node:path";
import { codeOf, unlessMissing, unlinkIfThere, type Files } from "./files.ts";

/** Removes a folder with all that is in it, of which no link is followed. What is not there is removed already. */
export async function removeFolder(folder: string, files: Files): Promise<void> {
  for (const name of (await unlessMissing(files.list(folder))) ?? []) {
    const path = join(folder, name);
    const stat = await unlessMissing(files.lstat(path));
    if (stat?.isDirectory() === true) await removeFolder(path, files);
    else if (stat !== undefined) await removeFile(path, stat.isFile() && stat.nlink === 1, files);
  }
  await unlessMissing(files.removeEmptyFolder(folder));
}

/** A file that has no other name, as a backup may have given it, is emptied first: somebody may still have it open. */
async function removeFile(path: string, isOnlyName: boolean, files: Files): Promise<void> {
  if (isOnlyName) {
    try {
      await files.truncate(path);
    } catch (error) {
      if (codeOf(error) === undefined) throw error; // else it is removed, full as it is
    }
  }
  await unlinkIfThere(files, path);
}
