import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../src/core/clock.ts";
import { acquireLease, leaseState, type Lease } from "../../../src/adapters/node/lease.ts";
import type { Platform } from "../../../src/adapters/node/platform.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

/** This machine: only process 1 and this process are running. */
const platform: Platform = {
  hostId: () => Promise.resolve("here"),
  bootId: () => Promise.resolve("boot 2"),
  startTime: (pid) => Promise.resolve(pid === process.pid ? "own" : pid === 1 ? "first" : undefined),
};
const alive = { host: "here", boot: "boot 2", pid: 1, start: "first", hostName: "box", nonce: "n" };
const longAgo = new Date(Date.now() - 3 * 24 * 60 * 60 * 1_000);

describe("acquireLease", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });
  const names = (): readonly string[] => readdirSync(folder.path).sort();
  const topText = (): object => {
    const value: unknown = JSON.parse(readFileSync(join(folder.path, names().at(-1) ?? ""), "utf8"));
    assert.ok(typeof value === "object" && value !== null);
    return value;
  };

  type Outcome = "taken" | "alive" | "unknown";
  const cases: readonly [name: string, content: string, expected: Outcome, state: "free" | "alive" | "unknown"][] = [
    ["a live owner", JSON.stringify(alive), "alive", "alive"],
    ["an owner from before a reboot", JSON.stringify({ ...alive, boot: "boot 1" }), "taken", "free"],
    ["a reused process id", JSON.stringify({ ...alive, start: "other" }), "taken", "free"],
    ["an owner whose process has ended", JSON.stringify({ ...alive, pid: 999 }), "taken", "free"],
    ["an owner on another host", JSON.stringify({ ...alive, host: "elsewhere" }), "unknown", "unknown"],
    ["a released lease", '{"released":true}', "taken", "free"],
    ["an empty file, left by a power loss", "", "taken", "free"],
    ["a truncated file", '{"host":"here","bo', "taken", "free"],
    ["unrelated JSON", '{"x":1}', "taken", "free"],
  ];
  for (const [name, content, expected, state] of cases) {
    it(`handles ${name}`, async () => {
      const file = join(folder.path, "lease.7");
      writeFileSync(file, content);
      utimesSync(file, longAgo, longAgo);
      assert.equal(await leaseState(folder.path, undefined, platform), state);
      const lease = await acquireLease(folder.path, { platform });
      if (expected === "taken") {
        assert.ok(lease.ok);
        assert.deepEqual(names(), ["lease.8"]);
        assert.equal(await leaseState(folder.path, undefined, platform), "own");
      } else {
        const error = { code: "CONVERSATION_IN_USE", owner: expected, host: "box", pid: 1 };
        assert.deepEqual(lease, { ok: false, error });
        assert.deepEqual(names(), ["lease.7"]);
      }
    });
  }

  it("S19 ignores a lease whose number is higher than any that is taken", async () => {
    writeFileSync(join(folder.path, "lease.99999999999999999999"), JSON.stringify(alive));
    assert.equal(await leaseState(folder.path, undefined, platform), "free");
    assert.equal((await acquireLease(folder.path, { platform })).ok, true);
    assert.deepEqual(names(), ["lease.1", "lease.99999999999999999999"]);
  });

  it("takes over from an owner of unknown state only when the user agrees", async () => {
    writeFileSync(join(folder.path, "lease.3"), JSON.stringify({ ...alive, host: "elsewhere" }));
    assert.equal((await acquireLease(folder.path, { platform })).ok, false);
    assert.equal((await acquireLease(folder.path, { platform, takeOverUnknown: true })).ok, true);
    assert.deepEqual(names(), ["lease.4"]);
  });

  it("never takes over from a live owner, even when the user agrees", async () => {
    writeFileSync(join(folder.path, "lease.3"), JSON.stringify(alive));
    const lease = await acquireLease(folder.path, { platform, takeOverUnknown: true });
    assert.equal(lease.ok ? "taken" : lease.error.code, "CONVERSATION_IN_USE");
  });

  it("records this process as owner and releases once", async () => {
    const lease = await acquireLease(folder.path, { platform });
    assert.ok(lease.ok);
    const owner = Object.entries(topText()).filter(([name]) => name !== "nonce");
    assert.deepEqual(Object.fromEntries(owner), {
      host: "here",
      boot: "boot 2",
      pid: process.pid,
      start: "own",
      hostName: hostname(),
    });
    assert.deepEqual(
      await Promise.all([lease.value.release(), lease.value.release()]),
      Array(2).fill({ ok: true, value: undefined }),
    );
    assert.deepEqual(names(), ["lease.1"]);
    assert.deepEqual(topText(), { released: true });
    assert.equal((await acquireLease(folder.path, { platform })).ok, true);
  });

  it("lets exactly one of many concurrent callers acquire it", async () => {
    const leases = await Promise.all(Array.from({ length: 8 }, () => acquireLease(folder.path, { platform })));
    assert.equal(leases.filter((lease) => lease.ok).length, 1);
    for (const lease of leases) if (!lease.ok) assert.equal(lease.error.code, "CONVERSATION_IN_USE");
    assert.equal(names().length, 1);
  });

  it("works on a file system without hard links", async () => {
    const files = faultyFiles(({ name }) => (name === "link" ? "ENOTSUP" : undefined));
    const leases = await Promise.all(Array.from({ length: 4 }, () => acquireLease(folder.path, { platform, files })));
    assert.equal(leases.filter((lease) => lease.ok).length, 1);
  });

  it("makes no file when it is released, not even one that was taken over", async () => {
    const lease = await acquireLease(folder.path, { platform });
    assert.ok(lease.ok);
    const { ino } = statSync(lease.value.file);
    assert.deepEqual(await lease.value.release(), { ok: true, value: undefined });
    assert.equal(statSync(lease.value.file).ino, ino);
    const next = await acquireLease(folder.path, { platform });
    assert.ok(next.ok);
    rmSync(next.value.file);
    assert.deepEqual(await next.value.release(), { ok: true, value: undefined });
    assert.deepEqual(readdirSync(folder.path), []);
  });

  it("releases on a full disk", async () => {
    let full = false;
    const files = faultyFiles(({ name }) => (full && ["writeNew", "overwrite"].includes(name) ? "ENOSPC" : undefined));
    const lease = await acquireLease(folder.path, { platform, files });
    assert.ok(lease.ok);
    full = true;
    assert.deepEqual(await lease.value.release(), { ok: true, value: undefined });
    assert.equal(await leaseState(folder.path, undefined, platform), "free");
  });

  it("can release after the disk recovers from a failure", async () => {
    let broken = true;
    const isRefused = (name: string): boolean => broken && ["overwrite", "truncate"].includes(name);
    const files = faultyFiles(({ name }) => (isRefused(name) ? "EIO" : undefined));
    const lease = await acquireLease(folder.path, { platform, files });
    assert.ok(lease.ok);
    assert.ok(!(await lease.value.release()).ok);
    broken = false;
    assert.deepEqual(await lease.value.release(), { ok: true, value: undefined });
    assert.equal(await leaseState(folder.path, undefined, platform), "free");
  });

  it("can be acquired again in this process after a release that the disk failed to record", async () => {
    const files = faultyFiles(({ name }) => (["overwrite", "truncate"].includes(name) ? "EIO" : undefined));
    const lease = await acquireLease(folder.path, { platform, files });
    assert.ok(lease.ok);
    assert.equal((await acquireLease(folder.path, { platform })).ok, false, "it is still held");
    assert.ok(!(await lease.value.release()).ok);
    assert.equal(await leaseState(folder.path, undefined, platform), "free");
    const again = await acquireLease(folder.path, { platform });
    assert.ok(again.ok);
    assert.equal((await acquireLease(folder.path, { platform })).ok, false, "it is held anew");
    await lease.value.release();
    assert.equal((await acquireLease(folder.path, { platform })).ok, false, "and not given back by the first one");
  });

  it("removes only old temporary files of killed processes", async () => {
    for (const name of ["tmp.old", "tmp.young", "meta.json"]) writeFileSync(join(folder.path, name), "");
    utimesSync(join(folder.path, "tmp.old"), longAgo, longAgo);
    utimesSync(join(folder.path, "meta.json"), longAgo, longAgo);
    assert.equal((await acquireLease(folder.path, { platform })).ok, true);
    assert.deepEqual(names(), ["lease.1", "meta.json", "tmp.young"]);
  });

  it("reports the failed file call and leaves the lease free, whichever call fails", async () => {
    let calls = 0;
    const counting = faultyFiles(({ index }) => {
      calls = index + 1;
      return undefined;
    });
    const first = await acquireLease(folder.path, { platform, files: counting });
    assert.ok(first.ok && calls > 4);
    await first.value.release();
    for (let failing = 0; failing < calls; failing++) {
      const files = faultyFiles(({ index }) => (index === failing ? "EACCES" : undefined));
      const lease = await acquireLease(folder.path, { platform, files });
      if (lease.ok) await lease.value.release();
      else assert.equal(lease.error.code === "STORAGE_FAILED" ? lease.error.reason : lease.error.code, "noPermission");
      assert.equal(await leaseState(folder.path, undefined, platform), "free");
    }
  });

  describe("brief", () => {
    const brief = JSON.stringify({ ...alive, isBrief: true });
    const hold = (text: string): void => {
      writeFileSync(join(folder.path, "lease.7"), text);
    };
    /** Each pause is over at once, and `then` happens in it; with the pauses so far. */
    const pausing = (then: (pauses: readonly number[]) => void = () => undefined) => {
      const pauses: number[] = [];
      const clock: Pick<Clock, "after"> = {
        after: (delayMs, callback) => {
          pauses.push(delayMs);
          then(pauses);
          callback();
          return () => undefined;
        },
      };
      return { clock, pauses };
    };

    it("says so in its file, and is one like any other for an earlier Forge", async () => {
      const lease = await acquireLease(folder.path, { platform, isBrief: true });
      assert.ok(lease.ok);
      const fields = ["host", "boot", "pid", "start", "hostName", "nonce"];
      assert.deepEqual(Object.keys(topText()), [...fields, "isBrief"]);
      assert.equal(await leaseState(folder.path, undefined, platform), "free", "lists show it as closed");
      await lease.value.release();
      assert.deepEqual(topText(), { released: true });
    });

    for (const isBrief of [false, true]) {
      it(`is waited for by ${isBrief ? "another brief one" : "a window"}, in another process`, async () => {
        hold(brief);
        const { clock, pauses } = pausing(({ length }) => {
          if (length === 3) hold('{"released":true}');
        });
        assert.equal((await acquireLease(folder.path, { platform, clock, isBrief })).ok, true);
        assert.deepEqual(pauses, [20, 20, 20]);
        assert.deepEqual(names(), ["lease.8"]);
      });
    }

    it("is waited for in this process, however many want it, one after the other", async () => {
      const holders: Lease[] = [];
      let most = 0;
      const work = async (): Promise<void> => {
        const lease = await acquireLease(folder.path, { platform, isBrief: true });
        assert.ok(lease.ok);
        most = Math.max(most, holders.push(lease.value));
        await Promise.resolve();
        holders.splice(0, 1);
        await lease.value.release();
      };
      await Promise.all([work(), work(), work(), work()]);
      assert.equal(most, 1);
      assert.deepEqual(topText(), { released: true });
    });

    it("is not waited for once its process was killed", async () => {
      hold(JSON.stringify({ ...alive, isBrief: true, pid: 999 }));
      const { clock, pauses } = pausing();
      assert.equal((await acquireLease(folder.path, { platform, clock })).ok, true);
      assert.deepEqual(pauses, []);
    });

    it("is waited for until its process is killed", async () => {
      hold(brief);
      const { clock, pauses } = pausing(({ length }) => {
        if (length === 2) hold(JSON.stringify({ ...alive, isBrief: true, pid: 999 }));
      });
      assert.equal((await acquireLease(folder.path, { platform, clock })).ok, true);
      assert.equal(pauses.length, 2);
    });

    it("is waited for until a window takes the folder", async () => {
      hold(brief);
      const { clock, pauses } = pausing(({ length }) => {
        if (length === 2) writeFileSync(join(folder.path, "lease.8"), JSON.stringify(alive));
      });
      const lease = await acquireLease(folder.path, { platform, clock });
      assert.equal(lease.ok ? "taken" : lease.error.code, "CONVERSATION_IN_USE");
      assert.equal(pauses.length, 2);
    });

    it("is waited for no longer than three seconds, and never taken from its holder", async () => {
      hold(brief);
      const { clock, pauses } = pausing();
      const lease = await acquireLease(folder.path, { platform, clock, takeOverUnknown: true });
      assert.deepEqual(lease, {
        ok: false,
        error: { code: "CONVERSATION_IN_USE", owner: "alive", host: "box", pid: 1 },
      });
      assert.equal(
        pauses.reduce((sum, pause) => sum + pause, 0),
        3_000,
      );
      assert.deepEqual(names(), ["lease.7"]);
    });

    it("does not wait for a holder that keeps the folder", async () => {
      hold(JSON.stringify(alive));
      const { clock, pauses } = pausing();
      assert.equal((await acquireLease(folder.path, { platform, clock, isBrief: true })).ok, false);
      assert.deepEqual(pauses, []);
    });
  });
});
