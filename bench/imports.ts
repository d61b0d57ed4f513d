/**
 * `npm run bench -- imports [--full] [--data DIR]`: files of other tools are imported as the host does, each in a process
 * of its own, and what is stored is compared with what was in them: messages, calls with their results, pictures,
 * thoughts, branches, usage, times, models and titles. The files are made up, one for each format that Forge reads, of
 * 105 MB each with `--full`, which the bounds are about; with `--data`, those below DIR are imported, too.
 */

import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { buildRanks } from "../scripts/buildRanks.mjs";
import { temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { compared } from "./support/imports/comparison.ts";
import { GENERATED_FORMATS } from "./support/imports/formats.ts";
import type { GeneratedFormat } from "./support/imports/generatedFormat.ts";
import { importFilesOfOthers } from "./support/imports/filesOfOthers.ts";
import type { ImportPlaces } from "./support/imports/importInto.ts";
import { differencesOnSecondImport } from "./support/imports/secondImport.ts";
import { Talk } from "./support/imports/talk.ts";
import { Tally } from "./support/imports/tally.ts";
import { buildScaleDist } from "./support/scale/scaleDist.ts";

const BYTES = 6_000_000;
const FULL_BYTES = 105_000_000;
const SECOND_IMPORT_BYTES = 500_000;
const SEED = 34;

/** The most that is allowed of the totals. */
const BOUNDS = {
  lostParts: 0,
  inventedParts: 0,
  differentOnSecondImport: 0,
  doubledOnSecondImport: 0,
  peakMb: 150,
  hostBlockMaxMs: 50,
};
/** Of small files, the start of the thread and its tables is most of the time. */
const BOUNDS_OF_FULL = { secondsPer100Mb: 20 };

export async function run({ full, data }: BenchOptions): Promise<BenchReport> {
  const folder = temporaryFolder();
  const places = { root: join(folder.path, "conversations"), dist: join(folder.path, "dist") };
  await buildScaleDist(places.dist, new URL("../src/host/opening/storageWorker.ts", import.meta.url));
  await buildRanks(join(places.dist, "ranks"));
  const ofOthers = data === undefined ? {} : await figuresOfOthers(data, places);
  const rows: Row[] = [];
  for (const format of GENERATED_FORMATS) {
    const row = await measure(format, full ? FULL_BYTES : BYTES, places);
    rows.push(row);
    printRow(row);
  }
  folder.remove();
  const totals = totalsOf(rows);
  for (const [name, most] of Object.entries({ ...BOUNDS, ...(full ? BOUNDS_OF_FULL : {}) }))
    console.log(`${name}: at most ${most}, is ${totals[name] ?? "?"}`);
  return { figures: { ...ofOthers, ...totals, ...Object.fromEntries(rows.flatMap(figuresOf)) } };
}

async function figuresOfOthers(data: string, places: ImportPlaces): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [format, total] of await importFilesOfOthers(data, places)) {
    printRow({ name: format, figures: { ...total } });
    for (const [name, value] of Object.entries(total)) {
      const figure = `data${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      figures[figure] = (figures[figure] ?? 0) + Number(value);
    }
  }
  return figures;
}

interface Row {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** Figures of which the total is the largest; of all others it is the sum. */
const LARGEST: ReadonlySet<string> = new Set(["secondsPer100Mb", "cpuSecondsPer100Mb", "peakMb", "hostBlockMaxMs"]);

function totalsOf(rows: readonly Row[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { figures } of rows) {
    for (const [name, value] of Object.entries(figures)) {
      const before = totals[name] ?? 0;
      totals[name] = LARGEST.has(name) ? Math.max(before, value) : before + value;
    }
  }
  return totals;
}

function figuresOf({ name, figures }: Row): readonly (readonly [string, number])[] {
  return Object.entries(figures).map(([figure, value]) => [
    `${name}${figure.charAt(0).toUpperCase()}${figure.slice(1)}`,
    value,
  ]);
}

function printRow({ name, figures }: Row): void {
  const cells = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  console.log(`${name.padEnd(12)} ${cells.join(", ")}`);
}

async function measure(format: GeneratedFormat, bytes: number, { root, dist }: ImportPlaces): Promise<Row> {
  const tally = new Tally();
  const file = join(dist, "..", format.file);
  const written = writeFile(file, format, { tally, bytes });
  const imported = await imports(file, root, dist);
  const { lost, invented, ...found } = compared(root, tally);
  for (const line of [...lost.lines(), ...invented.lines()]) console.log(`${format.name}: ${line}`);
  rmSync(root, { recursive: true });
  writeFile(file, format, { tally: new Tally(), bytes: SECOND_IMPORT_BYTES });
  const [first, second] = [join(root, "first"), join(root, "second")];
  for (const each of [first, second]) await imports(file, each, dist);
  const different = differencesOnSecondImport(first, second);
  const doubled = await doubledOnSecondImport(file, join(root, "storage"), dist);
  rmSync(root, { recursive: true });
  rmSync(file);
  const figures = {
    megabytes: rounded(written / 1e6),
    conversations: found.conversations,
    messages: found.messages,
    parts: found.parts,
    lostParts: lost.total,
    inventedParts: invented.total,
    damagedLines: tally.damaged,
    damagedLinesKept: found.damagedKept,
    differentOnSecondImport: different,
    doubledOnSecondImport: doubled,
    secondsPer100Mb: rounded((imported.seconds * 1e8) / written),
    cpuSecondsPer100Mb: rounded((imported.cpuSeconds * 1e8) / written),
    peakMb: rounded(imported.peakMb),
    hostBlockMaxMs: rounded(imported.hostBlockMs),
  };
  return { name: format.name, figures };
}

/** Returns the number of bytes. */
function writeFile(
  file: string,
  format: GeneratedFormat,
  { tally, bytes }: { readonly tally: Tally; readonly bytes: number },
): number {
  const handle = openSync(file, "w");
  let written = 0;
  for (const piece of format.write(new Talk(SEED), tally, () => written >= bytes)) written += writeSync(handle, piece);
  closeSync(handle);
  return written;
}

interface Imported {
  readonly seconds: number;
  /** Of all threads: what is left of `seconds` on a busy machine. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly hostBlockMs: number;
}

async function imports(file: string, root: string, dist: string): Promise<Imported> {
  mkdirSync(root, { recursive: true });
  const child = fileURLToPath(new URL("support/imports/importingChild.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [child, file, root, dist]);
  const said = JSON.parse(stdout) as Imported & { readonly imported: { readonly ok: boolean } };
  if (!said.imported.ok) throw new Error(`${file}: ${stdout}`);
  return said;
}

/** Conversations that the second import of the same file made anew, or added something to. */
async function doubledOnSecondImport(file: string, storage: string, dist: string): Promise<number> {
  mkdirSync(storage, { recursive: true });
  const child = fileURLToPath(new URL("support/imports/secondImportChild.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [child, file, storage, dist]);
  return Number(stdout);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
