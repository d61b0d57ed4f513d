import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireLease, leaseState } from "../../../src/adapters/node/lease.ts";
import { eraseOldForkFiles, cleanUpAfterCrash } from "../../../src/adapters/node/crashCleanup.ts";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import { faultyFiles, type Fault } from "../../support/storage/faultyFiles.ts";
import { openStore } from "../../support/storage/sqliteStore.ts";
import { addMessage, temporaryFolder } from "../../support/storage/storeBuilders.ts";

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const HOUR_MS = 3_600_000;

describe("cleanUpAfterCrash", () => {
  let root: ReturnType<typeof temporaryFolder>;
  let looked: string[];
  beforeEach(() => {
    root = temporaryFolder();
    looked = [];
    for (const name of ["conversations", "trash"]) mkdirSync(join(root.path, name));
  });
  afterEach(() => {
    root.remove();
  });
  const at = (...names: readonly string[]): string => join(root.path, "conversations", ...names);
  /** Creates a folder with these files, last changed `ageMs` ago. */
  const make = (name: string, files: readonly string[], ageMs: number): void => {
    mkdirSync(at(name));
    for (const file of files) writeFileSync(at(name, file), file === "lease.1" ? '{"released":true}' : "content");
    age(name, ageMs);
  };
  const age = (name: string, ageMs: number): void => {
    utimesSync(at(name), new Date(Date.now() - ageMs), new Date(Date.now() - ageMs));
  };
  const names = (): readonly string[] => readdirSync(at()).toSorted();
  const tidy = (
    holds: Result<boolean, StorageFailed> = ok(true),
    { nowMs = Date.now(), fault }: { readonly nowMs?: number; readonly fault?: Fault } = {},
  ): Promise<readonly StorageFailed[]> => {
    const holdsMessages = (folder: string): Promise<Result<boolean, StorageFailed>> => {
      looked.push(folder);
      return Promise.resolve(holds);
    };
    const places = { conversations: at(), trash: join(root.path, "trash") };
    return cleanUpAfterCrash(places, { holdsMessages, nowMs, ...(fault && { files: faultyFiles(fault) }) });
  };

  it("reports no failure when the folders do not exist", async () => {
    root.remove();
    assert.deepEqual(await tidy(), []);
  });

  it("turns a complete import into a conversation that is free to open", async () => {
    make(`${uuid(1)}.importing`, ["conversation.sqlite"], HOUR_MS);
    assert.deepEqual(await tidy(ok(true)), []);
    assert.deepEqual(names(), [uuid(1)]);
    assert.ok(existsSync(at(uuid(1), "conversation.sqlite")));
    assert.equal(await leaseState(at(uuid(1))), "free");
  });

  it("removes an import that holds no messages", async () => {
    make(`${uuid(1)}.importing`, ["conversation.sqlite", "conversation.sqlite-wal"], HOUR_MS);
    make(`${uuid(2)}.importing`, [], HOUR_MS);
    assert.deepEqual(await tidy(ok(false)), []);
    assert.deepEqual(names(), []);
  });

  it("removes the files of a finished fork and leaves a running fork alone", async () => {
    make(`${uuid(1)}.importing`, ["conversation.sqlite", "import.json"], HOUR_MS);
    const [old, young] = [`fork-${uuid(2)}.json`, `fork-${uuid(3)}.json`];
    for (const name of [old, young]) writeFileSync(join(root.path, name), "words");
    utimesSync(join(root.path, old), new Date(Date.now() - HOUR_MS), new Date(Date.now() - HOUR_MS));
    assert.deepEqual(await tidy(ok(true)), []);
    assert.deepEqual(readdirSync(at(uuid(1))).toSorted(), ["conversation.sqlite", "lease.1"]);
    assert.deepEqual(readdirSync(root.path).toSorted(), ["conversations", young, "trash"]);
    assert.deepEqual(await eraseOldForkFiles(root.path), ok(undefined));
    assert.deepEqual(readdirSync(root.path).toSorted(), ["conversations", "trash"]);
  });

  it("leaves an import unchanged when its database cannot be checked", async () => {
    const failure: StorageFailed = { code: "STORAGE_FAILED", reason: "ioError", detail: "" };
    make(`${uuid(1)}.importing`, ["conversation.sqlite"], HOUR_MS);
    assert.deepEqual(await tidy(err(failure)), [failure]);
    assert.ok(existsSync(at(`${uuid(1)}.importing`, "conversation.sqlite")));
    age(`${uuid(1)}.importing`, HOUR_MS);
    assert.deepEqual(await tidy(ok(true)), []);
    assert.deepEqual(names(), [uuid(1)]);
  });

  it("leaves alone an import that is running or has just started", async () => {
    make(`${uuid(1)}.importing`, ["conversation.sqlite"], 0);
    const lease = await acquireLease(at(`${uuid(1)}.importing`));
    assert.ok(lease.ok);
    age(`${uuid(1)}.importing`, 5 * HOUR_MS);
    make(`${uuid(2)}.importing`, ["conversation.sqlite"], 1_000);
    assert.deepEqual(await tidy(ok(false)), []);
    assert.deepEqual(names(), [`${uuid(1)}.importing`, `${uuid(2)}.importing`]);
    assert.deepEqual(looked, []);
    await lease.value.release();
  });

  it("does not replace an existing conversation by an import", async () => {
    make(uuid(1), ["conversation.sqlite"], HOUR_MS);
    make(`${uuid(1)}.importing`, ["conversation.sqlite"], HOUR_MS);
    assert.equal((await tidy(ok(true))).length, 1);
    assert.deepEqual(names(), [uuid(1), `${uuid(1)}.importing`]);
  });

  it("removes an old folder without messages", async () => {
    make(uuid(1), [], 30 * HOUR_MS);
    make(uuid(2), ["lease.1", "tmp.1"], 30 * HOUR_MS);
    mkdirSync(at(uuid(2), "requests"));
    writeFileSync(at(uuid(2), "requests", "one"), "");
    age(uuid(2), 30 * HOUR_MS);
    make(uuid(3), ["lease.1"], 20 * HOUR_MS);
    assert.deepEqual(await tidy(), []);
    assert.deepEqual(names(), [uuid(3)]);
  });

  it("never removes a folder that holds data or is open", async () => {
    const kept = ["conversation.sqlite", "conversation.sqlite-wal", "meta.json", "damaged-1.sqlite", "something"];
    for (const [index, file] of kept.entries()) make(uuid(index), [file], 99 * HOUR_MS);
    make(uuid(8), [], 99 * HOUR_MS);
    const lease = await acquireLease(at(uuid(8)));
    assert.ok(lease.ok);
    age(uuid(8), 99 * HOUR_MS);
    mkdirSync(at("no conversation"));
    age("no conversation", 99 * HOUR_MS);
    const before = names();
    assert.deepEqual(await tidy(ok(false)), []);
    assert.deepEqual(names(), before);
    await lease.value.release();
  });

  it("does not treat a folder as old when the clock was set back", async () => {
    make(uuid(1), [], 0);
    make(`${uuid(2)}.importing`, [], 0);
    assert.deepEqual(await tidy(ok(false), { nowMs: Date.now() - 99 * HOUR_MS }), []);
    assert.equal(names().length, 2);
  });

  it("completes interrupted erasures, in the trash as well", async () => {
    make(`${uuid(1)}.erasing`, ["conversation.sqlite"], 0);
    mkdirSync(join(root.path, "trash", `${uuid(2)}.erasing`));
    assert.deepEqual(await tidy(), []);
    assert.deepEqual([...names(), ...readdirSync(join(root.path, "trash"))], []);
  });

  it("loses no conversation, whichever file call fails", async () => {
    let reached = true;
    for (let failing = 0; reached; failing++) {
      reached = false;
      make(`${uuid(1)}.importing`, ["conversation.sqlite"], HOUR_MS);
      make(uuid(2), [], 30 * HOUR_MS);
      await tidy(ok(true), {
        fault: ({ index }) => {
          reached ||= index === failing;
          return index === failing ? "EIO" : undefined;
        },
      });
      const places = names().filter((name) => existsSync(at(name, "conversation.sqlite")));
      assert.equal(places.length, 1, `call ${failing}: ${names().join(" ")}`);
      root.remove();
      for (const name of ["conversations", "trash"]) mkdirSync(join(root.path, name), { recursive: true });
    }
  });

  it("decides about an import by the messages in a real database", async () => {
    for (const [number, count] of [[1, 0] as const, [2, 3] as const]) {
      const name = `${uuid(number)}.importing`;
      make(name, [], 0);
      const store = await openStore(at(name));
      await store.commit(Array.from({ length: count }, (_, id) => addMessage(id)));
      await store.close();
      age(name, HOUR_MS);
    }
    const holdsMessages = async (folder: string): Promise<Result<boolean, StorageFailed>> => {
      const store = await openStore(folder);
      await store.close();
      return ok(store.shape.messageCount > 0);
    };
    const places = { conversations: at(), trash: join(root.path, "trash") };
    assert.deepEqual(await cleanUpAfterCrash(places, { holdsMessages, nowMs: Date.now() }), []);
    assert.deepEqual(names(), [uuid(2)]);
  });
});
