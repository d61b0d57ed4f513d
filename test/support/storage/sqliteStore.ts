/** Opens real stores, with the worker run from its source. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import {
  openConversationStore,
  type ConversationStoreOptions,
} from "../../../src/adapters/sqlite/conversationStore.ts";
import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";

export const SQL_JS_FILE = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm-debug.js");
export const WORKER_FILE = fileURLToPath(new URL("../../../src/host/opening/storageWorker.ts", import.meta.url));

export function storeOptions(folder: string): ConversationStoreOptions {
  return { folder, workerFile: WORKER_FILE, sqlJsFile: SQL_JS_FILE };
}

/** Opens the store in `folder`. Fails the test on errors. */
export async function openStore(
  folder: string,
  changes: Partial<ConversationStoreOptions> = {},
): Promise<ConversationStore> {
  const opened = await openConversationStore({ ...storeOptions(folder), ...changes });
  assert.ok(opened.ok, opened.ok ? "" : JSON.stringify(opened.error));
  return opened.value;
}
