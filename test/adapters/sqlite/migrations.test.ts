import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { SCHEMA_VERSION } from "../../../src/adapters/sqlite/schema.ts";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../../../src/adapters/sqlite/engine/sqlJsShim.ts";
import { FaultyCalls } from "../../support/storage/faultyCalls.ts";
import { LocalStores } from "../../support/storage/localStore.ts";
import { judge } from "../../support/storage/nativeJudge.ts";
import { makeVersion, migrateTo, shapeOfFile } from "../../support/storage/schemaVersions.ts";
import { SQL_JS_FILE } from "../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const MESSAGES = 8;

describe("schema migration", function () {
  this.timeout(60_000);
  let root: ReturnType<typeof temporaryFolder>;
  let shim: SqlJsShim;
  const quick = { ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined };
  const faults = new FaultyCalls(quick);
  before(async () => {
    shim = await loadSqlJs(SQL_JS_FILE, faults.calls);
  });
  beforeEach(() => (root = temporaryFolder()));
  afterEach(() => {
    faults.restart();
    root.remove();
  });

  for (let version = 1; version <= SCHEMA_VERSION; version++) {
    it(`leaves a complete file of version ${version} or version ${version + 1} if stopped at any file call`, () => {
      const [sound, run] = [join(root.path, "sound"), join(root.path, "run")];
      mkdirSync(sound);
      makeVersion(shim, sound, version, MESSAGES);
      const old = shapeOfFile(sound);
      const attempt = (failing: number): number => {
        rmSync(run, { recursive: true, force: true });
        cpSync(sound, run, { recursive: true });
        faults.restart(({ index }) => (index >= failing ? "EIO" : undefined));
        try {
          migrateTo(shim, run, version + 1);
        } catch (error) {
          assert.ok(failing < Infinity, String(error));
        }
        const { count } = faults;
        faults.restart();
        return count;
      };
      const calls = attempt(Infinity);
      const migrated = shapeOfFile(run);
      assert.notDeepEqual(migrated, old);
      const seen = { old: 0, migrated: 0 };
      for (let failing = 0; failing < calls; failing++) {
        attempt(failing);
        assert.equal(judge(run).integrity, "ok", `call ${failing}`);
        const shape = shapeOfFile(run);
        if (isDeepStrictEqual(shape, old)) seen.old++;
        else if (isDeepStrictEqual(shape, migrated)) seen.migrated++;
        else assert.deepEqual(shape, old, `call ${failing}`);
        migrateTo(shim, run, version + 1);
        assert.deepEqual(shapeOfFile(run), migrated, `call ${failing}: the next time`);
      }
      assert.ok(seen.old > 0 && seen.migrated > 0, JSON.stringify(seen));
    });
  }

  it("updates files of every earlier version without losing anything", async () => {
    const stores = await LocalStores.load();
    for (let version = 1; version <= SCHEMA_VERSION; version++) {
      const folder = join(root.path, String(version));
      mkdirSync(folder);
      makeVersion(shim, folder, version, MESSAGES);
      const opened = stores.open(folder);
      assert.ok(opened.ok);
      assert.equal(opened.value.shape.messageCount, MESSAGES);
      opened.value.fillIndex();
      const found = opened.value.search("text 3", { limit: 1 });
      assert.deepEqual(found.ok && found.value.map(({ id }) => id), [3]);
      opened.value.close();
      assert.equal(judge(folder).messages, MESSAGES);
    }
  });
});
