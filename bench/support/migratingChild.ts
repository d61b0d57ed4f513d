/**
 * Brings a conversation's file to a next version that exists only here, and kills itself at the file call that is named.
 * Arguments: folder, number of the call.
 */

import { join } from "node:path";
import { configure, migrate, MIGRATIONS } from "../../src/adapters/sqlite/schema.ts";
import { openSqlJsEngine } from "../../src/adapters/sqlite/sqlJsEngine.ts";
import { loadSqlJs } from "../../src/adapters/sqlite/sqlJsShim.ts";
import { FaultyCalls } from "../../test/support/faultyCalls.ts";
import { SQL_JS_FILE } from "../../test/support/sqliteStore.ts";

const NEXT = `
CREATE TABLE extra(id INTEGER PRIMARY KEY, size INTEGER NOT NULL);
INSERT INTO extra SELECT id, length(body) FROM message;
ALTER TABLE message ADD COLUMN added TEXT NOT NULL DEFAULT 'new';
`;

const [, , folder = "", nth = "0"] = process.argv;
const faults = new FaultyCalls();
const shim = await loadSqlJs(SQL_JS_FILE, faults.calls);
faults.restart(({ index }) => {
  if (index === Number(nth)) process.kill(process.pid, "SIGKILL");
  return undefined;
});
const engine = openSqlJsEngine(shim, join(folder, "conversation.sqlite"));
configure(engine);
migrate(engine, [...MIGRATIONS, NEXT]);
engine.close();
console.log(`done ${faults.count}`);
