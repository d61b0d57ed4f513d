/** Compactions that are cancelled, or whose process dies, at each point: all or nothing is stored. */

import { Conversation } from "../../../../src/core/conversation/conversation.ts";
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message, TokenCounts } from "../../../../src/core/message.ts";
import type { ConversationStore } from "../../../../src/core/store/conversationStore.ts";
import { editSummary } from "../../../../src/host/session/summaries/summaryEdits.ts";
import { realClock } from "../../../support/clocks.ts";
import { diesAtAnyFileCall } from "../../../support/storage/dyingConversation.ts";
import { carriedOut, CUT_OFF_CASES, GOOD_NOTES, type CutOffCase } from "../../../support/session/cutOffCases.ts";
import { runAndKill } from "../../../support/storage/killedChild.ts";
import { asynchronous, LocalStores } from "../../../support/storage/localStore.ts";
import { MemoryStore, memoryDisk } from "../../../support/storage/memoryStore.ts";
import { judge } from "../../../support/storage/nativeJudge.ts";
import type { Script } from "../../../support/models/scriptedModel.ts";
import { SpokenConversation } from "../../../support/session/spokenConversation.ts";
import { codingSession } from "../../../support/session/summarySources.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const LARGE = { model: "large", settings: { strategy: "threshold" } } as const;
const LONG: CutOffCase = {
  title: "of a long conversation in a large window",
  options: LARGE,
  prepare: (conversation) => conversation.say(...codingSession(60)),
  order: { trigger: "manual" },
  check: () => undefined,
};

/** A store that calls `point` before and after each commit and read of messages. */
function watched(store: ConversationStore, point: () => void): ConversationStore {
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    point();
    const answer = await call();
    point();
    return answer;
  };
  return {
    shape: store.shape,
    commit: (writes) => around(() => store.commit(writes)),
    readIndex: (from, limit) => store.readIndex(from, limit),
    readMessages: (ids) => around(() => store.readMessages(ids)),
    search: (query, options) => store.search(query, options),
    searchRanked: (query, options) => store.searchRanked(query, options),
    erase: (erasure) => store.erase(erasure),
    fork: (fork, folder) => store.fork(fork, folder),
    close: () => store.close(),
    closed: store.closed,
  };
}

describe("interrupted compaction", () => {
  for (const each of [LONG, ...CUT_OFF_CASES]) {
    it(`${each.title}: changes nothing or completes when cancelled at any point, and the next attempt works`, async function () {
      this.timeout(180_000);
      let cancelled = 0;
      let isThrough = false;
      for (let at = 0; !isThrough; at++) {
        const disk = memoryDisk();
        const cancel = new AbortController();
        let left = Infinity;
        const point = (): void => {
          if (left-- === 0) cancel.abort();
        };
        const conversation = new SpokenConversation({
          ...each.options,
          store: watched(new MemoryStore(disk), point),
        });
        await each.prepare(conversation);
        const before = [await conversation.sent(), disk.records.length, conversation.manager.history.revision];
        left = at;
        let calls = 0;
        const asking: Script = (asked, index) => {
          point();
          calls++;
          return GOOD_NOTES(asked, index);
        };
        const done = await carriedOut(each, conversation, asking, cancel.signal);
        left = Infinity;
        isThrough = !cancel.signal.aborted;
        if (done.ok) {
          assert.ok(disk.records.length > Number(before[1]), "it is whole");
          if (isThrough) each.check(conversation, calls);
        } else {
          cancelled++;
          assert.equal(done.error.code, "CANCELLED");
          assert.deepEqual(
            [await conversation.sent(), disk.records.length, conversation.manager.history.revision],
            before,
          );
          assert.ok((await carriedOut(each, conversation)).ok, "the next try works");
        }
        const opened = await new SpokenConversation({ ...each.options, store: new MemoryStore(disk) }).fold();
        assert.equal(await opened.sent(), await conversation.sent(), "as it is opened again");
      }
      assert.ok(cancelled >= 3, `${String(cancelled)} points`);
    });
  }

  it("changes nothing when any of its requests fails, and the next attempt works", async () => {
    for (let at = 0; at < 3; at++) {
      const conversation = new SpokenConversation(LARGE);
      await conversation.say(...codingSession(90));
      const before = [await conversation.sent(), conversation.manager.history.revision];
      const failing: Script = (asked, index) => (index === at ? "endsWithoutEnd" : GOOD_NOTES(asked, index));
      const { done, asked } = await conversation.compact("manual", failing);
      if (asked.length <= at) break;
      assert.equal(done.ok ? "" : done.error.code, "SERVICE_UNAVAILABLE");
      assert.deepEqual([await conversation.sent(), conversation.manager.history.revision], before);
      assert.ok((await conversation.compact("manual", GOOD_NOTES)).done.ok);
    }
  });

  for (const each of CUT_OFF_CASES) {
    it(`${each.title}: changes nothing or completes when the process dies at any file call, and the next attempt works`, async function () {
      this.timeout(120_000);
      await diesAtAnyFileCall(each.prepare, (conversation) => carriedOut(each, conversation), each.options);
    });
  }

  it("changes nothing or completes when the process dies during the undo of a summary of summaries", async function () {
    this.timeout(120_000);
    const levels = CUT_OFF_CASES.find(({ title }) => title === "of summaries");
    assert.ok(levels !== undefined);
    await diesAtAnyFileCall(
      async (conversation) => {
        await levels.prepare(conversation);
        assert.ok((await carriedOut(levels, conversation)).ok);
      },
      async (conversation) => {
        const { manager, store } = conversation;
        const highest = manager.history.summaries.findLast(({ level }) => level > 1);
        assert.ok(highest !== undefined);
        const record = manager.summaryStateRecord(highest.id, "undone", 1);
        assert.ok(record.ok);
        const committed = await store.commit([{ kind: "record", record: record.value }]);
        if (committed.ok) manager.apply(record.value);
        return committed;
      },
      levels.options,
    );
  });

  it("changes nothing or completes when the process dies during an edit", async function () {
    this.timeout(120_000);
    await diesAtAnyFileCall(
      async (conversation) => {
        await conversation.say(...codingSession(6));
        assert.ok((await conversation.compact("manual", GOOD_NOTES)).done.ok);
      },
      (opened) => {
        const count = (message: Message): Promise<TokenCounts> =>
          Promise.resolve(testTokenCounter().countMessage(message));
        const conversation = new Conversation(opened.store, opened.manager, realClock);
        const counting = { clock: realClock, messageCounter: { count } };
        return editSummary(0, "By hand.", [], conversation, counting, new AbortController().signal);
      },
    );
  });

  it("changes nothing or completes when a real process is killed at any point, and the next attempt works", async function () {
    this.timeout(180_000);
    const root = mkdtempSync(join(tmpdir(), "forge-compaction-"));
    try {
      const stores = await LocalStores.load();
      const [sound, run] = [join(root, "sound"), join(root, "run")];
      mkdirSync(sound);
      const opened = (folder: string): SpokenConversation => {
        const store = stores.open(folder);
        assert.ok(store.ok);
        return new SpokenConversation({ store: asynchronous(store.value) });
      };
      const spoken = opened(sound);
      await spoken.say(...codingSession(6));
      const before = await spoken.sent();
      assert.ok((await spoken.store.close()).ok);
      const killedAt = new Set<string>();
      const whole = { before: 0, after: 0 };
      for (let at = 0; ; at++) {
        rmSync(run, { recursive: true, force: true });
        cpSync(sound, run, { recursive: true });
        const { lines, signal } = await runAndKill({ script: "compactingChild.ts", args: [run, String(at)] });
        if (signal !== "SIGKILL") {
          assert.deepEqual(lines, ["summarized"], "it was not killed any more");
          break;
        }
        killedAt.add(lines.join());
        assert.equal(judge(run).integrity, "ok", `moment ${String(at)}`);
        const again = await opened(run).fold();
        const { spending, summaryCount, length } = again.manager.history;
        const { receipts } = spending;
        assert.equal(receipts.length > 0, summaryCount > 0, "never a part of it");
        assert.equal(length, spoken.manager.history.length, "every message is there");
        whole[receipts.length === 0 ? "before" : "after"]++;
        if (receipts.length === 0) {
          assert.equal(await again.sent(), before);
          assert.ok((await again.compact("manual", GOOD_NOTES)).done.ok, "the next try works");
        } else assert.notEqual(await again.sent(), before);
        assert.ok((await again.store.close()).ok);
      }
      const places = ["a sync", "a syncFolder", "a write", "the beginning", "the end", "the request"].map(
        (place) => `killed at ${place}`,
      );
      assert.deepEqual([...killedAt].sort(), places);
      assert.ok(whole.before > 4 && whole.after > 0, JSON.stringify(whole));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
