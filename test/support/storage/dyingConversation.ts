import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ForgeError } from "../../../src/core/errors.ts";
import type { Result } from "../../../src/core/result.ts";
import { FaultyCalls } from "./faultyCalls.ts";
import { asynchronous, LocalStores } from "./localStore.ts";
import { SpokenConversation, type SpokenOptions } from "../session/spokenConversation.ts";

/**
 * Prepares a stored conversation, and lets `act` fail at its first file call, its second, and so on. The reopened
 * conversation must be unchanged or complete; if unchanged, the next attempt must work.
 */
export async function diesAtAnyFileCall(
  prepare: (conversation: SpokenConversation) => Promise<void>,
  act: (conversation: SpokenConversation) => Promise<Result<unknown, ForgeError>>,
  options: SpokenOptions = {},
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "forge-compaction-"));
  try {
    const faults = new FaultyCalls();
    const stores = await LocalStores.load(faults);
    const opened = (folder: string): SpokenConversation => {
      const store = stores.open(folder);
      assert.ok(store.ok);
      return new SpokenConversation({ ...options, store: asynchronous(store.value) });
    };
    const sound = join(root, "sound");
    mkdirSync(sound);
    const spoken = opened(sound);
    await prepare(spoken);
    const before = await spoken.sent();
    assert.ok((await spoken.store.close()).ok);
    const found = { before: 0, after: 0 };
    let calls = Infinity;
    for (let at = 0; at <= calls; at++) {
      const folder = join(root, "run");
      rmSync(folder, { recursive: true, force: true });
      cpSync(sound, folder, { recursive: true });
      const conversation = await opened(folder).fold();
      const { revision } = conversation.manager.history;
      faults.restart(({ index }) => (index >= at ? "EIO" : undefined));
      const done = await act(conversation);
      if (done.ok) calls = Math.min(calls, faults.count);
      else assert.equal(conversation.manager.history.revision, revision, "what failed has changed nothing");
      await conversation.store.close().catch(() => undefined);
      faults.restart();
      const again = await opened(folder).fold();
      const isWhole = (await again.sent()) !== before;
      found[isWhole ? "after" : "before"]++;
      if (!isWhole) {
        assert.ok(!done.ok, "what was done is on the disk");
        assert.ok((await act(again)).ok, "the next try works");
        assert.notEqual(await again.sent(), before);
      }
      const { spending, summaryCount } = again.manager.history;
      assert.equal(spending.receipts.length > 0, summaryCount > 0, "never a part of it");
      assert.ok((await again.store.close()).ok);
    }
    assert.ok(calls > 3 && found.after > 0 && found.before > 0, `${String(calls)} calls, ${JSON.stringify(found)}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
