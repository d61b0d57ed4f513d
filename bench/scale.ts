/**
 * `npm run bench -- scale`: the list and the search of 10, 1,000 and 5,000 conversations of 50 messages, as the picker
 * asks for them: listed in fresh processes, found by the index in its thread. `listFirstMs` is a list that no earlier
 * one left its cache to. Memory is that of a host with one open conversation, beyond what it had before: `hostRssPeakMb`
 * the most while it lists, fills the index and searches, `hostRssSearchingMb` at the end of that, and `hostRssGrowthMb`
 * what stays when the thread of the index has ended, as it does when nobody searches. The reference is one FTS5 file of
 * Node's own SQLite, with the same messages.
 */

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { writeMeta } from "../src/adapters/node/conversationMeta.ts";
import { parseConversationId, type ConversationId } from "../src/core/ids.ts";
import { invariant } from "../src/core/result.ts";
import type { BenchReport } from "../scripts/benchmark.ts";
import { loadQuickStores } from "../test/support/storage/localStores.ts";
import { addMessage, temporaryFolder } from "../test/support/storage/storeBuilders.ts";
import { bundled } from "./support/bundled.ts";
import { median, timedMedian } from "./support/scale/medians.ts";
import { buildScaleDist } from "./support/scale/scaleDist.ts";
import { scaleText, rareWord, COMMON_WORD } from "./support/scale/scaleText.ts";

const SIZES = [10, 1_000, 5_000] as const;
const MESSAGES = 50;
const RARE_SEARCHES = 15;
const COMMON_SEARCHES = 5;
const LISTS = 5;
/** Until the times of the folders are old enough to be relied on. */
const SETTLING_MS = 3_500;

interface Programs {
  /** Folder of the workers. */
  readonly dist: string;
  readonly lister: string;
  readonly host: string;
  readonly filled: string;
}

export async function run(): Promise<BenchReport> {
  const root = temporaryFolder();
  const dist = join(root.path, "dist");
  await buildScaleDist(dist, new URL("../src/host/opening/storageWorker.ts", import.meta.url));
  const lister = await bundled(new URL("support/scale/listingChild.ts", import.meta.url));
  const host = await bundled(new URL("support/scale/hostChild.ts", import.meta.url));
  const filled = await bundled(new URL("support/scale/fillingChild.ts", import.meta.url));
  const programs = { dist, lister: lister.child, host: host.child, filled: filled.child };
  const figures: Record<string, number> = {};
  for (const size of SIZES) {
    const storage = join(root.path, String(size));
    Object.assign(figures, await measure(size, storage, programs));
  }
  for (const one of [lister, host, filled]) one.remove();
  root.remove();
  return { figures };
}

async function measure(size: number, storage: string, programs: Programs): Promise<Record<string, number>> {
  const { dist, lister, host, filled } = programs;
  const texts = await makeConversations(size, storage);
  await wait(SETTLING_MS);
  const listFirstMs = await median(LISTS, () => list(lister, storage, size));
  await list(lister, storage, size, "save");
  const listMs = await median(LISTS, () => list(lister, storage, size));
  const { stdout } = await promisify(execFile)(process.execPath, [host, storage, dist, String(size), filled]);
  const ofHost = JSON.parse(stdout) as Record<string, number>;
  const textSize = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const figures = {
    listMs,
    listFirstMs,
    ...ofHost,
    indexShare: sizeOf(join(storage, "search")) / textSize,
    ...(await reference(texts, join(storage, "reference.sqlite"))),
  };
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      `${name}${size}`,
      Number(value.toFixed(name === "indexShare" ? 2 : 1)),
    ]),
  );
}

async function makeConversations(size: number, storage: string): Promise<readonly string[]> {
  const stores = await loadQuickStores();
  const texts: string[] = [];
  for (let number = 0; number < size; number++) {
    const id = newId();
    const folder = join(storage, "conversations", id);
    mkdirSync(folder, { recursive: true });
    const own = Array.from({ length: MESSAGES }, (_, message) => scaleText(number, message));
    texts.push(...own);
    const opened = stores.open(folder);
    invariant(opened.ok, "a new folder can be opened");
    invariant(opened.value.commit(own.map((text, at) => addMessage(at, text))).ok, "the messages are stored");
    invariant(opened.value.close().ok, "the file can be closed");
    await writeMeta(folder, {
      version: 1,
      title: `Conversation ${number}`,
      createdAtMs: number,
      lastUsedAtMs: number,
      messageCount: MESSAGES,
      recordCount: MESSAGES,
      provider: "anthropic",
      model: "claude-haiku-4-5",
      usage: { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 },
      undecided: 0,
    });
  }
  return texts;
}

/** Milliseconds that a fresh process takes. */
async function list(child: string, storage: string, size: number, saves = ""): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, storage, saves]);
  const { ms, count } = JSON.parse(stdout) as { readonly ms: number; readonly count: number };
  invariant(count === size, `all are listed: ${stdout}`);
  return ms;
}

async function reference(texts: readonly string[], file: string): Promise<Record<string, number>> {
  const database = new DatabaseSync(file);
  database.exec("CREATE VIRTUAL TABLE message USING fts5(text, tokenize='porter'); BEGIN");
  const insert = database.prepare("INSERT INTO message(text) VALUES(?)");
  for (const text of texts) insert.run(text);
  database.exec("COMMIT");
  const find = database.prepare("SELECT rowid FROM message WHERE message MATCH ? ORDER BY bm25(message) LIMIT 100");
  const ask = (word: string) => (): Promise<void> => {
    invariant(find.all(word).length > 0, `${word} is found`);
    return Promise.resolve();
  };
  const figures = {
    fts5RareMs: await timedMedian(RARE_SEARCHES, (at) => ask(rareWord(at % (texts.length / MESSAGES), 7))()),
    fts5CommonMs: await timedMedian(COMMON_SEARCHES, ask(COMMON_WORD)),
  };
  database.close();
  return figures;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function newId(): ConversationId {
  const id = parseConversationId(randomUUID());
  invariant(id !== undefined, "a new UUID is an id");
  return id;
}
