import { join } from "node:path";
import { systemErrorCode, undefinedIfMissing, type Files } from "./files.ts";

/** Bytes of all files below `folder`, without following links. What cannot be read, or goes meanwhile, counts as none. */
export async function folderSize(folder: string, files: Files): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(folder, files)) {
    const path = join(folder, name);
    const stat = await undefinedIfMissing(files.lstat(path));
    if (stat?.isDirectory() === true) bytes += await folderSize(path, files);
    else bytes += stat?.size ?? 0;
  }
  return bytes;
}

async function namesIn(folder: string, files: Files): Promise<readonly string[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}
