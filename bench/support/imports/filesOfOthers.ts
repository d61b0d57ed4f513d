/** Imports the files of others below a folder, and compares what is stored with what `countedFile` finds in them. */

import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { countedFile } from "./countedFile.ts";
import { lostOf } from "./countedFiles.ts";
import { importInto, type ImportPlaces } from "./importInto.ts";

/** Totals of a format. */
export interface ReadFiles {
  files: number;
  refused: number;
  texts: number;
  calls: number;
  lostParts: number;
}

/** By format. Prints what is lost. */
export async function importFilesOfOthers(data: string, places: ImportPlaces): Promise<ReadonlyMap<string, ReadFiles>> {
  const totals = new Map<string, ReadFiles>();
  const names = readdirSync(data, { recursive: true, encoding: "utf8" }).toSorted();
  for (const name of names) {
    const file = join(data, name);
    const counted = statSync(file).isFile() ? countedFile(file) : undefined;
    if (counted === undefined) continue;
    const { format, texts, calls } = counted;
    const total = totals.get(format) ?? { files: 0, refused: 0, texts: 0, calls: 0, lostParts: 0 };
    totals.set(format, total);
    mkdirSync(places.root, { recursive: true });
    const imported = await importInto(file, places);
    total.files++;
    if (imported.ok) {
      const lost = lostOf(places.root, counted);
      for (const line of lost.lines()) console.log(`${name}: ${line}`);
      total.texts += texts.length;
      total.calls += calls.size;
      total.lostParts += lost.total;
    } else {
      console.log(`${name}: ${JSON.stringify(imported.error)}`);
      total.refused++;
    }
    rmSync(places.root, { recursive: true });
  }
  return totals;
}
