import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeMeta } from "../../../src/adapters/node/conversationMeta.ts";
import type { Platform } from "../../../src/adapters/node/platform.ts";
import { readWaiting, recordWaiting, watchWaiting } from "../../../src/adapters/node/waitingQuestions.ts";
import { parseConversationId } from "../../../src/core/ids.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

const platform: Platform = {
  hostId: () => Promise.resolve("here"),
  bootId: () => Promise.resolve("boot 2"),
  startTime: (pid) => Promise.resolve(pid === 1 || pid === process.pid ? "then" : undefined),
};
const owner = { host: "here", boot: "boot 2", pid: 1, start: "then", hostName: "box", nonce: "n" };
const idOf = (number: number) =>
  parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`) ?? assert.fail();

describe("questions that wait in other windows", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  /** A conversation whose lease is held by `holder`. */
  const conversation = async (number: number, title: string, holder: object): Promise<void> => {
    const path = join(folder.path, "conversations", idOf(number));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "lease.1"), JSON.stringify(holder));
    const usage = { usedTokens: 0, budgetTokens: 0, summarizedSegments: 0 };
    const facts = { createdAtMs: 0, lastUsedAtMs: 0, messageCount: 1, provider: "", model: "", undecided: 0, usage };
    await writeMeta(path, { version: 1, title, ...facts });
  };
  const waiting = (count: number, window: string) => ({ count, window });

  it("E:waiting names the conversation and the window, as long as that lives and waits", async () => {
    await conversation(1, "Tidy the shop", owner);
    await conversation(2, "Mine", { ...owner, pid: process.pid });
    await conversation(3, "Of a killed window", { ...owner, pid: 999 });
    await conversation(4, "Answered", owner);
    for (const number of [1, 2, 3, 4]) await recordWaiting(folder.path, idOf(number), waiting(2, "shop"));
    await recordWaiting(folder.path, idOf(4), waiting(0, "shop"));
    writeFileSync(join(folder.path, "waiting", "notes.txt"), "1\nshop\n");
    writeFileSync(join(folder.path, "waiting", idOf(5)), "many\n");
    assert.deepEqual(await readWaiting(folder.path, { platform }), [
      { title: "Tidy the shop", window: "shop", count: 2 },
    ]);
    await recordWaiting(folder.path, idOf(1), waiting(0, "shop"));
    assert.deepEqual(await readWaiting(folder.path, { platform }), []);
  });

  it("E:waiting is nothing where nothing was ever recorded", async () => {
    await recordWaiting(folder.path, idOf(1), waiting(0, ""));
    assert.deepEqual([await readWaiting(folder.path), readdirSync(folder.path)], [[], []]);
  });

  it("E:waiting is told at first and at each change, until the watch ends", async () => {
    let changes = 0;
    const stop = watchWaiting(folder.path, () => changes++);
    assert.equal(changes, 1);
    await whenTrue(() => {
      void recordWaiting(folder.path, idOf(1), waiting(1, "shop")); // the watcher may not have begun yet
      return changes > 1;
    });
    stop();
  });
});
