import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { CheckpointFolder } from "../../../../src/adapters/node/checkpoints/checkpointFolder.ts";
import { ContentStore } from "../../../../src/adapters/node/checkpoints/contentStore.ts";
import { nodeFiles } from "../../../../src/adapters/node/files.ts";
import type { ContentHash } from "../../../../src/core/checkpoints/changeSet.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { seededRandom } from "../../../support/texts/plantedSecrets.ts";
import { faultyFiles } from "../../../support/storage/faultyFiles.ts";

const HOUR_MS = 60 * 60 * 1_000;
const NONE: ReadonlySet<ContentHash> = new Set();

describe("kept contents of files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "forge-contents-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  /** A new one each time, as after a restart. */
  const store = (files = nodeFiles): ContentStore => new ContentStore(path.join(folder, "objects"), files);
  const names = (): readonly string[] => readdirSync(path.join(folder, "objects"));
  const kinds = (): readonly string[] =>
    names()
      .map((name) => (name.startsWith("pack.") ? "pack" : name.startsWith("tmp.") ? "temporary" : "content"))
      .sort();
  const small = (count: number): readonly Uint8Array[] =>
    Array.from({ length: count }, (_, at) => Buffer.from(`content ${String(at)}\n`.repeat(at)));
  const keepAll = async (contents: readonly Uint8Array[], into = store()): Promise<readonly ContentHash[]> => {
    const batch = into.batch(await into.hashes());
    const kept = await Promise.all(contents.map((each) => batch.keep(each)));
    await batch.end();
    await into.sync();
    assert.deepEqual(
      kept.map(({ bytes }) => bytes),
      contents.map(({ length }) => length),
    );
    return kept.map(({ hash }) => hash);
  };
  const assertThere = async (contents: readonly Uint8Array[]): Promise<void> => {
    const [again, there] = [store(), await store().hashes()];
    for (const each of contents) {
      assert.ok(there.has(hashOf(each)));
      assert.deepEqual(Buffer.from((await again.content(hashOf(each))) ?? ""), Buffer.from(each));
    }
  };

  it("are read back byte for byte, whatever they are", async () => {
    const random = seededRandom(1);
    const noise = Uint8Array.from({ length: 900_000 }, () => 256 * random());
    const text = Buffer.from("const text = 1;\n".repeat(60_000));
    const mixed = Buffer.concat([text.subarray(0, 5_000), noise]);
    const contents = [Buffer.alloc(0), Buffer.from("a"), text, noise, mixed, noise.subarray(0, 16_385)];
    for (const each of contents) await store().keep(each);
    await assertThere(contents);
    const share = (await store().size()) / contents.reduce((sum, { length }) => sum + length, 0);
    assert.ok(share < 1.01, String(share));
  });

  it("that an older version deflated are read", async () => {
    const content = Buffer.from("old content\n".repeat(9));
    mkdirSync(path.join(folder, "objects"));
    writeFileSync(path.join(folder, "objects", hashOf(content)), deflateRawSync(content));
    await assertThere([content]);
  });

  it("are in one file, if they are small and many, and each once", async () => {
    const [few, many] = [small(3), small(40)];
    await keepAll(few);
    assert.deepEqual(kinds(), ["content", "content", "content"]);
    await keepAll([...many, ...many]);
    const all = ["content", "content", "content", "pack"];
    assert.deepEqual(kinds(), all);
    await keepAll(many);
    for (const each of many) await store().keep(each);
    assert.deepEqual(kinds(), all);
    await assertThere(many);
  });

  it("are several packs, if they are more than one holds", async () => {
    const contents = small(1_500).map((each, at) => Buffer.concat([each.subarray(0, 20), Buffer.from(String(at))]));
    await keepAll(contents);
    assert.deepEqual(kinds(), ["pack", "pack"]);
    await assertThere(contents.slice(990, 1_010));
  });

  it("stay as long as they are named, wanted or young, and leave room else", async () => {
    const contents = small(40);
    const hashes = await keepAll(contents);
    const clean = (named: readonly string[], removed: readonly string[], nowMs: number): Promise<void> =>
      store().clean(new Set(named), new Set(removed), nowMs);
    const nowMs = Date.now();
    const [before] = names();
    await clean([], [], nowMs);
    await clean(hashes.slice(20), hashes.slice(0, 30), nowMs);
    assert.deepEqual(names(), [before], "half of it is worth no work");
    await clean(hashes.slice(30), hashes, nowMs + 2 * HOUR_MS);
    assert.deepEqual(kinds(), ["pack"]);
    assert.notDeepEqual(names(), [before]);
    await assertThere(contents.slice(30));
    assert.deepEqual([...(await store().hashes())].sort(), hashes.slice(30).toSorted());
    await clean([], hashes, nowMs);
    assert.deepEqual(names(), []);
  });

  it("of a damaged pack are kept once more", async () => {
    const contents = small(20);
    await keepAll(contents);
    truncateSync(path.join(folder, "objects", names()[0] ?? ""), 100);
    await keepAll(contents);
    assert.deepEqual(kinds(), ["pack", "pack"]);
    await assertThere(contents);
  });

  it("that are named are never lost, whichever call of the disk fails", async () => {
    const contents = small(40);
    const old = new Date(Date.now() - 2 * HOUR_MS);
    let hashes: readonly ContentHash[] = [];
    for (let failing = 0, isDone = false; !isDone; failing++) {
      rmSync(path.join(folder, "objects"), { recursive: true, force: true });
      hashes = (await keepAll(contents.slice(0, 20))).slice(0, 5);
      for (const name of names()) utimesSync(path.join(folder, "objects", name), old, old);
      const files = faultyFiles(({ index }) => (index === failing ? "EIO" : undefined));
      const work = async (): Promise<void> => {
        await keepAll(contents, store(files));
        await store(files).clean(new Set(hashes), NONE, Date.now());
      };
      isDone = await work().then(
        () => true,
        () => false,
      );
      await assertThere(contents.slice(0, 5));
    }
    const young = contents.slice(20).map(hashOf);
    assert.deepEqual([...(await store().hashes())].sort(), [...hashes, ...young].toSorted());
  });

  it("have names on the disk before anything names them", async () => {
    const calls: string[] = [];
    const files = faultyFiles(({ name }) => {
      if (["writeNew", "rename", "syncFolder"].includes(name)) calls.push(name);
      return undefined;
    });
    const checkpoints = new CheckpointFolder(folder, files);
    const named = ["syncFolder", "writeNew", "rename", "syncFolder"];
    const write = (): Promise<unknown> =>
      checkpoints.write({
        id: 1,
        turn: messageId(0),
        atMs: 1,
        cause: { kind: "edit", title: "" },
        changes: [],
        uncovered: [],
      });
    await checkpoints.keep(Buffer.from("a"));
    await write();
    assert.deepEqual(calls.splice(0), ["writeNew", "rename", ...named]);
    await checkpoints.keep(Buffer.from("a"));
    await write();
    assert.deepEqual(calls.splice(0), named, "it was there, but perhaps not its name");
    const batch = checkpoints.batch(NONE);
    await Promise.all(small(9).map((each) => batch.keep(each)));
    await batch.end();
    await checkpoints.setText("command.json", "{}");
    assert.deepEqual(calls.splice(0), ["writeNew", "rename", ...named]);
  });
});

function hashOf(bytes: Uint8Array): ContentHash {
  return createHash("sha256").update(bytes).digest("hex") as ContentHash;
}
