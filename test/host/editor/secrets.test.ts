import assert from "node:assert/strict";
import { Secrets } from "../../../src/host/editor/secrets.ts";

describe("Secrets", () => {
  let stored: Map<string, string>;
  let secrets: Secrets;
  beforeEach(() => {
    stored = new Map();
    secrets = new Secrets({
      keys: () => Promise.resolve([...stored.keys()]),
      get: (name) => Promise.resolve(stored.get(name)),
      store: (name, value) => Promise.resolve(void stored.set(name, value)),
      delete: (name) => Promise.resolve(void stored.delete(name)),
    });
  });

  it("returns a key for its own origin only", async () => {
    await secrets.save("https://one.example/v1", "k");
    const keys = ["https://one.example/v2", "https://one.example:444/", "http://one.example/"].map((url) =>
      secrets.keyFor(url),
    );
    assert.deepEqual(await Promise.all(keys), ["k", undefined, undefined]);
  });

  it("returns the root key of a replica, and the key of a bucket for that bucket at that origin only", async () => {
    const root = { id: "00112233aabbccdd", key: new Uint8Array(32).fill(7) };
    const bucket = { endpoint: "https://store.example/a", bucket: "forge" };
    const [keys, others] = [
      { accessKeyId: "AK", secretAccessKey: "s" },
      { accessKeyId: "ASIA", secretAccessKey: "t", sessionToken: "u" },
    ];
    await secrets.saveRootKey(root);
    for (const each of [keys, others]) await secrets.saveBucketKeys(bucket, each);
    assert.deepEqual([await secrets.rootKey(root.id), await secrets.rootKey("ffffffffffffffff")], [root, undefined]);
    const asked = [
      [{ ...bucket, endpoint: "https://store.example/b" }, "AK"],
      [bucket, "ASIA"],
      [{ ...bucket, endpoint: "https://other.example" }, "AK"],
      [{ ...bucket, bucket: "other" }, "AK"],
      [bucket, "other"],
    ] as const;
    const found = asked.map(([place, id]) => secrets.bucketKeys(place, id));
    assert.deepEqual(await Promise.all(found), [keys, others, undefined, undefined, undefined]);
    await secrets.save("https://one.example", "k");
    await secrets.saveRootKey({ ...root, id: "ffffffffffffffff" });
    await secrets.forgetReplica({ root: root.id, bucket: { ...bucket, accessKeyId: "AK" } });
    assert.deepEqual(
      [await secrets.rootKey(root.id), await secrets.bucketKeys(bucket, "AK"), stored.size],
      [root, keys, 3],
    );
    await secrets.forgetReplica();
    assert.deepEqual([...stored.keys()], ["forge.key https://one.example"]);
  });

  it("takes nothing damaged for a secret of a replica", async () => {
    const bucket = { endpoint: "https://store.example", bucket: "forge" };
    stored.set("forge.replicaRoot 00112233aabbccdd", "0011");
    for (const text of ["", "{", "{}", '{"secretAccessKey":1}']) {
      stored.set("forge.bucket https://store.example forge AK", text);
      assert.equal(await secrets.bucketKeys(bucket, "AK"), undefined);
    }
    assert.equal(await secrets.rootKey("00112233aabbccdd"), undefined);
  });

  it("forgets every key, including those of addresses no longer in the settings", async () => {
    stored.set("somebody else's", "x");
    await secrets.saveRootKey({ id: "00112233aabbccdd", key: new Uint8Array(32) });
    await secrets.saveBucketKeys(
      { endpoint: "https://b.example", bucket: "b" },
      { accessKeyId: "a", secretAccessKey: "s" },
    );
    for (const host of ["one", "two", "three"]) await secrets.save(`https://${host}.example`, host);
    assert.equal(await secrets.count(), 3);
    await secrets.forgetAll();
    assert.deepEqual([await secrets.count(), [...stored.keys()]], [0, ["somebody else's"]]);
  });
});
