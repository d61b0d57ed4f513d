/** The thread's side of the index over all conversations, in this thread, so that its steps can be stopped between. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { snowballStemmer } from "../../../src/adapters/stemmers/snowballStemmer.ts";
import { recallSetting } from "../../../src/core/history/recallState.ts";
import { messageId, parseConversationId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import type { FromSearchIndex, RecalledPage } from "../../../src/host/search/searchIndexProtocol.ts";
import { SearchIndexServer } from "../../../src/host/search/searchIndexServer.ts";
import { loadQuickStores } from "../../support/storage/localStores.ts";
import type { LocalStores } from "../../support/storage/localStore.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { addMessage, temporaryFolder } from "../../support/storage/storeBuilders.ts";

/** More than are indexed in one step. */
const MANY = 4_000;
const ID = parseConversationId("00000000-0000-4000-8000-000000000001");
assert.ok(ID !== undefined);
const id = ID;

describe("the server of the index over all conversations, while it indexes one", function () {
  this.timeout(60_000);
  let storage: ReturnType<typeof temporaryFolder>;
  let stores: LocalStores;
  let shim: SqlJsShim;
  let server: SearchIndexServer;
  let posted: FromSearchIndex[];

  const conversation = (): string => path.join(storage.path, "conversations", id);

  function commit(...writes: Parameters<ReturnType<typeof opened>["commit"]>[0]): void {
    const store = opened();
    assert.deepEqual(store.commit(writes), { ok: true, value: undefined });
    store.close();
  }

  function opened() {
    const store = stores.open(conversation());
    assert.ok(store.ok);
    return store.value;
  }

  const list = (): void => {
    server.receive({ kind: "conversations", listed: [{ id, messageCount: MANY, isReadable: true }] });
  };

  /** Until the first of many steps. */
  async function indexing(): Promise<void> {
    list();
    await until(() => shim.files.openCount > 0);
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await turn();
  }

  function ask(request: number): void {
    server.receive({ kind: "read", id: request, conversation: id, messages: [messageId(0)] });
  }

  async function answered(request: number): Promise<RecalledPage | undefined> {
    const isAnswer = (message: FromSearchIndex): boolean => message.kind === "read" && message.id === request;
    await until(() => posted.some(isAnswer));
    const answer = posted.find(isAnswer);
    return answer?.kind === "read" ? answer.page : undefined;
  }

  beforeEach(async () => {
    storage = temporaryFolder();
    for (const folder of [conversation(), path.join(storage.path, "search")]) mkdirSync(folder, { recursive: true });
    [stores, shim] = await Promise.all([loadQuickStores(), loadSqlJs(SQL_JS_FILE, nodeFileCalls)]);
    posted = [];
    const start = {
      servesSearchIndex: true,
      folder: path.join(storage.path, "search"),
      conversations: path.join(storage.path, "conversations"),
      sqlJsFile: SQL_JS_FILE,
    } as const;
    server = new SearchIndexServer(start, shim, snowballStemmer, (answer) => {
      posted.push(answer);
      if (answer.kind === "wantsLease") server.receive({ kind: "lease", isHeld: true });
    });
    commit(...Array.from({ length: MANY }, (_, number) => addMessage(number, `message ${String(number)} says enough`)));
  });
  afterEach(async () => {
    await until(() => posted.some(({ kind }) => kind === "idle"));
    assert.equal(shim.files.openCount, 0);
    assert.deepEqual(
      posted.filter(({ kind }) => kind === "failed"),
      [],
    );
    storage.remove();
  });

  it("reads what was changed before the list that came last", async () => {
    commit({ kind: "record", record: recallSetting(true, 1) });
    await indexing();
    commit({ kind: "record", record: recallSetting(false, 2) });
    list();
    ask(1);
    assert.deepEqual(
      (await answered(1))?.messages.map(({ message }) => textOf(message)),
      ["message 0 says enough"],
    );
  });

  it("reads on when the list changes meanwhile", async () => {
    await indexing();
    ask(1);
    list();
    ask(2);
    list();
    for (const request of [1, 2]) assert.equal((await answered(request))?.messageCount, MANY);
  });
});
