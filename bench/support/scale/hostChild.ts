/**
 * Lists, indexes and searches the conversations of a storage folder as the host does, in a fresh process with one
 * conversation open, and prints the figures. A process that made the conversations has so much memory of its own to use
 * again that nothing is seen of what the host needs. Arguments: storage folder, folder of the workers, number of
 * conversations, and the program that ends when the index has them all.
 */

import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { systemClock } from "../../../src/adapters/node/clock.ts";
import type { ConversationListing } from "../../../src/adapters/node/conversationFolders.ts";
import { openConversationStore } from "../../../src/adapters/sqlite/conversationStore.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import { invariant } from "../../../src/core/result.ts";
import { listedConversations } from "../../../src/host/conversations/list/listedConversations.ts";
import { searchConversations } from "../../../src/host/conversations/list/searchConversations.ts";
import { SearchIndex } from "../../../src/host/search/searchIndex.ts";
import { addMessage } from "../../../test/support/storage/storeBuilders.ts";
import { LoopProbe } from "../long/loopProbe.ts";
import { PeakMemory } from "../long/peakMemory.ts";
import { timed, timedMedian } from "./medians.ts";
import { COMMON_WORD, rareWord, scaleText } from "./scaleText.ts";

const [, , storage = "", dist = "", sizeText = "", filled = ""] = process.argv;
const OPEN_MESSAGES = 200;
const RARE_SEARCHES = 15;
const COMMON_SEARCHES = 5;
/** Until what is not used any more is given back. */
const SETTLING_MS = 1_000;
/** The engine retains the pages of a thread that has ended, for the next one, and gives them back after some 20 seconds. */
const GIVEN_BACK_MS = 30_000;

const size = Number(sizeText);
const own = await openOne(join(storage, "own"));
await wait(SETTLING_MS);
const memory = new PeakMemory();
const probe = new LoopProbe();
const index = new SearchIndex({ storage, dist, clock: systemClock, log: { info: console.error } });
const figures: Record<string, number> = {};
const growth = await memory.growthDuring(async () => {
  probe.reset();
  const cache = await index.readListings();
  const listed = await listedConversations(join(storage, "conversations"), new Set(), cache);
  invariant(listed.ok && !cache.isOutdated, "the folder can be listed");
  index.setConversations(listed.value);
  figures["fillMs"] = await timed(async () => {
    await promisify(execFile)(process.execPath, [filled, storage, sizeText]);
  });
  figures["searchRareMs"] = await timedMedian(RARE_SEARCHES, (at) => search(rareWord(at % size, 7), listed.value));
  figures["searchCommonMs"] = await timedMedian(COMMON_SEARCHES, () => search(COMMON_WORD, listed.value));
  figures["hostBlockMaxMs"] = probe.longestMs;
});
figures["hostRssPeakMb"] = growth.peakMb;
figures["hostRssSearchingMb"] = growth.endMb;
await index.dispose(); // as it does itself when nobody has searched for two minutes
await wait(GIVEN_BACK_MS);
figures["hostRssGrowthMb"] = growth.sinceMb();
await memory.end();
await own.close();
console.log(JSON.stringify(figures));

/** As it is whenever Forge is in use: its thread has loaded the database, and the engine has compiled it. */
async function openOne(folder: string): Promise<{ close(): Promise<unknown> }> {
  mkdirSync(folder);
  const files = { workerFile: join(dist, "storageWorker.cjs"), sqlJsFile: join(dist, "sql-wasm-debug.js") };
  const opened = await openConversationStore({ folder, ...files });
  invariant(opened.ok, "a new folder can be opened");
  for (let at = 0; at < OPEN_MESSAGES; at++) {
    const stored = await opened.value.commit([addMessage(at, scaleText(size, at))]);
    invariant(stored.ok, "the messages are stored");
  }
  const found = await opened.value.searchRanked(COMMON_WORD, { isOpen: true, needsAll: true, limit: 20 });
  invariant(found.ok, "the conversation can be searched");
  return opened.value;
}

async function search(query: string, listings: readonly ConversationListing[]): Promise<void> {
  const found: ConversationId[] = [];
  const cancel = new AbortController().signal;
  const left = await searchConversations(query, {
    listings,
    open: undefined,
    index,
    cancel,
    found: (id) => found.push(id),
  });
  invariant(
    left?.unreadable === 0 && found.length > 0,
    `${query} is found: ${JSON.stringify([left, found, listings.length])}`,
  );
}
