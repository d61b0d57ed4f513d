/** What a rescue writes can be opened: its records fit together, whatever of them was lost. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId, summaryId } from "../../../src/core/ids.ts";
import type { HistoryEntry } from "../../../src/core/message.ts";
import type { LocalStore } from "../../support/localStore.ts";
import { useLocalStores } from "../../support/localStores.ts";
import { messageRecord, step } from "../../support/storeBuilders.ts";

const TURNS = 40;
const PAGE_BYTES = 4096;
const PAGES_LOST = 4;

describe("a rescued conversation", function () {
  this.timeout(120_000);
  const suite = useLocalStores();
  const add = (store: LocalStore, ...records: readonly ConversationRecord[]): void =>
    assert.ok(store.commit(records.map((record) => ({ kind: "record", record }))).ok);

  /** A conversation in which each turn asks for a tool, with some messages that were erased, each as it was sent. */
  const fill = (store: LocalStore): void => {
    const entries: HistoryEntry[] = [];
    const message = (change: Partial<HistoryEntry>, text: string): ConversationRecord => {
      const { entry, ...record } = messageRecord(entries.length, text, change.step);
      const whole = { ...record, entry: { ...entry, ...change } };
      entries.push(whole.entry);
      return { ...whole, message: { ...whole.message, role: whole.entry.role } };
    };
    for (let number = 0; number < TURNS; number++) {
      const [turn, batch] = [messageId(number * 4), messageId(number * 4 + 1)];
      add(store, message({}, "question ".repeat(50 + ((number * 37) % 400))));
      add(
        store,
        message({ role: "assistant", turn, batch }, "call ".repeat(80)),
        message({ turn, batch }, "result ".repeat(300)),
      );
      add(
        store,
        message({ role: "assistant", turn, step: step(number) }, "answer ".repeat(50 + ((number * 53) % 600))),
      );
    }
    for (const entry of entries.filter(({ id }) => id % 3 === 1))
      add(store, { kind: "erasure", entries: [{ ...entry, erasedAtMs: 2 }], atMs: 2 });
  };

  /** Zeroes `pages` pages from `page` on, rescues what is left, and says why that cannot be opened. */
  const refusal = (page: number, pages: number): string | undefined => {
    const bytes = readFileSync(suite.file).fill(0, page * PAGE_BYTES, (page + pages) * PAGE_BYTES);
    rmSync(suite.path, { recursive: true });
    mkdirSync(suite.path);
    writeFileSync(suite.file, bytes);
    assert.ok(suite.stores.rescue(suite.path).ok);
    const rescued = suite.open();
    const index = rescued.readIndex(0, rescued.shape.recordCount);
    rescued.close();
    assert.ok(index.ok);
    const history = new FullHistory();
    try {
      for (const record of index.value) history.apply(record);
    } catch (error) {
      return `pages from ${page}: ${String(error)}`;
    }
    return undefined;
  };

  it("can be opened whichever of its pages were lost, with tools and erased messages in it", () => {
    const store = suite.open();
    fill(store);
    store.close();
    const sound = readFileSync(suite.file);
    const refused: string[] = [];
    for (let page = 1; (page + PAGES_LOST) * PAGE_BYTES <= sound.length; page += 2) {
      writeFileSync(suite.file, sound);
      const why = refusal(page, PAGES_LOST);
      if (why !== undefined) refused.push(why);
    }
    assert.deepEqual(refused, []);
  });

  it("can be opened where no message was found, and what became of a summary was", () => {
    const store = suite.open();
    add(store, { kind: "summaryState", id: summaryId(1), state: "undone", atMs: 1 });
    store.close();
    assert.equal(refusal(0, 1), undefined);
  });
});
