import { realpath } from "node:fs/promises";
import path from "node:path";

/** False where a link on the way from `folder` to `relative` leads elsewhere, and where there is no such file. */
export async function isReachedWithoutLinks(
  folder: string,
  relative: string,
  system: NodeJS.Platform = process.platform,
): Promise<boolean> {
  try {
    const [realFolder, realFile] = await Promise.all([realpath(folder), realpath(path.join(folder, relative))]);
    return comparable(path.join(realFolder, relative), system) === comparable(realFile, system);
  } catch {
    return false; // missing or unreadable
  }
}

/** Case-insensitive file systems answer with the stored spelling; on Linux, `realpath` only follows links. */
function comparable(file: string, system: NodeJS.Platform): string {
  return system === "linux" ? file : file.normalize("NFC").toLowerCase();
}
