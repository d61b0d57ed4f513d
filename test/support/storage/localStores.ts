/** Synchronous stores for a suite, each test with a new folder. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { FaultyCalls } from "./faultyCalls.ts";
import { LocalStores, type LocalStore } from "./localStore.ts";
import { temporaryFolder } from "./storeBuilders.ts";

/** Usable inside the suite's tests and hooks only. */
export interface LocalStoreSuite {
  readonly stores: LocalStores;
  /** Folder of this test. */
  readonly path: string;
  /** Database in that folder. */
  readonly file: string;
  /** Opens the conversation in `path` or this test's folder. Fails the test on errors. */
  readonly open: (path?: string) => LocalStore;
}

/** Loads the library with syncs disabled: not for tests of power cuts. */
export function loadQuickStores(): Promise<LocalStores> {
  return LocalStores.load(new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }));
}

/** Registers hooks in the surrounding `describe`. A test that leaves a file open fails. */
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
