import assert from "node:assert/strict";
import { requestHandOver, watchHandOver } from "../../../src/adapters/node/handOver.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

describe("handing over", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  /** Resolves at the next request; the count of all of them is in `seen`. */
  const watching = () => {
    let notify = (): void => undefined;
    const state = {
      seen: 0,
      stop: (): void => undefined,
      next: (): Promise<void> => new Promise((resolve) => (notify = resolve)),
    };
    state.stop = watchHandOver(folder.path, () => {
      state.seen++;
      notify();
    });
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

  it("says why a request cannot be made", async () => {
    folder.remove();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(folder.path, "");
    const asked = await requestHandOver(folder.path);
    assert.equal(asked.ok ? "asked" : asked.error.reason, "fileGone");
  });
});
