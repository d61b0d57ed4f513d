/** Stores without their thread for the tests of a suite, each on a folder of its own that is removed. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { FaultyCalls } from "./faultyCalls.ts";
import { LocalStores, type LocalStore } from "./localStore.ts";
import { temporaryFolder } from "./storeBuilders.ts";

/** What a test works with. Usable inside the suite's tests and hooks only. */
export interface LocalStoreSuite {
  readonly stores: LocalStores;
  /** The folder of this test. */
  readonly path: string;
  /** The database in it. */
  readonly file: string;
  /** Opens the conversation in this test's folder, or in `path`; fails the test when that fails. */
  readonly open: (path?: string) => LocalStore;
}

/** Loads the library; nothing waits for the disk, so no test of it may cut the power. */
export function loadQuickStores(): Promise<LocalStores> {
  return LocalStores.load(new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }));
}

/** Sets the surrounding `describe` up. A test that leaves a file open fails. */
export function useLocalStores(load: () => Promise<LocalStores> = loadQuickStores): LocalStoreSuite {
  let stores: LocalStores | undefined;
  let folder: ReturnType<typeof temporaryFolder> | undefined;
  const present = <T>(value: T | undefined): T => {
    assert.ok(value !== undefined, "the stores are there only inside their suite's tests and hooks");
    return value;
  };
  before(async () => (stores = await load()));
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    stores?.faults.restart();
    folder?.remove();
    assert.equal(stores?.openFiles, 0, "a file was left open");
  });
  const suite: LocalStoreSuite = {
    get stores() {
      return present(stores);
    },
    get path() {
      return present(folder).path;
    },
    get file() {
      return join(suite.path, "conversation.sqlite");
    },
    open: (path = suite.path) => {
      const opened = suite.stores.open(path);
      assert.ok(opened.ok, JSON.stringify(opened));
      return opened.value;
    },
  };
  return suite;
}
