import assert from "node:assert/strict";
import fc from "fast-check";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";

const BROKEN = { ok: false, error: { code: "SEAL_BROKEN" } };

describe("Sealed objects", () => {
  it("are opened with their key and in their place, and tell any change", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.nat(), fc.nat(7), async (text, at, bit) => {
        const { bytes, key, hash } = await objectCipher.seal([text], "one");
        assert.equal(hash, objectCipher.hashOf(bytes));
        assert.deepEqual(await objectCipher.open(bytes, key, "one"), { ok: true, value: text.toWellFormed() });
        assert.deepEqual(await objectCipher.open(bytes, key, "other"), BROKEN);
        assert.deepEqual(await objectCipher.open(bytes, objectCipher.newKey(), "one"), BROKEN);
        assert.deepEqual(await objectCipher.open(bytes.subarray(0, at % bytes.length), key, "one"), BROKEN);
        const changed = Uint8Array.from(bytes);
        changed[at % bytes.length] = (changed[at % bytes.length] ?? 0) ^ (1 << bit);
        assert.deepEqual(await objectCipher.open(changed, key, "one"), BROKEN);
        assert.notEqual(objectCipher.hashOf(changed), hash);
      }),
    );
  });

  it("are of the text of all pieces, also of those that are bytes", async () => {
    const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("ö".repeat(70_000), "😀".repeat(150_000)));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(piece, fc.boolean())), async (pieces) => {
        const text = pieces.map(([of, isBytes]) => (isBytes ? Buffer.from(of) : of));
        const { bytes, key } = await objectCipher.seal(text, "one");
        const all = pieces.map(([of]) => of.toWellFormed()).join("");
        assert.deepEqual(await objectCipher.open(bytes, key, "one"), { ok: true, value: all });
      }),
      { numRuns: 30 },
    );
  });

  for (const length of [4_096, 4_097, 3_000_000]) {
    for (const [title, unit] of [
      ["different characters", (at: number) => String.fromCharCode(32 + ((at * at * 31) % 9_973))],
      ["one character", () => "ö"],
    ] as const) {
      it(`are opened when they are of ${String(length)} characters, ${title}`, async () => {
        const text = Array.from({ length }, (_, at) => unit(at)).join("");
        const { bytes, key } = await objectCipher.seal([text], "one");
        assert.deepEqual(await objectCipher.open(bytes, key, "one"), { ok: true, value: text });
      });
    }
  }

  it("have keys that only the key around them opens, in their place", () => {
    const [key, under] = [objectCipher.newKey(), objectCipher.newKey()];
    const wrapped = objectCipher.wrap(key, under, "one");
    const opened = objectCipher.unwrap(wrapped, under, "one");
    assert.ok(opened.ok);
    assert.deepEqual(Buffer.from(opened.value), Buffer.from(key));
    assert.notDeepEqual(objectCipher.wrap(key, under, "one"), wrapped);
    assert.deepEqual(objectCipher.unwrap(wrapped, under, "other"), BROKEN);
    assert.deepEqual(objectCipher.unwrap(wrapped, objectCipher.newKey(), "one"), BROKEN);
    assert.deepEqual(objectCipher.unwrap(wrapped.subarray(1), under, "one"), BROKEN);
    assert.deepEqual(objectCipher.unwrap(new Uint8Array(), under, "one"), BROKEN);
  });

  it("say nothing of repeated text", async () => {
    const [one, other] = await Promise.all([
      objectCipher.seal(["the same"], "one"),
      objectCipher.seal(["the same"], "one"),
    ]);
    assert.notDeepEqual(one.bytes, other.bytes);
  });
});
