/** Ways to damage a file, and the messages that they leave untouched. */

import fs from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { readLogFrames } from "../../../src/adapters/sqlite/pages/logFrames.ts";

/** Returns a number from 0 up to, but not including, `below`. */
export type RandomBelow = (below: number) => number;

/** Bytes of a database and its log, if any. */
export interface FilePair {
  readonly main: Buffer;
  readonly log: Buffer | undefined;
}

const PAGE = 4096;

export const DAMAGES: Readonly<Record<string, (bytes: Buffer, random: RandomBelow) => Buffer>> = {
  "flipped bits": (bytes, random) => {
    for (let count = 1 + random(20); count > 0; count--) {
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
    }
    return bytes;
  },
  "a cut end": (bytes, random) => bytes.subarray(0, random(bytes.length)),
  "zeroed pages": (bytes, random) => {
    for (let count = 1 + random(4); count > 0; count--) {
      const at = random(Math.ceil(bytes.length / PAGE)) * PAGE;
      bytes.fill(0, at, Math.min(bytes.length, at + PAGE));
    }
    return bytes;
  },
  "random bytes at the beginning": (bytes, random) => {
    for (let at = Math.min(bytes.length, 1 + random(2 * PAGE)) - 1; at >= 0; at--) bytes[at] = random(256);
    return bytes;
  },
  "pages of another place": (bytes, random) => {
    const pages = Math.max(1, Math.floor(bytes.length / PAGE));
    const [from, to] = [random(pages) * PAGE, random(pages) * PAGE];
    bytes.copy(bytes, to, from, from + PAGE);
    return bytes;
  },
};

interface Place {
  readonly inLog: boolean;
  readonly at: number;
}

/** Pages of each message, as determined by a native SQLite. */
export type MessagePlaces = readonly (readonly Place[])[];

/** Finds the pages of every message in the intact files at `path`: the leaf of its row, and overflow pages. */
export function placesOfMessages(path: string): MessagePlaces {
  const frames = framesOf(path);
  const copy = `${path}.copy`;
  for (const suffix of ["", "-wal"]) if (fs.existsSync(path + suffix)) fs.copyFileSync(path + suffix, copy + suffix);
  const database = new DatabaseSync(copy);
  const pages = database
    .prepare("SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = 'message' ORDER BY path")
    .all()
    .map((row) => ({
      path: String(row["path"]),
      page: Number(row["pageno"]),
      type: row["pagetype"],
      cells: Number(row["ncell"]),
    }));
  database.close();
  for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(copy + suffix, { force: true });
  const messages: number[][] = [];
  for (const leaf of pages.filter(({ type }) => type === "leaf")) {
    for (let cell = 0; cell < leaf.cells; cell++) {
      const prefix = `${leaf.path}${cell.toString(16).padStart(3, "0")}+`;
      messages.push([leaf.page, ...pages.filter((page) => page.path.startsWith(prefix)).map(({ page }) => page)]);
    }
  }
  return messages.map((used) =>
    used.map((page): Place => {
      const inLog = frames.get(page);
      return inLog === undefined ? { inLog: false, at: (page - 1) * PAGE } : { inLog: true, at: inLog };
    }),
  );
}

/** Messages whose bytes are equal in both pairs. */
export function untouchedMessages(places: MessagePlaces, sound: FilePair, damaged: FilePair): readonly number[] {
  return places.flatMap((used, id) => {
    const isUntouched = used.every(({ inLog, at }) => {
      const [before, after] = inLog ? [sound.log, damaged.log] : [sound.main, damaged.main];
      return before !== undefined && after?.subarray(at, at + PAGE).equals(before.subarray(at, at + PAGE)) === true;
    });
    return isUntouched ? [id] : [];
  });
}

export function readPair(path: string): FilePair {
  return {
    main: fs.readFileSync(path),
    log: fs.existsSync(`${path}-wal`) ? fs.readFileSync(`${path}-wal`) : undefined,
  };
}

export function writePair(path: string, { main, log }: FilePair): void {
  fs.writeFileSync(path, main);
  if (log === undefined) fs.rmSync(`${path}-wal`, { force: true });
  else fs.writeFileSync(`${path}-wal`, log);
}

function framesOf(path: string): ReadonlyMap<number, number> {
  const { log } = readPair(path);
  if (log === undefined) return new Map();
  return readLogFrames(
    (position, length) => Uint8Array.from(log.subarray(position, position + length)),
    log.length,
    PAGE,
  ).committed;
}
