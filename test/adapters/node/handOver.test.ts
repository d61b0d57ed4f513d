import assert from "node:assert/strict";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requestHandOver, watchHandOver, type HandOverOptions } from "../../../src/adapters/node/handOver.ts";
import type { Platform } from "../../../src/adapters/node/platform.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

describe("handing over", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  /** Resolves at the next request; the count of all of them is in `seen`. */
  const watching = (options: HandOverOptions = {}) => {
    let notify = (): void => undefined;
    const state = {
      seen: 0,
      stop: (): void => undefined,
      next: (): Promise<void> => new Promise((resolve) => (notify = resolve)),
    };
    const onRequest = (): void => {
      state.seen++;
      notify();
    };
    state.stop = watchHandOver(folder.path, onRequest, options);
    return state;
  };

  it("tells the owner of a request, from before its watch or after", async () => {
    assert.ok((await requestHandOver(folder.path)).ok);
    const owner = watching();
    await owner.next();
    const next = owner.next();
    assert.ok((await requestHandOver(folder.path)).ok);
    await next;
    assert.equal(owner.seen, 2);
    owner.stop();
  });

  it("tells nobody after the watch has ended, and the next owner then", async () => {
    const owner = watching();
    owner.stop();
    await requestHandOver(folder.path);
    const next = watching();
    await next.next();
    next.stop();
    assert.equal(owner.seen, 0);
  });

  it("forgets a request that was withdrawn, also one that was seen before", async () => {
    const withdrawn = await requestHandOver(folder.path);
    assert.ok(withdrawn.ok);
    await withdrawn.value.withdraw();
    await withdrawn.value.withdraw();
    const owner = watching();
    const next = owner.next();
    assert.ok((await requestHandOver(folder.path)).ok);
    await next;
    assert.equal(owner.seen, 1);
    owner.stop();
  });

  /** This machine, started anew since `boot` if that is another one. */
  const machine = (boot: string): Platform => ({
    hostId: () => Promise.resolve("here"),
    bootId: () => Promise.resolve(boot),
    startTime: () => Promise.resolve("first"),
  });

  it("tells nobody of a request whose window was killed, and of the next one", async () => {
    assert.ok((await requestHandOver(folder.path, { platform: machine("boot 1") })).ok);
    const owner = watching({ platform: machine("boot 2") });
    await whenTrue(() => readdirSync(join(folder.path, "requests")).length === 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(owner.seen, 0);
    const next = owner.next();
    assert.ok((await requestHandOver(folder.path, { platform: machine("boot 2") })).ok);
    await next;
    assert.equal(owner.seen, 1);
    owner.stop();
  });

  it("tells nobody of a request that is older than anybody waits, whoever made it", async () => {
    const requests = join(folder.path, "requests");
    mkdirSync(requests);
    writeFileSync(join(requests, "of an older Forge"), "");
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000);
    utimesSync(join(requests, "of an older Forge"), yesterday, yesterday);
    const owner = watching();
    await whenTrue(() => readdirSync(requests).length === 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(owner.seen, 0);
    owner.stop();
  });

  it("does not stop who got the conversation where its request cannot be taken back", async () => {
    const files = faultyFiles(({ name }) => (name === "unlink" ? "EIO" : undefined));
    const asked = await requestHandOver(folder.path, { files });
    assert.ok(asked.ok);
    await asked.value.withdraw();
  });

  it("says why a request cannot be made", async () => {
    folder.remove();
    writeFileSync(folder.path, "");
    const asked = await requestHandOver(folder.path);
    assert.equal(asked.ok ? "asked" : asked.error.reason, "fileGone");
  });
});
