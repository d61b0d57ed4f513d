import assert from "node:assert/strict";
import path from "node:path";
import { nodeFiles } from "../../../src/adapters/node/files.ts";
import { storageFailed } from "../../../src/core/errors.ts";
import { err, ok } from "../../../src/core/result.ts";
import { releaseFile } from "../../../src/host/opening/openConversation.ts";
import { filesIn } from "../../support/storage/moments.ts";
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

  for (const [code, text] of [
    ["ENOSPC", /^The disk is full\. You can read and search this conversation/],
    ["EROFS", /^Forge has no permission to write .* You can read and search this conversation/],
    ["EACCES", /^Forge has no permission to write .* You can read and search this conversation/],
  ] as const) {
    it(`S19 is not needed to read one where nothing can be written (${code}), and is taken once something can`, async () => {
      const opened = await windows.start();
      const id = await ask(opened, "Why?");
      await opened.conversations.openNew();
      const folder = path.join(opened.conversations.places.conversations, id);
      const before = filesIn(folder);
      const real = { ...nodeFiles };
      nodeFiles.writeNew = () => Promise.reject(Object.assign(new Error(code), { code }));
      try {
        await opened.conversations.openExisting(id);
      } finally {
        Object.assign(nodeFiles, real);
      }
      const { rows, status } = opened.shown();
      assert.deepEqual(texts(rows).slice(0, 2), ["Why?", "Because."]);
      assert.equal(status.activity, "readOnly");
      assert.match(status.banner?.text ?? "", text);
      assert.deepEqual(filesIn(folder), before);
      await opened.conversations.reopen();
      assert.deepEqual([opened.shown().status.activity, opened.shown().status.banner], ["idle", null]);
      assert.equal(sessionOf(opened).opened.id, id);
    });
  }

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
