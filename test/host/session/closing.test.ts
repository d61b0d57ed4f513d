/** User actions while a conversation closes, which can take as long as a pending file read. */

import assert from "node:assert/strict";
import { memoryDisk } from "../../support/storage/memoryStore.ts";
import { openSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("a conversation that is being closed", () => {
  it("starts no answer on recover, retry or send", async () => {
    const disk = memoryDisk();
    let closing = Promise.resolve();
    const { session } = await openSession(scriptedProvider(saying("half ", "never shown")), disk, (body) => {
      if (body.kind === "delta") closing = session.shutDown();
    });
    await session.send("1", "Q");
    await closing;
    const before = structuredClone(disk);
    const [interrupted = assert.fail()] = session.recoverable;
    await session.recover(interrupted.stepId, "askAgain");
    await session.retry();
    await session.send("2", "And?");
    assert.deepEqual([session.activity, disk], ["idle", before]);
  });
});
