/**
 * A workspace of many files, as large ones are: most of them texts like source code, some pictures and archives, which
 * nothing makes smaller. Deterministic, but for the times of the files.
 */

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Random, seededRandom } from "../../../test/support/texts/plantedSecrets.ts";

const SEED = 35;
const FILES = 10_000;
const BYTES = 1_000_000_000;
/** Changed since the last commit, or not in it. */
const CHANGED = 300;
const UNTRACKED = 100;
const CHANGED_BYTES = 50_000_000;
/** Untracked ones with the content of another. */
const COPIES = 10;
const FOLDERS = 500;
/** One in so many is no text. */
const BINARY_EVERY = 12;
/** Of the logarithm of the sizes: half of the bytes are in a tenth of the files. */
const SPREAD = 1.3;
const LEAST_BYTES = 40;
/** Pieces of these are the contents of the files. */
const POOL_BYTES = 24_000_000;

export interface LargeWorkspace {
  readonly files: number;
  readonly bytes: number;
  /** Number of those that differ from the last commit. */
  readonly changed: number;
  /** Names of some that do not. */
  readonly clean: readonly string[];
}

/** Writes it below `folder`, with a repository in it. */
export function writeLargeWorkspace(folder: string): LargeWorkspace {
  const random = seededRandom(SEED);
  const pools = { text: textPool(random, POOL_BYTES), binary: binaryPool(random) };
  const contentOf = (name: string, bytes: number): Uint8Array => {
    const pool = name.endsWith(".bin") ? pools.binary : pools.text;
    const head = Buffer.from(`// ${name}\n`);
    const from = Math.floor(random() * (pool.length - bytes));
    return Buffer.concat([head, pool.subarray(from, from + Math.max(0, bytes - head.length))]).subarray(0, bytes);
  };
  const write = (name: string, bytes: number, mtime: Date): void => {
    const file = path.join(folder, name);
    writeFileSync(file, contentOf(name, bytes));
    utimesSync(file, mtime, mtime);
  };
  for (let at = 0; at < FOLDERS; at++) mkdirSync(path.join(folder, folderOf(at)), { recursive: true });

  const unchanged = FILES - CHANGED;
  const committed = FILES - UNTRACKED;
  const committedSizes = sizes(committed, ((BYTES - CHANGED_BYTES) * committed) / unchanged, random);
  const names = committedSizes.map((_, at) => nameOf(at));
  committedSizes.forEach((bytes, at) => {
    write(nameOf(at), bytes, YESTERDAY);
  });
  const git = (...words: readonly string[]): void => {
    execFileSync("git", [...GIT_SETTINGS, ...words], { cwd: folder, stdio: "ignore" });
  };
  git("init");
  git("add", "--all");
  git("commit", "--message", "first");

  const edited = Array.from({ length: CHANGED - UNTRACKED }, (_, at) => names[at * EDITED_EVERY] ?? "");
  const untracked = Array.from({ length: UNTRACKED }, (_, at) => nameOf(FILES + at));
  const changedSizes = sizes(CHANGED, CHANGED_BYTES, random);
  const changed = new Map([...edited, ...untracked].map((name, at) => [name, changedSizes[at] ?? LEAST_BYTES]));
  for (const [name, bytes] of changed) write(name, bytes, YESTERDAY);
  for (let at = 0; at < COPIES; at++) {
    const [name = "", copy = ""] = [untracked.at(at), untracked.at(-1 - at)];
    copyFileSync(path.join(folder, name), path.join(folder, copy));
    utimesSync(path.join(folder, copy), YESTERDAY, YESTERDAY);
    changed.set(copy, changed.get(name) ?? 0);
  }
  settle(folder);
  const all = new Map([...names.map((name, at) => [name, committedSizes[at] ?? 0] as const), ...changed]);
  const bytes = [...all.values()].reduce((sum, each) => sum + each, 0);
  return { files: FILES, bytes, changed: changed.size, clean: names.slice(1, 4) };
}

const EDITED_EVERY = Math.floor((FILES - UNTRACKED) / (CHANGED - UNTRACKED));
/** Files that changed a moment ago are read again each time, which few of a person's are. */
const YESTERDAY = new Date(Date.now() - 24 * 60 * 60 * 1_000);
/** Makes the repository in seconds; how its objects are stored changes nothing of what is measured. */
const GIT_SETTINGS = [
  ...["-c", "user.name=a", "-c", "user.email=a@example.org"],
  ...["-c", "core.compression=0", "-c", "core.bigFileThreshold=1", "-c", "gc.auto=0"],
];

function folderOf(at: number): string {
  return `area${String(at % 20)}/part${String(at % FOLDERS)}`;
}

function nameOf(at: number): string {
  return `${folderOf(at)}/file${String(at)}.${at % BINARY_EVERY === 0 ? "bin" : "ts"}`;
}

/** Whole numbers that are together `total`, or a little more. */
function sizes(count: number, total: number, random: Random): readonly number[] {
  const weights = Array.from({ length: count }, () => Math.exp(SPREAD * normal(random)));
  const sum = weights.reduce((all, each) => all + each, 0);
  return weights.map((each) => Math.max(LEAST_BYTES, Math.round((each * total) / sum)));
}

/** Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Like a source file. */
export function sourceText(seed: number, bytes: number): Uint8Array {
  return textPool(seededRandom(seed), bytes);
}

function binaryPool(random: Random): Uint8Array {
  return new Uint8Array(Uint32Array.from({ length: POOL_BYTES / 4 }, () => random() * 2 ** 32).buffer);
}

function textPool(random: Random, bytes: number): Uint8Array {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * random() * from.length)];
  const words = Array.from({ length: 3_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => {
      const syllable = pick(SYLLABLES) ?? "";
      return at === 0 ? syllable : syllable.charAt(0).toUpperCase() + syllable.slice(1);
    }).join(""),
  );
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)?.length ?? 1) {
    const line = (pick(LINES) ?? "").replaceAll("#", () => pick(words) ?? "");
    lines.push(
      `${"  ".repeat(Math.floor(random() * 4))}${line.replaceAll("%", () => String(Math.floor(random() * 1e4)))}\n`,
    );
  }
  return Buffer.from(lines.join("")).subarray(0, bytes);
}

const SYLLABLES =
  "get set node file path read write state list item count index value name text open close cache key of to".split(" ");
const LINES = [
  "const # = #.#(#);",
  "if (# === undefined) return #;",
  "return #.# + %;",
  "}",
  "readonly #: #;",
  "export function #(#: string, #: number): # {",
  "for (const # of #) #.push(# * %);",
  "// # the # of # when # is not #",
  'throw new Error("# % #");',
  'import { #, # } from "./#/#.ts";',
];

/** Else the disk is busy with what was just written, which no person's workspace is. */
function settle(folder: string): void {
  if (process.platform !== "win32") execFileSync("sync", process.platform === "linux" ? ["--file-system", folder] : []);
}
