/** Messages with many kinds of text, and search queries for them. */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CORPUS } from "../texts/corpus.ts";
import type { LocalStore } from "../storage/localStore.ts";
import { addMessage } from "../storage/storeBuilders.ts";

const CORPUS_TEXT = Object.values(CORPUS).join("\n");

/** Some hundred characters of the corpus, different for each number. */
export function storyText(id: number): string {
  const at = (id * 7_919) % (CORPUS_TEXT.length - 600);
  return `${CORPUS_TEXT.slice(at, at + 50 + ((id * 31) % 500))} number${id}`;
}

/** Words in many scripts, parts of names and paths, symbols, and words without a match. */
export const STORY_QUERIES: readonly string[] = [
  ...[
    "fox",
    "quick brown",
    "HTTPServer",
    "server",
    "item-7",
    "id: 7919",
    "worker-3 ERROR",
    "src/m7.ts",
    "消息",
    "总结",
    "请",
  ],
  ...["古いメッセ", "メッセージ", "데이터", "문맥이", "ПРИМЕР №42", "دائم", "मत", "number17", "=>", "😀", "e", "zzz"],
];

/** Number of indexed messages in the database of `folder`. Reads a copy, since a store may have the file open. */
export function indexedIn(folder: string): number {
  const copy = mkdtempSync(join(tmpdir(), "forge-look-"));
  for (const name of readdirSync(folder)) {
    if (name.startsWith("conversation.sqlite")) cpSync(join(folder, name), join(copy, name));
  }
  const database = new DatabaseSync(join(copy, "conversation.sqlite"));
  try {
    return Number(database.prepare("SELECT max(indexed) AS n FROM search_state").get()?.["n"]);
  } finally {
    database.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Adds `count` stories from number `from` on, as messages with these ids, in one commit. */
export function addStories(store: LocalStore, from: number, count: number): void {
  const writes = Array.from({ length: count }, (_, index) => addMessage(from + index, storyText(from + index)));
  assert.ok(store.commit(writes).ok);
}

/** Ids of matching messages, best first. */
export function findStories(store: LocalStore, query: string, limit = 1_000): readonly number[] {
  const found = store.search(query, { limit });
  assert.ok(found.ok, JSON.stringify(found));
  return found.value.map(({ id }) => id);
}

/** Results of all {@link STORY_QUERIES}. */
export function findAllStories(store: LocalStore): readonly (readonly number[])[] {
  return STORY_QUERIES.map((query) => findStories(store, query));
}
