/** The files of one conversation at many moments of its life, to be mixed as a restore or a synchronized folder does. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type MomentFile = "conversation.sqlite" | "conversation.sqlite-wal" | "meta.json";
export const MOMENT_FILES: readonly MomentFile[] = ["conversation.sqlite", "conversation.sqlite-wal", "meta.json"];

/** Absent files are `undefined`. */
export type Moment = Readonly<Record<MomentFile, Buffer | undefined>>;

export function momentOf(folder: string): Moment {
  const read = (name: MomentFile): Buffer | undefined =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;
  return {
    "conversation.sqlite": read("conversation.sqlite"),
    "conversation.sqlite-wal": read("conversation.sqlite-wal"),
    "meta.json": read("meta.json"),
  };
}

/** Empties the folder and puts the files of `moment` there. */
export function restoreMoment(folder: string, moment: Moment): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of MOMENT_FILES) {
    const bytes = moment[name];
    if (bytes !== undefined) writeFileSync(join(folder, name), bytes);
  }
}

/** All files with their content. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name), "base64")]));
}
