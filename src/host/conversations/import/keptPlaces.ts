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

/** None where the file is missing, damaged or of a newer Forge: then nothing is watched. */
export async function readKeptPlaces(folders: Pick<ForgeFolders, "storage">): Promise<readonly KeptPlace[]> {
  const value = await readFileOf(folders);
  return Array.isArray(value) ? value.filter(isKeptPlace) : [];
}

/**
 * Begins to keep `begun`, and no longer keeps `stopped`. Entries that are unknown here stay; the file of a newer Forge in
 * another form is left as it is: then false.
 */
export async function changeKeptPlaces(
  folders: Pick<ForgeFolders, "storage">,
  begun: readonly ToolPlace[],
  stopped: readonly ToolPlace[],
  nowMs: number,
): Promise<boolean> {
  const value = await readFileOf(folders);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return false;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const unknown = entries.filter((entry) => !isKeptPlace(entry));
  const places = new Map(entries.filter(isKeptPlace).map((place) => [placeKey(place), place]));
  for (const place of stopped) places.delete(placeKey(place));
  for (const { tool, folder, pattern } of begun)
    places.set(placeKey({ folder, pattern }), { tool, folder, pattern, sinceMs: nowMs });
  const folder = importingFolder(folders);
  await nodeFiles.makeFolder(folder);
  await replaceFile(
    nodeFiles,
    path.join(folder, KEPT_FILE),
    JSON.stringify([...places.values(), ...unknown], null, 2),
    {
      isDurable: true,
    },
  );
  return true;
}

async function readFileOf(folders: Pick<ForgeFolders, "storage">): Promise<unknown> {
  const file = path.join(importingFolder(folders), KEPT_FILE);
  return tryParseJson((await undefinedIfMissing(readFile(file, "utf8"))) ?? "");
}

function isKeptPlace(value: unknown): value is KeptPlace {
  if (typeof value !== "object" || value === null) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  return (
    ["tool", "folder", "pattern"].every((name) => typeof field(name) === "string") &&
    typeof field("sinceMs") === "number"
  );
}
