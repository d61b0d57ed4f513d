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

  it("forgets every key, including those of addresses no longer in the settings", async () => {
    stored.set("somebody else's", "x");
    for (const host of ["one", "two", "three"]) await secrets.save(`https://${host}.example`, host);
    assert.equal(await secrets.count(), 3);
    await secrets.forgetAll();
    assert.deepEqual([await secrets.count(), [...stored.keys()]], [0, ["somebody else's"]]);
  });
});
