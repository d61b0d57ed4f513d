/**
 * Recall over 5,000 conversations of 200 messages (without `--full`, 250): real files, filled and searched by the index in
 * its thread. The reference is `bm25()` of an FTS5 table of Node's own SQLite with
 * the same messages, asked for any of the words.
 */

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { median } from "../../../scripts/benchmark.ts";
import { systemClock } from "../../../src/adapters/node/clock.ts";
import type { ConversationListing } from "../../../src/adapters/node/conversationFolders.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import { invariant } from "../../../src/core/result.ts";
import { SearchIndex } from "../../../src/host/search/searchIndex.ts";
import { loadQuickStores } from "../../../test/support/storage/localStores.ts";
import { addMessage, temporaryFolder } from "../../../test/support/storage/storeBuilders.ts";
import { ThreadProbes } from "../long/loopProbe.ts";
import { buildScaleDist } from "../scale/scaleDist.ts";
import { untilFilled } from "../scale/untilFilled.ts";
import { fillCommitRatio } from "./commitsBesideFilling.ts";
import { RecombinedTalk } from "./recombinedTalk.ts";

const CONVERSATIONS = 250;
const CONVERSATIONS_FULL = 5_000;
const MESSAGES = 200;
const QUESTIONS = 200;
const COMMON_QUESTIONS = 50;
/** Of each kind; they take seconds. */
const REFERENCE_QUESTIONS = 25;
const WARMING_QUESTIONS = 5;
const STARTING_MS = 1_000;
const QUERY = { isOpen: false, needsAll: false, hitsEach: 3, conversationLimit: 10 } as const;

export async function recallAtScale(data: string | undefined, full: boolean): Promise<Record<string, number>> {
  const talk = new RecombinedTalk(data);
  const root = temporaryFolder();
  const count = full ? CONVERSATIONS_FULL : CONVERSATIONS;
  const { ids, bytes } = await makeConversations(count, talk, join(root.path, "conversations"));
  console.log(`${count * MESSAGES} messages, ${Math.round(bytes / 1e6)} MB of text`);
  const asked = spread(QUESTIONS, count).map(([conversation, message]) => talk.question(conversation, message));
  const common = Array.from({ length: COMMON_QUESTIONS }, (_, number) => talk.commonQuestion(number));
  const own = await ownFigures(root.path, ids, { asked, common });
  const indexShare = sizeOf(join(root.path, "search")) / bytes;
  const reference = referenceFigures(join(root.path, "reference.sqlite"), count, talk, {
    asked: asked.slice(0, REFERENCE_QUESTIONS),
    common: common.slice(0, REFERENCE_QUESTIONS),
  });
  root.remove();
  return { ...own, indexShare: Number(indexShare.toFixed(2)), ...reference };
}

interface Questions {
  readonly asked: readonly string[];
  /** All of their words are in many messages. */
  readonly common: readonly string[];
}

async function makeConversations(
  count: number,
  talk: RecombinedTalk,
  folder: string,
): Promise<{ readonly ids: readonly ConversationId[]; readonly bytes: number }> {
  const stores = await loadQuickStores();
  let bytes = 0;
  const ids = Array.from({ length: count }, (_, conversation) => {
    const id = parseConversationId(randomUUID());
    invariant(id !== undefined, "a new UUID is an id");
    mkdirSync(join(folder, id), { recursive: true });
    const texts = Array.from({ length: MESSAGES }, (_each, message) => talk.message(conversation, message));
    for (const text of texts) bytes += Buffer.byteLength(text);
    const opened = stores.open(join(folder, id));
    invariant(opened.ok, "a new folder can be opened");
    invariant(opened.value.commit(texts.map((text, at) => addMessage(at, text))).ok, "the messages are stored");
    invariant(opened.value.close().ok, "the file can be closed");
    return id;
  });
  return { ids, bytes };
}

async function ownFigures(
  storage: string,
  ids: readonly ConversationId[],
  questions: Questions,
): Promise<Record<string, number>> {
  const dist = join(storage, "dist");
  await buildScaleDist(dist, new URL("../long/timedWorker.ts", import.meta.url));
  const index = new SearchIndex({ storage, dist, clock: systemClock, log: { info: console.log } });
  const listings = ids.map((id) => listingOf(id, storage));
  const ratio = await fillCommitRatio(index, listings);
  index.setConversations([]); // starts the thread
  await wait(STARTING_MS);
  const probes = new ThreadProbes();
  const began = performance.now();
  const held = await probes.during(async () => {
    index.setConversations(listings);
    await untilFilled(storage, ids.length);
  });
  const filled = { fillBlockMaxMs: held.workerMs, fillS: (performance.now() - began) / 1e3 };
  probes.close();
  let found = 0;
  const search = async (question: string): Promise<number> => {
    const asked = performance.now();
    const cancel = new AbortController().signal;
    const unreadable = await index.search({ ...QUERY, question }, { cancel, found: () => found++ });
    invariant(unreadable === 0, `${question} is answered`);
    return performance.now() - asked;
  };
  const times = async (all: readonly string[]): Promise<number[]> => {
    const each: number[] = [];
    for (const question of all) each.push(await search(question));
    return each;
  };
  await times(questions.asked.slice(0, WARMING_QUESTIONS));
  const own = await times(questions.asked);
  invariant(found >= questions.asked.length, "a question for a message finds some");
  const common = await times(questions.common);
  await index.dispose();
  return {
    ...percentiles("search", [...own, ...common]),
    ...percentiles("searchCommon", common),
    ...rounded(filled),
    fillCommitRatio: Number(ratio.toFixed(2)),
  };
}

function listingOf(id: ConversationId, storage: string): ConversationListing {
  const usage = { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 };
  const counts = { messageCount: MESSAGES, recordCount: MESSAGES, undecided: 0, createdAtMs: 0, lastUsedAtMs: 0 };
  return {
    id,
    folder: join(storage, "conversations", id),
    lastUsedAtMs: 0,
    sizeBytes: 1,
    openIn: "free",
    meta: { version: 1, title: "", provider: "offline", model: "offline", usage, ...counts },
  };
}

function referenceFigures(
  file: string,
  count: number,
  talk: RecombinedTalk,
  questions: Questions,
): Record<string, number> {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA synchronous=OFF; CREATE VIRTUAL TABLE message USING fts5(text, tokenize='porter'); BEGIN");
  const insert = database.prepare("INSERT INTO message(text) VALUES(?)");
  for (let conversation = 0; conversation < count; conversation++)
    for (let message = 0; message < MESSAGES; message++) insert.run(talk.message(conversation, message));
  database.exec("COMMIT");
  const find = database.prepare("SELECT rowid FROM message WHERE message MATCH ? ORDER BY bm25(message) LIMIT 10");
  const times = (all: readonly string[]): readonly number[] =>
    all.map((question) => {
      const began = performance.now();
      const words = question.split(" ").map((word) => `"${word}"`);
      invariant(find.all(words.join(" OR ")).length > 0, `${question} is found`);
      return performance.now() - began;
    });
  const asked = times(questions.asked);
  const common = times(questions.common);
  database.close();
  return {
    ...percentiles("search", [...asked, ...common], "Reference"),
    ...percentiles("searchCommon", common, "Reference"),
  };
}

/** Places all over the conversations. */
function spread(questions: number, count: number): readonly (readonly [conversation: number, message: number])[] {
  return Array.from({ length: questions }, (_, at) => [(at * 7_919) % count, (at * 31) % MESSAGES]);
}

function percentiles(name: string, values: readonly number[], suffix = ""): Record<string, number> {
  const sorted = values.toSorted((one, other) => one - other);
  return rounded({
    [`${name}P50Ms${suffix}`]: median(values),
    [`${name}P99Ms${suffix}`]: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0,
  });
}

function rounded(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(1))]));
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
