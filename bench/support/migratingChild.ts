/** Migrates a conversation's file and kills itself at a file call. Arguments: folder, version, number of the call. */

import { loadSqlJs } from "../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { FaultyCalls } from "../../test/support/storage/faultyCalls.ts";
import { migrateTo } from "../../test/support/storage/schemaVersions.ts";
import { SQL_JS_FILE } from "../../test/support/storage/sqliteStore.ts";

const [, , folder = "", version = "0", nth = "0"] = process.argv;
const faults = new FaultyCalls();
const shim = await loadSqlJs(SQL_JS_FILE, faults.calls);
faults.restart(({ index }) => {
  if (index === Number(nth)) process.kill(process.pid, "SIGKILL");
  return undefined;
});
migrateTo(shim, folder, Number(version));
console.log(`done ${faults.count}`);
