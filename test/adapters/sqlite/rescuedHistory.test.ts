import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { MessageRange } from "../../../src/core/history/summaries/summary.ts";
import { messageId, modelId, summaryId } from "../../../src/core/ids.ts";
import type { HistoryEntry } from "../../../src/core/message.ts";
import { ok } from "../../../src/core/result.ts";
import { summaryRecord } from "../../contracts/eraseCases.ts";
import { counts, range } from "../../support/session/conversation.ts";
import type { LocalStore } from "../../support/storage/localStore.ts";
import { useLocalStores } from "../../support/storage/localStores.ts";
import { documentOf } from "../../support/session/savedConversations.ts";
import { messageRecord, step } from "../../support/storage/storeBuilders.ts";
import { loadConversation } from "../../support/documents.ts";

const TURNS = 40;
const PAGE_BYTES = 4096;
const PAGES_LOST = 4;

function receiptOf(summary: number, span: MessageRange): ConversationRecord {
  const how = { strategy: "hybrid", trigger: "manual", model: modelId("m"), calls: 1, durationMs: 1, atMs: 1 } as const;
  const figures = { tokensBefore: 5, tokensAfter: 1, factsKept: 0, factsTotal: 0 };
  return { kind: "receipt", receipt: { summaries: [summaryId(summary)], span, ...how, ...figures } };
}

describe("history of a rescued conversation", function () {
  this.timeout(120_000);
  const suite = useLocalStores();
  const add = (store: LocalStore, ...records: readonly ConversationRecord[]): void =>
    assert.ok(store.commit(records.map((record) => ({ kind: "record", record }))).ok);

  /** Fills a conversation whose turns each call a tool. Every third message is erased afterwards. */
  const fill = (store: LocalStore): void => {
    const entries: HistoryEntry[] = [];
    const message = (change: Partial<HistoryEntry>, text: string): ConversationRecord => {
      const { entry, ...record } = messageRecord(entries.length, text, change.step);
      const whole = { ...record, entry: { ...entry, ...change } };
      entries.push(whole.entry);
      const { parts } = whole.message;
      const added = { kind: "attachment", label: "a.ts", text: "let a;" } as const;
      const isQuestion = entries.length % 4 === 1;
      return { ...whole, message: { role: whole.entry.role, parts: isQuestion ? [...parts, added] : parts } };
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

  /** Adds summaries of two turns each and excludes the attachment of the first question in each. */
  const summarize = (store: LocalStore): void => {
    for (let number = 0; number < TURNS / 4; number++) {
      const start = number * 16;
      add(store, summaryRecord(number, start, start + 8, "a summary"));
      add(store, receiptOf(number, range(start, start + 8)));
      add(store, { kind: "leftOut", id: messageId(start), leftOut: [1], sentTokens: counts(1), atMs: 1 });
    }
  };

  /** Zeroes `pages` pages of `sound` from `page` on, rescues the rest, and opens the result. */
  const rescued = (sound: Buffer, page: number, pages = PAGES_LOST): LocalStore => {
    rmSync(suite.path, { recursive: true });
    mkdirSync(suite.path);
    writeFileSync(suite.file, Buffer.from(sound).fill(0, page * PAGE_BYTES, (page + pages) * PAGE_BYTES));
    assert.ok(suite.stores.rescue(suite.path).ok);
    return suite.open();
  };

  /** Applies all records, as opening does; throws if they are inconsistent. */
  const folded = (store: LocalStore): FullHistory => {
    const index = store.readIndex(0, store.shape.recordCount);
    assert.ok(index.ok);
    const history = new FullHistory();
    for (const record of index.value) history.apply(record);
    return history;
  };

  it("opens whichever pages were lost, with tool calls and erased messages", () => {
    const store = suite.open();
    fill(store);
    store.close();
    const sound = readFileSync(suite.file);
    const refused: string[] = [];
    for (let page = 1; (page + PAGES_LOST) * PAGE_BYTES <= sound.length; page += 2) {
      const again = rescued(sound, page);
      try {
        folded(again);
      } catch (error) {
        refused.push(`pages from ${page}: ${String(error)}`);
      }
      again.close();
    }
    assert.deepEqual(refused, []);
  });

  it("opens when no message was found but a summary's state was", () => {
    const store = suite.open();
    add(store, { kind: "summaryState", id: summaryId(1), state: "undone", atMs: 1 });
    store.close();
    const again = rescued(readFileSync(suite.file), 0, 1);
    assert.doesNotThrow(() => folded(again));
    again.close();
  });

  it("can be forked and exported whichever pages were lost, with summaries and excluded attachments", async () => {
    const store = suite.open();
    fill(store);
    summarize(store);
    store.close();
    const sound = readFileSync(suite.file);
    const refused: string[] = [];
    for (let page = 1; (page + PAGES_LOST) * PAGE_BYTES <= sound.length; page += 2) {
      const again = rescued(sound, page);
      const document = await documentOf(folded(again), (ids) => {
        const read = again.readMessages(ids);
        return Promise.resolve(read.ok ? ok(read.value.map(({ message }) => message)) : read);
      });
      again.close();
      const loaded = loadConversation(document);
      if (!loaded.ok) refused.push(`pages from ${page}: ${JSON.stringify(loaded.error)}`);
    }
    assert.deepEqual(refused, []);
  });

  it("keeps the receipt of a lost summary apart from the next one", () => {
    const store = suite.open();
    add(store, messageRecord(0), receiptOf(1, range(0, 1)));
    store.close();
    const damaged = readFileSync(suite.file).fill(0, 0, PAGE_BYTES);
    writeFileSync(suite.file, damaged);
    const outcome = suite.stores.rescue(suite.path);
    assert.equal(outcome.ok && outcome.value.summariesLost, 2);
    const again = suite.open();
    const index = again.readIndex(0, 10);
    again.close();
    assert.deepEqual(index.ok && index.value.map(({ kind }) => kind), ["entry", "summary", "summary", "receipt"]);
  });
});
