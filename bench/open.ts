/**
 * Time to open a conversation of 100,000 messages and 500 MB, compared with one of 1,000: each in a fresh process, with
 * the store bundled as shipped.
 */

import { execFile } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchReport, median } from "../scripts/benchmark.ts";
import { openStore, SQL_JS_FILE } from "../test/support/storage/sqliteStore.ts";
import { addMessage, temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { bundled, type Bundled } from "./support/bundled.ts";

const LARGE = 100_000;
const SMALL = 1_000;
const MESSAGE_BYTES = 4_700; // 500 MB including indexes
const PER_COMMIT = 500;
const TURNS = 5;
const WORDS = "the quick brown fox jumps over the lazy dog and thinks about what it saw ";

interface Opening {
  readonly openMs: number;
  readonly indexMs: number;
  readonly rssMb: number;
  readonly rssWithIndexMb: number;
}

export async function run(): Promise<BenchReport> {
  const root = temporaryFolder();
  const [large, small] = [join(root.path, "large"), join(root.path, "small")];
  const shipped = await bundled(new URL("support/openingChild.ts", import.meta.url));
  await build(large, LARGE);
  await build(small, SMALL);
  const sizeMb = statSync(join(large, "conversation.sqlite")).size / 1e6;
  const openings: { readonly large: Opening[]; readonly small: Opening[] } = { large: [], small: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    openings.large.push(await openInChild(large, shipped));
    openings.small.push(await openInChild(small, shipped));
  }
  root.remove();
  shipped.remove();
  const of = (name: keyof Opening, which: keyof typeof openings = "large"): number =>
    median(openings[which].map((opening) => opening[name]));
  return {
    figures: {
      openMs: round(of("openMs")),
      indexMs: round(of("indexMs")),
      rssMb: round(of("rssMb")),
      ratioOpen100kVs1k: round(of("openMs") / of("openMs", "small")),
      openMs1k: round(of("openMs", "small")),
      rssMb1k: round(of("rssMb", "small")),
      rssWithIndexMb: round(of("rssWithIndexMb")),
      sizeMb: round(sizeMb),
    },
  };
}

async function build(folder: string, count: number): Promise<void> {
  mkdirSync(folder);
  const store = await openStore(folder);
  const text = WORDS.repeat(Math.ceil(MESSAGE_BYTES / WORDS.length));
  for (let from = 0; from < count; from += PER_COMMIT) {
    const writes = Array.from({ length: PER_COMMIT }, (_, index) =>
      addMessage(from + index, `${from + index} ${text}`),
    );
    const stored = await store.commit(writes);
    if (!stored.ok) throw new Error(stored.error.detail);
  }
  await store.close();
}

async function openInChild(folder: string, { child, worker }: Bundled): Promise<Opening> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, folder, worker, SQL_JS_FILE]);
  const opening: unknown = JSON.parse(stdout);
  if (!isOpening(opening)) throw new Error(`the child said ${stdout}`);
  return opening;
}

function isOpening(value: unknown): value is Opening {
  return typeof value === "object" && value !== null && "openMs" in value && "rssMb" in value;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
