/** The folders of other tools whose conversations are kept, of all windows on this machine. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { nodeFiles, replaceFile, undefinedIfMissing } from "../../../adapters/node/files.ts";
import { tryParseJson } from "../../../core/json.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import { importingFolder, KEPT_FILE } from "./knownImports.ts";
import { placeKey, type ToolPlace } from "./toolPlaces.ts";

export interface KeptPlace extends ToolPlace {
  /** When the user said so. */
  readonly sinceMs: number;
}

/** None where the file is missing or damaged: then nothing is watched. */
export async function readKeptPlaces(folders: Pick<ForgeFolders, "storage">): Promise<readonly KeptPlace[]> {
  const file = path.join(importingFolder(folders), KEPT_FILE);
  const value = tryParseJson((await undefinedIfMissing(readFile(file, "utf8"))) ?? "");
  return Array.isArray(value) ? value.filter(isKeptPlace) : [];
}

/** Begins to keep `begun`, and no longer keeps `stopped`. */
export async function changeKeptPlaces(
  folders: Pick<ForgeFolders, "storage">,
  begun: readonly ToolPlace[],
  stopped: readonly ToolPlace[],
  nowMs: number,
): Promise<void> {
  const places = new Map((await readKeptPlaces(folders)).map((place) => [placeKey(place), place]));
  for (const place of stopped) places.delete(placeKey(place));
  for (const { tool, folder, pattern } of begun)
    places.set(placeKey({ folder, pattern }), { tool, folder, pattern, sinceMs: nowMs });
  const folder = importingFolder(folders);
  await nodeFiles.makeFolder(folder);
  await replaceFile(nodeFiles, path.join(folder, KEPT_FILE), JSON.stringify([...places.values()], null, 2), {
    isDurable: true,
  });
}

function isKeptPlace(value: unknown): value is KeptPlace {
  if (typeof value !== "object" || value === null) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  return (
    ["tool", "folder", "pattern"].every((name) => typeof field(name) === "string") &&
    typeof field("sinceMs") === "number"
  );
}
