/**
 * The token counter compared with common tokenizers: equal counts, speed, and pauses. Counts are compared with
 * tiktoken's WASM build, speed with gpt-tokenizer and js-tiktoken, alternating with ours.
 */

import { globSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { Tiktoken } from "js-tiktoken/lite";
import cl100kRanks from "js-tiktoken/ranks/cl100k_base";
import o200kRanks from "js-tiktoken/ranks/o200k_base";
import { get_encoding } from "tiktoken";
import { type BenchReport, median } from "../scripts/benchmark.ts";
import { projectDirectory } from "../scripts/command.ts";
import { textMessage } from "../src/core/message.ts";
import type { EncodingName } from "../src/core/tokens/bpe/preTokenizer.ts";
import { CORPUS, hardTexts, randomSource } from "../test/support/texts/corpus.ts";
import { testTokenCounter } from "../test/support/models/tokenCounter.ts";

const ENCODINGS: readonly EncodingName[] = ["cl100k", "o200k"];
const RANKS = { cl100k: cl100kRanks, o200k: o200kRanks };
const counter = testTokenCounter();

/** Runs all measurements (about 30 s). */
export async function run(): Promise<BenchReport> {
  const texts = corpus();
  const mismatches = mismatchesWithTiktoken(texts) + mismatchesWithJsTiktoken();
  const speed = speeds(texts);
  const worst = await worstSliceMs();
  const cut = cutErrorPercentMax();
  const live = liveDeltaP99Us(texts);
  return {
    figures: {
      ratioVsGptTokenizer: round(speed.gptTokenizerMs / speed.ownMs, 2),
      ratioVsJsTiktoken: round(speed.jsTiktokenMsPerUnit / speed.ownMsPerUnit, 1),
      worstSliceMs: round(worst, 1),
      mismatches,
      cutErrorPercentMax: round(cut, 4),
      liveDeltaP99Us: round(live, 1),
    },
    peers: {
      ownMbPerCpuSecond: round(speed.units / speed.ownMs / 1000, 1),
      gptTokenizerMbPerCpuSecond: round(speed.units / speed.gptTokenizerMs / 1000, 1),
    },
  };
}

/** Texts of many kinds, among them this project's own sources. */
function corpus(): readonly string[] {
  const files = globSync(["src/**/*.ts", "*.md", "package-lock.json"], { cwd: projectDirectory });
  const sources = files.map((file) => readFileSync(`${projectDirectory}/${file}`, "utf8").slice(0, 200_000));
  const random = randomSource(7);
  const bytes = Buffer.from(Array.from({ length: 60_000 }, () => random(256)));
  // In lines of 76, as in mail: no run of more than 1,024.
  const base64 = bytes.toString("base64").replaceAll(/.{76}/g, "$&\n");
  return [
    ...sources,
    ...Object.values(CORPUS).map((text) => text.repeat(3)),
    base64,
    bytes.toString("hex").replaceAll(/.{64}/g, "$& "),
  ];
}

/** Texts where split patterns differ, or libraries fail. */
const PIECES = [
  ..."'s|'LL|'re|a|Z|Hello|WORLD|été|ß|日本|ー|ア|한국|١٢٣|12345|½|²|ा|क|!|...|/|//|😀|👩‍👩‍👧|𝒜|𝟘|𐐀|𐐨|ǅ|ʰ|{|}|_|'|ſ|İ|K".split(
    "|",
  ),
  ...[
    "<|endoftext|>",
    "<|im_start|>",
    "__proto__",
    "toString",
    "constructor",
    '"',
    "\ud800",
    "'ſ",
    "\u0000",
    "\ufeff",
    "\u0085",
  ],
  ...[" ", "  ", "\n", "\r\n", "\t", "\u0301", "\u0308", "\u00a0", "\u3000", "\u2028", "\u200b"],
];

function pieces(random: (below: number) => number): string {
  return Array.from({ length: 1 + random(14) }, () => PIECES[random(PIECES.length)] ?? "").join("");
}

function codePoints(random: (below: number) => number): string {
  const anyOf = [0x80, 0x3000, 0xd800, 0x2000, 0x20000];
  const firstOf = [0, 0, 0, 0x1f000, 0x10000];
  return Array.from({ length: 1 + random(20) }, () => {
    const range = random(anyOf.length);
    return String.fromCodePoint((firstOf[range] ?? 0) + random(anyOf[range] ?? 1));
  }).join("");
}

function mismatchesWithTiktoken(texts: readonly string[]): number {
  let mismatches = 0;
  let checks = 0;
  for (const encoding of ENCODINGS) {
    const oracle = get_encoding(`${encoding}_base`);
    const random = randomSource(12_345);
    const check = (text: string): void => {
      checks++;
      if (counter.countText(text, encoding) !== oracle.encode_ordinary(text).length) mismatches++;
    };
    texts.forEach(check);
    for (let i = 0; i < 30_000; i++) check(pieces(random));
    for (let i = 0; i < 6_000; i++) check(codePoints(random));
    oracle.free();
  }
  console.log(`tiktoken: ${checks} checks, ${mismatches} mismatches`);
  return mismatches;
}

/** Skips what js-tiktoken splits differently: a long s after an apostrophe, U+0085, the byte order mark. */
function mismatchesWithJsTiktoken(): number {
  let mismatches = 0;
  for (const encoding of ENCODINGS) {
    const oracle = new Tiktoken(RANKS[encoding]);
    const random = randomSource(99);
    for (let i = 0; i < 1_000; i++) {
      const text = pieces(random).replaceAll(/'ſ|[\u0085\ufeff]/g, "");
      if (counter.countText(text, encoding) !== oracle.encode(text, [], []).length) mismatches++;
    }
  }
  console.log(`js-tiktoken: 2000 checks, ${mismatches} mismatches`);
  return mismatches;
}

interface Speeds {
  readonly units: number;
  readonly ownMs: number;
  readonly gptTokenizerMs: number;
  readonly ownMsPerUnit: number;
  readonly jsTiktokenMsPerUnit: number;
}

/** Median CPU times in o200k of nine alternating rounds but the first. js-tiktoken counts a sample, in three rounds. */
function speeds(texts: readonly string[]): Speeds {
  const jsTiktoken = new Tiktoken(o200kRanks);
  const sample = Object.values(CORPUS);
  const own: number[] = [];
  const ownSample: number[] = [];
  const gptTokenizer: number[] = [];
  const slow: number[] = [];
  const asText = { disallowedSpecial: new Set<string>() };
  for (let round = 0; round < 9; round++) {
    own.push(cpuMs(() => texts.forEach((text) => counter.countText(text))));
    gptTokenizer.push(cpuMs(() => texts.forEach((text) => countTokens(text, asText))));
    if (round > 2) continue;
    slow.push(cpuMs(() => sample.forEach((text) => jsTiktoken.encode(text, [], []))));
    ownSample.push(
      cpuMs(() => Array.from({ length: 20 }, () => sample.forEach((text) => counter.countText(text)))) / 20,
    );
  }
  const units = unitsOf(texts);
  return {
    units,
    ownMs: median(own.slice(1)),
    gptTokenizerMs: median(gptTokenizer.slice(1)),
    ownMsPerUnit: median(ownSample) / unitsOf(sample),
    jsTiktokenMsPerUnit: median(slow) / unitsOf(sample),
  };
}

/** CPU time of the longest slice of counting a megabyte in both encodings; each slice is the least of three runs. */
async function worstSliceMs(): Promise<number> {
  let worst = 0;
  for (const [name, text] of Object.entries(hardTexts(1_000_000))) {
    const runs: number[][] = [];
    for (let run = 0; run < 3; run++) {
      const slices: number[] = [];
      let before = process.cpuUsage();
      await counter.countInSlices(textMessage("user", text), async () => {
        slices.push(msSince(before));
        await new Promise((resolve) => setImmediate(resolve));
        before = process.cpuUsage();
      });
      runs.push([...slices, msSince(before)]);
    }
    const least = (runs[0] ?? []).map((ms, slice) => Math.min(ms, ...runs.map((run) => run[slice] ?? ms)));
    const longest = Math.max(...least);
    console.log(`${name}: ${least.length} slices, the longest ${longest.toFixed(1)} ms`);
    worst = Math.max(worst, longest);
  }
  return worst;
}

/** Largest count error caused by cutting long runs, in percent. */
function cutErrorPercentMax(): number {
  const uncut = testTokenCounter(2 ** 30);
  const errors = Object.entries(hardTexts(200_000)).flatMap(([name, text]) =>
    ENCODINGS.map((encoding) => {
      const exact = uncut.countText(text, encoding);
      const error = (Math.abs(counter.countText(text, encoding) - exact) / exact) * 100;
      if (error > 0) console.log(`${name}, ${encoding}: cut error ${error.toFixed(4)} %`);
      return error;
    }),
  );
  return Math.max(...errors);
}

/** 99th percentile of counting a delta of four characters in the live counter, in microseconds. */
function liveDeltaP99Us(texts: readonly string[]): number {
  const times: number[] = [];
  for (const text of [...texts, ...texts]) {
    const live = counter.live("o200k");
    const shown = text.slice(0, 8_000);
    for (let at = 0; at < shown.length; at += 4) {
      const startMs = performance.now();
      live.push(shown.slice(at, at + 4));
      times.push((performance.now() - startMs) * 1000);
    }
  }
  const warm = times.slice(times.length / 2).sort((a, b) => a - b);
  return warm[Math.floor(warm.length * 0.99)] ?? Number.NaN;
}

function unitsOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return msSince(before);
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
