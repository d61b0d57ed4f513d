import assert from "node:assert/strict";
import { storageFailed } from "../../../src/core/errors.ts";
import { err, ok } from "../../../src/core/result.ts";
import { releaseFile } from "../../../src/host/opening/openConversation.ts";
import { ask, sessionOf, TestWindows, texts } from "../../support/session/testWindows.ts";

describe("a window's lease on a conversation", function () {
  this.timeout(60_000);
  const windows = new TestWindows();

  it("is released when opening the conversation fails half-way", async () => {
    let isBroken = false;
    let resolved = 0;
    const opened = await windows.start({
      resolve: (usual) =>
        isBroken && ++resolved === 2 ? Promise.reject(new Error("no models")) : Promise.resolve(usual),
    });
    const id = await ask(opened, "Why?");
    await opened.conversations.useProvider("anthropic");
    await opened.conversations.openNew();
    isBroken = true;
    await assert.rejects(opened.conversations.openExisting(id), /no models/);
    isBroken = false;
    await opened.conversations.openExisting(id);
    assert.equal(sessionOf(opened).opened.id, id);
    assert.deepEqual(texts(opened.shown().rows).slice(0, 2), ["Why?", "Because."]);
  });

  it("is released only after a hung storage thread has ended", async () => {
    for (const closed of [ok(undefined), err(storageFailed("EIO", "it hangs"))]) {
      let released = 0;
      let end = (): void => undefined;
      const store = { close: () => Promise.resolve(closed), closed: new Promise<void>((resolve) => (end = resolve)) };
      const release = () => {
        released++;
        return Promise.resolve(ok(undefined));
      };
      await releaseFile({ store, lease: { release } });
      assert.equal(released, closed.ok ? 1 : 0);
      end();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(released, 1);
    }
  });
});
