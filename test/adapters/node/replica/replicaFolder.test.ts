import assert from "node:assert/strict";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ReplicaFolder } from "../../../../src/adapters/node/replica/replicaFolder.ts";
import { MOST_OBJECT_BYTES, type LogReplica, type ReplicaResult } from "../../../../src/core/replica/logReplica.ts";
import { ManualClock, settled } from "../../../support/clocks.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";
import { type CallFault, FaultyFolder } from "../../../support/replica/faultyFolder.ts";
import { Gate, NEVER_CANCELLED } from "../../../support/replica/replicaFaults.ts";
import { needsLinks, skip } from "../../../support/skipped.ts";

const BYTES = new TextEncoder().encode("sealed, and hashed");

describe("replica in a folder", () => {
  let root: string;
  let folder: FaultyFolder;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(tmpdir(), "forge-replica-"));
    folder = new FaultyFolder();
  });
  afterEach(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });
  const open = (options: { readonly marker?: string } = {}): ReplicaFolder =>
    new ReplicaFolder(root, { ...options, calls: folder.calls });
  const put = (replica: LogReplica, name: string): Promise<ReplicaResult<"created" | "exists">> =>
    replica.put(name, BYTES, NEVER_CANCELLED);
  const names = async (replica: LogReplica): Promise<readonly string[]> => {
    const found: string[] = [];
    const onPage = (page: readonly { readonly name: string }[]): void => {
      found.push(...page.map(({ name }) => name));
    };
    assert.deepEqual(await replica.list("", onPage, NEVER_CANCELLED), { ok: true, value: undefined });
    return found.toSorted();
  };
  /** Outcome of each member, in order. */
  const reasons = async (replica: LogReplica): Promise<readonly string[]> => {
    const results = [
      await put(replica, "a/b"),
      await replica.get("a/b", NEVER_CANCELLED),
      await replica.list("", () => undefined, NEVER_CANCELLED),
      await replica.delete("a/b", NEVER_CANCELLED),
    ];
    return results.map((result) =>
      result.ok ? "ok" : result.error.code === "CANCELLED" ? "cancelled" : result.error.reason,
    );
  };

  it("never makes a folder that is gone", async () => {
    fs.rmdirSync(root);
    assert.deepEqual(await reasons(open()), ["missing", "missing", "missing", "missing"]);
    assert.equal(fs.existsSync(root), false);
  });

  it("is missing where the folder is a file", async () => {
    fs.rmdirSync(root);
    fs.writeFileSync(root, "");
    assert.deepEqual(await reasons(open()), ["missing", "missing", "missing", "missing"]);
  });

  it("takes the empty folder of a share that is not mounted for no replica", async () => {
    assert.deepEqual(await put(open({ marker: "marker" }), "marker"), { ok: true, value: "created" });
    assert.deepEqual(await reasons(open({ marker: "marker" })), ["ok", "ok", "ok", "ok"]);
    fs.rmSync(root, { recursive: true });
    fs.mkdirSync(root);
    assert.deepEqual(await reasons(open({ marker: "marker" })), ["missing", "missing", "missing", "missing"]);
    assert.deepEqual(fs.readdirSync(root), []);
    // It can be looked for, and put there, all the same.
    assert.deepEqual(await open({ marker: "marker" }).get("marker", NEVER_CANCELLED), { ok: true, value: undefined });
  });

  it("has put nothing on a share that is unmounted in between", async () => {
    const replica = open({ marker: "marker" });
    await put(replica, "marker");
    const gate = new Gate();
    folder.putFaults.push(gate);
    const result = put(replica, "a");
    await gate.isHeld;
    fs.rmSync(path.join(root, "marker"));
    gate.release();
    const { ok, error } = { error: undefined, ...(await result) };
    assert.deepEqual([ok, error !== undefined && "reason" in error && error.reason], [false, "missing"]);
  });

  it("lists what is its own only", async function () {
    writeFiles(root, {
      "log/a1.seg": BYTES,
      "log/a1 (ann's conflicted copy 2026-11-01).seg": BYTES, // Dropbox
      "log/a1 2.seg": BYTES, // iCloud
      "log/a1.sync-conflict-20261101-101010-ABCDEFG.seg": BYTES, // Syncthing
      "log/a1-LAPTOP.seg": BYTES, // OneDrive
      "log/.syncthing.a2.seg.tmp": BYTES,
      "log/~syncthing~a2.seg.tmp": BYTES,
      "log/.a2.seg.Xy12Zq": BYTES, // rsync
      "log/.nfs000000001": BYTES,
      "log/._a1.seg": BYTES, // macOS
      ".stfolder/marker": BYTES,
      ".sync/a": BYTES,
      "lost+found/a": BYTES,
      "System Volume Information/a": BYTES,
      "Icon\r": BYTES,
      ".DS_Store": BYTES,
      "+a": BYTES, // an escape of nothing
      "$recycle.bin/a": BYTES,
    });
    assert.deepEqual(await names(open()), ["log/a1.seg"]);
    needsLinks(this);
    fs.symlinkSync(root, path.join(root, "log", "up"));
    fs.symlinkSync(path.join(root, "log", "a1.seg"), path.join(root, "log", "a2.seg"));
    assert.deepEqual(await names(open()), ["log/a1.seg"]);
  });

  it("makes no file that Windows or a synchronizer would refuse", async () => {
    const replica = open();
    for (const name of ["con", "aux.seg/com1", "desktop.ini", "console"]) await put(replica, name);
    assert.deepEqual(fs.readdirSync(root).toSorted(), ["+aux.seg", "+con", "+desktop.ini", "console"]);
    assert.deepEqual(await names(replica), ["aux.seg/com1", "con", "console", "desktop.ini"]);
  });

  it("lets those read it who may read the folder", async function () {
    if (process.platform === "win32") skip(this, "Windows has other permissions");
    const modes = async (mode: number): Promise<readonly number[]> => {
      fs.chmodSync(root, mode);
      await put(open(), `d${mode}/f`);
      const made = [`d${mode}`, `d${mode}/f`];
      return made.map((name) => fs.statSync(path.join(root, name)).mode & 0o777);
    };
    assert.deepEqual(await modes(0o700), [0o700, 0o600]);
    assert.deepEqual(await modes(0o750), [0o750, 0o640]);
  });

  it("has an object that is whole, though it cannot be opened for writing", async () => {
    await put(open(), "a");
    const refuses =
      (code: string): CallFault =>
      (call) =>
        call === "complete" ? code : undefined;
    folder.fails = refuses("EACCES");
    assert.deepEqual(await put(open(), "a"), { ok: true, value: "exists" });
    fs.truncateSync(path.join(root, "a"), 3);
    assert.deepEqual((await reasonOf(put(open(), "a"))) ?? "ok", "denied");
  });

  it("reads no file that is too large to be an object", async () => {
    fs.writeFileSync(path.join(root, "a"), "");
    fs.truncateSync(path.join(root, "a"), MOST_OBJECT_BYTES + 1);
    assert.equal(await reasonOf(open().get("a", NEVER_CANCELLED)), "unexpected");
  });

  it("has all of an object after a failure of any call of an earlier put", async () => {
    let failed = 0;
    for (let index = 0; ; index++) {
      let calls = 0;
      folder.fails = () => (calls++ === index ? "EIO" : undefined);
      const name = `f${index}/g/h`;
      const first = await put(open(), name);
      if (first.ok) break;
      failed++;
      folder.fails = () => undefined;
      assert.equal((await put(open(), name)).ok, true);
      assert.deepEqual(new Uint8Array(fs.readFileSync(path.join(root, name))), BYTES);
    }
    assert.ok(failed > 5);
  });

  it("waits a minute for a share that hangs, and asks it no more while it does", async () => {
    const clock = new ManualClock();
    const pending: (() => void)[] = [];
    const calls = {
      ...folder.calls,
      readBytes: () => new Promise<Uint8Array>((resolve) => pending.push(() => resolve(BYTES))),
    };
    const replica = new ReplicaFolder(root, { calls, clock });
    const begun = ["a", "b", "c"].map((name) => reasonOf(replica.get(name, NEVER_CANCELLED)));
    await clock.advance(59_999);
    assert.equal(pending.length, 2); // other files need threads, too
    await clock.advance(1);
    assert.deepEqual(await Promise.all(begun), ["unreachable", "unreachable", "unreachable"]);
    assert.equal(await reasonOf(replica.list("", () => undefined, NEVER_CANCELLED)), "unreachable");
    for (const answer of pending) answer();
    await settled();
    assert.deepEqual(await names(replica), []);
    assert.equal(clock.pending, 0);
  });
});

async function reasonOf(result: Promise<ReplicaResult<unknown>>): Promise<string | undefined> {
  const { error } = { error: undefined, ...(await result) };
  return error !== undefined && "reason" in error ? error.reason : error?.code;
}
