import assert from "node:assert/strict";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requestHandOver, watchHandOver, type HandOverOptions } from "../../../src/adapters/node/handOver.ts";
import type { Platform } from "../../../src/adapters/node/platform.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { whenTrue } from "../../support/whenTrue.ts";

describe("conversation handover", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  /** Starts a watch: `next` resolves at the next request, `seen` counts all requests. */
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

  it("notifies the owner of requests made before and after its watch starts", async () => {
    assert.ok((await requestHandOver(folder.path)).ok);
    const owner = watching();
    await owner.next();
    const next = owner.next();
    assert.ok((await requestHandOver(folder.path)).ok);
    await next;
    assert.equal(owner.seen, 2);
    owner.stop();
  });

  it("notifies the next owner of a request made after the watch ended", async () => {
    const owner = watching();
    owner.stop();
    await requestHandOver(folder.path);
    const next = watching();
    await next.next();
    next.stop();
    assert.equal(owner.seen, 0);
  });

  it("does not notify the owner of a withdrawn request", async () => {
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

  /** This machine; a different `boot` means that it was rebooted. */
  const machine = (boot: string): Platform => ({
    hostId: () => Promise.resolve("here"),
    bootId: () => Promise.resolve(boot),
    startTime: () => Promise.resolve("first"),
  });

  it("ignores a request whose window was killed and reports the next one", async () => {
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

  it("ignores a request that is older than the longest wait", async () => {
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

  it("tolerates a request file that cannot be removed when withdrawing", async () => {
    const files = faultyFiles(({ name }) => (name === "unlink" ? "EIO" : undefined));
    const asked = await requestHandOver(folder.path, { files });
    assert.ok(asked.ok);
    await asked.value.withdraw();
  });

  it("reports why a request cannot be made", async () => {
    folder.remove();
    writeFileSync(folder.path, "");
    const asked = await requestHandOver(folder.path);
    assert.equal(asked.ok ? "asked" : asked.error.reason, "fileGone");
  });
});
