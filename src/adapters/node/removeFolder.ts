import { join } from "node:path";
import { systemErrorCode, undefinedIfMissing, unlinkIfThere, type Files } from "./files.ts";

/** Removes a folder recursively, without following links: one in its place is removed itself. Succeeds if it does not exist. */
export async function removeFolder(folder: string, files: Files): Promise<void> {
  const top = await undefinedIfMissing(files.lstat(folder));
  if (top?.isDirectory() !== true) {
    if (top !== undefined) await unlinkIfThere(files, folder);
    return;
  }
  for (const name of (await undefinedIfMissing(files.list(folder))) ?? []) {
    const path = join(folder, name);
    const stat = await undefinedIfMissing(files.lstat(path));
    if (stat?.isDirectory() === true) await removeFolder(path, files);
    else if (stat !== undefined) await removeFile(path, stat.isFile() && stat.nlink === 1, files);
  }
  await undefinedIfMissing(files.removeEmptyFolder(folder));
}

/**
 * Truncates the file first, because another process may have it open; but not if it has other hard links, such as those
 * of a backup.
 */
async function removeFile(path: string, isOnlyName: boolean, files: Files): Promise<void> {
  if (isOnlyName) {
    try {
      await files.truncate(path);
    } catch (error) {
      if (systemErrorCode(error) === undefined) throw error; // otherwise remove it without truncation
    }
  }
  await unlinkIfThere(files, path);
}
