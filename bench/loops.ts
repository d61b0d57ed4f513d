/** Repetitions that are found, in every script and length, and false alarms on texts as models write them. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type BenchReport, median } from "../scripts/benchmark.ts";
import { projectDirectory } from "../scripts/command.ts";
import { type Loop, LoopDetector, type LoopLimits } from "../src/core/repetition/loopDetector.ts";
import {
  below,
  fenced,
  loopOf,
  type LoopShape,
  ORDINARY,
  proseOf,
  repeated,
  SCRIPT_NAMES,
  UNITS,
} from "../test/support/texts/plantedLoops.ts";
import { type Random, seededRandom } from "../test/support/texts/plantedSecrets.ts";

const LENGTHS = [
  1, 2, 3, 4, 5, 7, 8, 9, 13, 21, 50, 99, 150, 250, 290, 299, 300, 301, 333, 400, 512, 777, 1_000, 1_500, 1_999, 2_000,
];
/** Of all alarms on ordinary texts. */
const ORDINARY_UNITS = 100_000_000;
const GENERATED_UNITS = 20_000;
const GENERATED = 40;
/** A piece as a provider streams it. */
const PIECE_UNITS = 7;
const MOST_BYTES = 2_000_000;
const PROSE = /\.(?:md|txt|markdown)$|(?:LICENSE|README|CHANGELOG|HISTORY|NOTICE)$/i;
const SOURCE = /\.(?:[cm]?[jt]sx?|json|css|scss|py|go|rs|c|cc|h|yml|yaml|html|svg|map|sh|csv|log|xml|wat|gyp)$/;

export function run(): Promise<BenchReport> {
  const planted = plantedLoops();
  const alarms = falseAlarms();
  return Promise.resolve({ figures: { ...planted, ...alarms, ...speed() } });
}

function plantedLoops(): { readonly planted: number; readonly foundPercent: number; readonly earlyInData: number } {
  const random = seededRandom(29);
  let [planted, found, earlyInData] = [0, 0, 0];
  for (const script of SCRIPT_NAMES) {
    for (const unitLength of LENGTHS) {
      for (const firstNumber of [undefined, 1, 41, 95, 997]) {
        if (firstNumber !== undefined && unitLength <= String(firstNumber).length) continue;
        const times = Math.ceil(Math.max(5, 16_000 / unitLength));
        const shape = { script, unitLength, times, ...(firstNumber === undefined ? {} : { firstNumber }) };
        const due = Math.max(1_500, 5 * (unitLength + 2));
        const before = `${proseOf(script, 500, random)}\n\n`;
        for (const [name, given] of Object.entries(placesOf(shape, random))) {
          planted++;
          const seenAt = seenIn(before + given.open + given.loop, given.limits);
          const after = seenAt - before.length - given.open.length;
          const isFound = given.isData ? after <= 16_000 : after <= due;
          if (given.isData && after <= 8_000) earlyInData++;
          if (isFound) found++;
          else console.log(`missed: ${name} ${JSON.stringify(shape)}, seen after ${String(after)}`);
        }
      }
    }
  }
  for (const [kind, make] of Object.entries(UNITS)) {
    for (let round = 0; round < 100; round++) {
      const unit = make(random);
      const due = Math.max(1_500, 5 * (unit.length + 4));
      const before = `${proseOf("latin", 500, random)}\n\n`;
      const after = seenIn(before + repeated(unit, due + 3_000, round), {}) - before.length;
      planted++;
      if (after <= due) found++;
      else console.log(`missed: ${kind}, seen after ${String(after)} of ${String(due)}: ${JSON.stringify(unit)}`);
    }
  }
  return { planted, foundPercent: (100 * found) / planted, earlyInData };
}

interface Place {
  readonly open: string;
  readonly loop: string;
  readonly limits: LoopLimits;
  readonly isData: boolean;
}

function placesOf(shape: LoopShape, random: Random): Readonly<Record<string, Place>> {
  const loop = loopOf(shape, random);
  const rows = loop.replaceAll("\n", " ");
  return {
    prose: { open: "", loop, limits: {}, isData: false },
    fence: { open: "```text\n", loop, limits: {}, isData: true },
    table: { open: "| a | b |\n| --- | --- |\n| ", loop: rows, limits: {}, isData: true },
    "fence in notes": { open: "```text\n", loop, limits: { everywhere: true }, isData: false },
  };
}

/** Infinity: not at all. */
function seenIn(text: string, limits: LoopLimits): number {
  const detector = new LoopDetector(limits);
  for (let from = 0; from < text.length; from += PIECE_UNITS) {
    detector.push(text.slice(from, from + PIECE_UNITS));
    if (detector.current !== undefined) return detector.current.seenAt;
  }
  return Infinity;
}

function falseAlarms(): { readonly falseAlarms: number; readonly megabytes: number; readonly texts: number } {
  let [alarms, units, texts] = [0, 0, 0];
  const read = (name: string, text: string): void => {
    const detector = new LoopDetector();
    detector.push(text);
    units += text.length;
    texts++;
    alarms += detector.loops.length;
    for (const loop of detector.loops) console.log(`false alarm: ${name}: ${shown(text, loop)}`);
  };
  const random = seededRandom(30);
  for (let round = 0; round < GENERATED; round++)
    for (const [kind, made] of Object.entries(ORDINARY)) read(kind, made(GENERATED_UNITS, random));
  for (const file of files()) {
    if (units >= ORDINARY_UNITS) break;
    const text = readFileSync(file, "utf8");
    if (!text.includes("\0")) read(path.relative(projectDirectory, file), asWritten(file, text, random));
  }
  return { falseAlarms: alarms, megabytes: Math.round(units / 1e6), texts };
}

/** Prose as it is; all else in a fence, with a sentence before and after it. */
function asWritten(file: string, text: string, random: Random): string {
  if (PROSE.test(file)) return text;
  const marks = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  const fence = fenced(path.extname(file).slice(1), text)
    .replace(/^```/, marks)
    .replace(/```\n$/, `${marks}\n`);
  return `${proseOf("latin", 60 + below(random, 60), random)}\n\n${fence}\n${proseOf("latin", 80, random)}\n`;
}

/** The project's own, and those of its dependencies. */
function* files(): Generator<string> {
  for (const root of [".", "node_modules/"]) {
    const directory = path.join(projectDirectory, root);
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (root === "." && /[\\/](?:node_modules|\.git|\.vscode-test|dist)[\\/]/.test(file)) continue;
      if (entry.isFile() && (PROSE.test(entry.name) || SOURCE.test(entry.name)) && statSync(file).size <= MOST_BYTES)
        yield file;
    }
  }
}

function shown(text: string, { start, unitLength, times, where }: Loop): string {
  return `${where}, ${String(times)} times ${JSON.stringify(text.slice(start, start + Math.min(unitLength, 200)))}`;
}

/** Microseconds for 1,024 UTF-16 units that are streamed, and for copying the same pieces into one text. */
function speed(): { readonly usPerKb: number; readonly copyUsPerKb: number; readonly ratioVsCopying: number } {
  const random = seededRandom(31);
  const text = Object.values(ORDINARY)
    .map((made) => made(200_000, random))
    .join("\n\n");
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE_UNITS) }, (_, index) =>
    text.slice(index * PIECE_UNITS, (index + 1) * PIECE_UNITS),
  );
  const rounds = Array.from({ length: 5 }, () => ({
    detector: microsecondsOf(() => {
      const detector = new LoopDetector();
      for (const piece of pieces) detector.push(piece);
    }),
    copying: microsecondsOf(() => {
      let copied = "";
      for (const piece of pieces) copied += piece;
      Buffer.from(copied);
    }),
  }));
  const perKb = (us: readonly number[]): number => (median(us) * 1_024) / text.length;
  const usPerKb = perKb(rounds.map(({ detector }) => detector));
  const copyUsPerKb = perKb(rounds.map(({ copying }) => copying));
  return {
    usPerKb: rounded(usPerKb),
    copyUsPerKb: rounded(copyUsPerKb),
    ratioVsCopying: rounded(usPerKb / copyUsPerKb),
  };
}

function microsecondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
