import assert from "node:assert/strict";
import { passphraseKey } from "../../../src/adapters/argon2/passphraseKey.ts";

const SALT = new TextEncoder().encode("somesalt");
const COST = { memoryKib: 256, iterations: 2, parallelism: 1 };

async function hex(passphrase: string, salt = SALT, cost = COST): Promise<string> {
  return Buffer.from(await passphraseKey(passphrase, salt, cost)).toString("hex");
}

describe("The key of a passphrase", () => {
  // From the tests of the reference implementation, version 1.3.
  it("is Argon2id's", async () => {
    assert.equal(await hex("password"), "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe");
    assert.equal(
      await hex("password", SALT, { ...COST, parallelism: 2 }),
      "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037",
    );
  });

  it("is the same however the keyboard composes letters, and another for other letters", async () => {
    const composed = await hex("caf\u00e9");
    assert.equal(await hex(" cafe\u0301\n"), composed);
    assert.notEqual(await hex("cafe"), composed);
  });
});
