import assert from "node:assert/strict";
import { recoveryCodeIn, recoveryCodeOf } from "../../../src/core/replica/recoveryCode.ts";

const CODE = "0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV";

describe("A recovery code", () => {
  it("is made of 5 bits of each of 28 bytes", () => {
    const random = Uint8Array.from({ length: 32 }, (_none, at) => at + 32);
    assert.equal(recoveryCodeOf(random), CODE);
    assert.equal(recoveryCodeOf(random.fill(31)), "ZZZZ-".repeat(7).slice(0, -1));
  });

  const entered: readonly (readonly [text: string, code: string | undefined])[] = [
    [CODE, CODE],
    [CODE.toLowerCase(), CODE],
    [` ${CODE.replaceAll("-", " ")}\n`, CODE],
    [CODE.replaceAll("-", ""), CODE],
    [CODE.replaceAll("-", "\u2013"), CODE],
    ["OI23-4567-89ab-cdef-ghjk-mnpq-rstv", CODE],
    ["0l23-4567-89ab-cdef-ghjk-mnpq-rstv", CODE],
    [CODE.slice(1), undefined],
    [`${CODE}0`, undefined],
    [CODE.replace("R", "U"), undefined],
    ["", undefined],
  ];
  for (const [text, code] of entered)
    it(`${code === undefined ? "is not" : "is"} ${JSON.stringify(text)}`, () => {
      assert.equal(recoveryCodeIn(text), code);
    });
});
