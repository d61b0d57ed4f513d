import { lstatSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** Relative paths of files below `folder` that contain `text`. Files removed during the search are skipped. */
export function filesWith(folder: string, text: string): readonly string[] {
  return namesIn(folder).flatMap((name) => {
    const file = path.join(folder, name);
    const found = holds(file, text);
    return found === "folder" ? filesWith(file, text).map((inner) => path.join(name, inner)) : found ? [name] : [];
  });
}

/** Direct subfolders of `folder` with a file that contains `text`. */
export function foldersWith(folder: string, text: string): readonly string[] {
  return [...new Set(filesWith(folder, text).map((file) => file.split(path.sep)[0] ?? ""))];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function holds(file: string, text: string): boolean | "folder" {
  try {
    return lstatSync(file).isDirectory() ? "folder" : readFileSync(file).includes(text);
  } catch {
    return false;
  }
}
