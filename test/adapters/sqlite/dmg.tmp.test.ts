/**
 * Files that were damaged in every way that comes to mind, with and without a log. Whatever happened to them: nothing is
 * deleted, nothing crashes, no changed word is shown for a true one, and what was not touched can be read.
 */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nodeFileCalls } from "../../../src/adapters/sqlite/shim/fileCalls.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textOf } from "../../../src/core/message.ts";
import {
  DAMAGES,
  placesOfMessages,
  readPair,
  untouchedMessages,
  writePair,
  type FilePair,
} from "../../support/damage.ts";
import { FaultyCalls } from "../../support/faultyCalls.ts";
import { LocalStores } from "../../support/localStore.ts";
import { addMessage, addRow, step, temporaryFolder } from "../../support/storeBuilders.ts";

const FILES = 1_000;
const MESSAGES = 120;
const textFor = (id: number): string => `word ${id} `.repeat(1 + ((id * 7_919) % 900));

describe("damaged files", function () {
  this.timeout(300_000);
  let stores: LocalStores;
  let root: ReturnType<typeof temporaryFolder>;
  before(async () => {
    stores = await LocalStores.load(
      new FaultyCalls({ ...nodeFileCalls, sync: () => undefined, syncFolder: () => undefined }),
    );
    root = temporaryFolder();
  });
  after(() => {
    root.remove();
  });

  it(`are never deleted, never crash and give back what was not touched, in ${FILES} cases`, () => {
    let seed = 20_240_607;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const sounds = [sound("closed", MESSAGES, 0), sound("killed", 0, MESSAGES), sound("both", 80, MESSAGES - 80)];
    const names = Object.keys(DAMAGES);
    let [untouched, readable, rescues] = [0, 0, 0];
    for (let index = 0; index < FILES; index++) {
      const before = sounds[index % sounds.length];
      const how = names[random(names.length)] ?? "";
      assert.ok(before);
      const inLog = before.pair.log !== undefined && random(2) === 1;
      const damaged = damage(before.pair, how, inLog, random);
      const folder = join(root.path, "case");
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      writePair(join(folder, "conversation.sqlite"), damaged);
      const expected = untouchedMessages(before.places, before.pair, damaged);
      const { found, keptAs } = readAll(folder, `case ${index}: ${how}`);
      untouched += expected.length;
      readable += expected.filter((id) => found.has(id)).length;
      if (keptAs === undefined) continue;
      rescues++;
      assert.ok(readFileSync(join(folder, keptAs)).equals(damaged.main), "the damaged file was kept as it was");
      if (damaged.log !== undefined) assert.ok(readFileSync(join(folder, `${keptAs}-wal`)).equals(damaged.log));
    }
    console.log(readable/untouched, rescues);
    const share = readable / untouched;
    assert.ok(share >= 0.95, `${(100 * share).toFixed(2)} % of ${untouched} untouched messages were readable`);
    assert.ok(rescues > FILES / 4, `only ${rescues} files were bad enough to be rescued`);
  });

  /** A sound folder: `closed` messages in the file, `logged` ones behind them in the log. */
  function sound(name: string, closed: number, logged: number) {
    const folder = join(root.path, name);
    mkdirSync(folder);
    const add = (from: number, count: number) => {
      const opened = stores.open(folder);
      assert.ok(opened.ok);
      for (let id = from; id < from + count; id++) opened.value.commit([addMessage(id, textFor(id))]);
      opened.value.commit([
        addRow(step(1), 0, '{"model":"m","asked":1}', "begin"),
        { kind: "journalDrop", stepId: step(1) },
      ]);
      return opened.value;
    };
    if (closed > 0) add(0, closed).close();
    const open = logged > 0 ? add(closed, logged) : undefined;
    const path = join(folder, "conversation.sqlite");
    const result = { pair: readPair(path), places: placesOfMessages(path) };
    open?.close();
    assert.equal(result.places.length, MESSAGES);
    return result;
  }

  /** Opens, reads everything, and rescues when anything can not be read. */
  function readAll(folder: string, what: string) {
    const first = readOnce(folder, what);
    if (first !== "damaged") return { found: first };
    const rescued = stores.rescue(folder);
    assert.ok(rescued.ok, `${what}: ${rescued.ok ? "" : rescued.error.detail}`);
    const second = readOnce(folder, what);
    assert.ok(second !== "damaged", `${what}: damaged after the rescue`);
    assert.equal(second.size, rescued.value.messagesKept, what);
    return { found: second, keptAs: rescued.value.keptAs };
  }

  function readOnce(folder: string, what: string): ReadonlySet<number> | "damaged" {
    const opened = stores.open(folder);
    if (!opened.ok) {
      assert.equal(opened.error.reason, "damaged", `${what}: ${opened.error.detail}`);
      return "damaged";
    }
    const store = opened.value;
    const { messageCount, recordCount } = store.shape;
    const ids = Array.from({ length: messageCount }, (_, id) => messageId(id));
    const [index, messages] = [store.readIndex(0, recordCount), store.readMessages(ids)];
    store.close();
    assert.equal(stores.openFiles, 0, what);
    if (!index.ok || !messages.ok) return "damaged";
    const found = new Set<number>();
    for (const { entry, message } of messages.value) {
      const text = textOf(message);
      if (text === textFor(entry.id)) found.add(entry.id);
      else assert.match(text, /could not be read/, `${what}: message ${entry.id} was changed`);
    }
    return found;
  }
});

function damage(pair: FilePair, how: string, inLog: boolean, random: (below: number) => number): FilePair {
  const change = (bytes: Buffer): Buffer => DAMAGES[how]?.(Buffer.from(bytes), random) ?? bytes;
  return inLog && pair.log !== undefined ? { ...pair, log: change(pair.log) } : { ...pair, main: change(pair.main) };
}
