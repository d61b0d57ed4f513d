/** Copies by a backup or a synchronized folder: the database and its log may be copied at different times. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPair, writePair, type FilePair } from "../../support/storage/damage.ts";
import { readOrRescue } from "../../support/storage/damagedFiles.ts";
import { LocalStores } from "../../support/storage/localStore.ts";
import { addMessage, temporaryFolder } from "../../support/storage/storeBuilders.ts";

const DATABASE = "conversation.sqlite";
const MESSAGES = 150;
const textFor = (id: number): string => `word ${id} `.repeat(1 + ((id * 7_919) % 20_000));

describe("a copy made while a conversation was written", function () {
  this.timeout(120_000);
  let stores: LocalStores;
  let root: ReturnType<typeof temporaryFolder>;
  before(async () => {
    stores = await LocalStores.load();
    root = temporaryFolder();
  });
  after(() => {
    root.remove();
  });

  /** File contents after every fifth message, over several checkpoints. */
  function moments(): readonly { readonly said: number; readonly pair: FilePair }[] {
    const folder = join(root.path, "written");
    mkdirSync(folder);
    const opened = stores.open(folder);
    assert.ok(opened.ok);
    const taken: { said: number; pair: FilePair }[] = [];
    for (let id = 0; id < MESSAGES; id++) {
      assert.ok(opened.value.commit([addMessage(id, textFor(id))]).ok);
      if (id % 5 === 4) taken.push({ said: id + 1, pair: readPair(join(folder, DATABASE)) });
    }
    opened.value.close();
    return taken;
  }

  it("is complete if both files were copied at the same time, and otherwise shows no changed text", () => {
    const taken = moments();
    let rescued = 0;
    for (const [index, file] of taken.entries()) {
      for (const log of [file, taken[index + 1], taken[index + 4], taken[index - 1], taken[index - 4]]) {
        if (log === undefined) continue;
        const folder = join(root.path, "copy");
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        const logBytes = log.pair.log;
        writePair(join(folder, DATABASE), { main: file.pair.main, log: logBytes });
        const { messages, changedWords, keptAs } = readOrRescue(stores, folder, textFor);
        const what = `file after ${file.said} messages, log after ${log.said}`;
        assert.equal(changedWords, 0, what);
        if (log === file) assert.deepEqual([messages.size, keptAs], [file.said, undefined], what);
        if (keptAs === undefined) continue;
        rescued++;
        assert.ok(readFileSync(join(folder, keptAs)).equals(file.pair.main), `${what}: the copy was kept as it was`);
      }
    }
    assert.ok(rescued > 0, "some copies were torn so badly that they had to be rescued");
  });

  it("is opened by its own name, and copies from other machines are neither read nor changed", () => {
    const folder = join(root.path, "synced");
    mkdirSync(folder);
    const opened = stores.open(folder);
    assert.ok(opened.ok && opened.value.commit([addMessage(0, textFor(0))]).ok);
    opened.value.close();
    const others = [
      "conversation (conflicted copy).sqlite",
      "conversation.sqlite-wal (1)",
      "lease.7 (other)",
      "meta-PC.json",
    ];
    for (const name of others) writeFileSync(join(folder, name), "of another machine");
    const { messages, keptAs } = readOrRescue(stores, folder, textFor);
    assert.deepEqual([messages.size, keptAs], [1, undefined]);
    for (const name of others) assert.equal(readFileSync(join(folder, name), "utf8"), "of another machine");
    assert.deepEqual(readdirSync(folder).toSorted(), [DATABASE, ...others].toSorted());
  });
});
