import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OutboxFolder } from "../../../../src/adapters/node/replica/outboxFolder.ts";
import type { OutboxObject } from "../../../../src/core/replica/sealedObject.ts";
import { faultyFiles } from "../../../support/storage/faultyFiles.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

function objectOf(number: number): OutboxObject {
  const hash = String(number).repeat(32);
  return {
    name: `c/${String(number)}.pack`,
    bytes: Buffer.from([number, 255, 0]),
    keyName: `c/${String(number)}.key`,
    keyBytes: Buffer.from([0, number]),
    known: { hash, length: 3, segments: [hash], replaces: [], without: [hash], isRead: false },
  };
}

interface Held {
  readonly objects: readonly OutboxObject[];
  readonly removals: readonly string[];
  readonly known: readonly string[];
}

function heldBy(outbox: OutboxFolder): Held {
  return { objects: outbox.objects, removals: outbox.removals, known: outbox.known.map(({ hash }) => hash) };
}

async function opened(folder: string): Promise<OutboxFolder> {
  const outbox = await OutboxFolder.open(folder);
  assert.ok(outbox.ok);
  return outbox.value;
}

const [one, two, three] = [objectOf(1), objectOf(2), objectOf(3)];

type Change = (outbox: OutboxFolder) => ReturnType<OutboxFolder["add"]>;
const changes: readonly Change[] = [
  (outbox) => outbox.add(one),
  (outbox) => outbox.add(two),
  (outbox) => outbox.drop(one),
  (outbox) => outbox.setRemovals(["c/1.key", "c/1.pack"]),
  (outbox) => outbox.add(three),
  (outbox) => outbox.setKnown([two.known, three.known]),
  (outbox) => outbox.setRemovals([]),
  (outbox) => outbox.drop(three),
];

describe("The outbox on disk", () => {
  it("is the same at the next start, after each change", async () => {
    const folder = join(temporaryFolder().path, "outbox");
    const outbox = await opened(folder);
    for (const change of changes) {
      assert.ok((await change(outbox)).ok);
      assert.deepEqual(heldBy(await opened(folder)), heldBy(outbox));
    }
    assert.deepEqual(heldBy(outbox), { objects: [two], removals: [], known: [two.known.hash, three.known.hash] });
  });

  it("has the state before or after a change whose file calls fail, and leaves no file behind", async () => {
    for (let failing = 0; ; failing++) {
      const folder = join(temporaryFolder().path, "outbox");
      const files = faultyFiles(({ index }) => (index === failing ? "EIO" : undefined));
      const outbox = await OutboxFolder.open(folder, files);
      if (!outbox.ok) continue;
      let hasFailed = false;
      for (const change of changes) {
        const before = heldBy(outbox.value);
        const done = await change(outbox.value);
        if (done.ok) continue;
        hasFailed = true;
        assert.equal(done.error.code, "STORAGE_FAILED");
        assert.deepEqual(heldBy(outbox.value), before);
        const found = heldBy(await opened(folder));
        assert.ok((await change(outbox.value)).ok);
        const after = heldBy(outbox.value);
        assert.ok([before, after].some((state) => JSON.stringify(state) === JSON.stringify(found)));
        assert.deepEqual(heldBy(await opened(folder)), after);
      }
      assert.deepEqual(readdirSync(folder).sort(), ["1.object", "known.json", "removals.json"]);
      if (!hasFailed) return;
    }
  });

  it("starts empty where files cannot be read", async () => {
    const { path } = temporaryFolder();
    for (const name of ["0.object", "removals.json", "known.json"])
      writeFileSync(join(path, name), '{"names":["../x"]}');
    assert.deepEqual(heldBy(await opened(path)), { objects: [], removals: [], known: [] });
  });

  it("passes over an object that was cut, wherever, and keeps the others", async () => {
    const { path } = temporaryFolder();
    const outbox = await opened(path);
    for (const object of [one, two]) assert.ok((await outbox.add(object)).ok);
    const whole = readFileSync(join(path, "0.object"));
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(join(path, "0.object"), whole.subarray(0, length));
      assert.deepEqual(heldBy(await opened(path)), { objects: [two], removals: [], known: [] });
    }
  });

  it("has the objects that an earlier version left, in one line each", async () => {
    const { path } = temporaryFolder();
    const { bytes, keyBytes, ...head } = one;
    const [object, key] = [bytes, keyBytes].map((each) => Buffer.from(each).toString("base64"));
    writeFileSync(join(path, "0.object"), JSON.stringify({ ...head, key, object }));
    assert.deepEqual(heldBy(await opened(path)), { objects: [one], removals: [], known: [] });
  });
});
