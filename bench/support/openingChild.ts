/**
 * Opens the conversation in a folder as a fresh process, and prints the time and the memory needed. Arguments: folder,
 * worker file, library file.
 */

import { openConversationStore } from "../../src/adapters/sqlite/conversationStore.ts";
import type { StorageFailed } from "../../src/core/errors.ts";
import type { IndexRecord } from "../../src/core/history/records.ts";
import { messageId } from "../../src/core/ids.ts";
import type { Result } from "../../src/core/result.ts";

const PAGE_OF_MESSAGES = 50;
const PAGE_OF_INDEX = 2_000;
const [, , folder = "", workerFile = "", sqlJsFile = ""] = process.argv;

const began = performance.now();
const store = valueOf(await openConversationStore({ folder, workerFile, sqlJsFile }));
const { messageCount, recordCount } = store.shape;
const first = messageCount - PAGE_OF_MESSAGES;
valueOf(await store.readMessages(Array.from({ length: PAGE_OF_MESSAGES }, (_, index) => messageId(first + index))));
const openMs = performance.now() - began;
const rssMb = process.memoryUsage().rss / 1e6;

const indexBegan = performance.now();
const index: IndexRecord[] = [];
for (let from = 0; from < recordCount; from += PAGE_OF_INDEX) {
  index.push(...valueOf(await store.readIndex(from, PAGE_OF_INDEX)));
}
const indexMs = performance.now() - indexBegan;
const rssWithIndexMb = process.memoryUsage().rss / 1e6;
await store.close();
console.log(JSON.stringify({ openMs, indexMs, rssMb, rssWithIndexMb, records: index.length }));

function valueOf<T>(result: Result<T, StorageFailed>): T {
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
}
