/** The texts of a conversation that no window has open. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DATABASE_FILE } from "../../../src/adapters/sqlite/databaseFile.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { openSqlJsEngine } from "../../../src/adapters/sqlite/engine/sqlJsEngine.ts";
import { loadSqlJs } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { configure } from "../../../src/adapters/sqlite/schema.ts";
import { ClosedConversation } from "../../../src/adapters/sqlite/search/closedConversation.ts";
import { textOf } from "../../../src/core/message.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { addMessage } from "../../support/storage/storeBuilders.ts";

const MESSAGES = 60;
const LONG = [3, 20, 21, 59];
const DAMAGED = 40;
const ids = Array.from({ length: MESSAGES }, (_, id) => id);

const textFor = (id: number): string => (LONG.includes(id) ? `message ${id} ${"ä".repeat(5_000)}` : `message ${id}`);

describe("a closed conversation", () => {
  const suite = useLocalStores();

  for (const [order, read] of [
    ["in their order", ids],
    ["backwards", ids.toReversed()],
    ["here and there", ids.map((id) => (id * 37) % MESSAGES)],
  ] as const) {
    it(`tells its messages ${order}, long ones too, and only those that are damaged not`, async () => {
      const shim = await loadSqlJs(SQL_JS_FILE, nodeFileCalls);
      const store = suite.open();
      store.commit(ids.map((id) => addMessage(id, textFor(id))));
      store.close();
      const engine = openSqlJsEngine(shim, join(suite.path, DATABASE_FILE));
      configure(engine);
      engine.exec(`DROP TRIGGER message_no_update; UPDATE message SET body = body || char(10) WHERE id = ${DAMAGED}`);
      engine.close();
      for (const lastReadCount of [0, 8]) {
        const closed = ClosedConversation.open(suite.path, shim, lastReadCount);
        assert.ok(closed);
        const texts = read.map((id) => {
          const message = closed.read(id);
          return message && textOf(message);
        });
        closed.close();
        assert.deepEqual(
          texts,
          read.map((id) => (id === DAMAGED ? undefined : textFor(id))),
        );
      }
    });
  }
});
