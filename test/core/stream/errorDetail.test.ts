import assert from "node:assert/strict";
import { errorDetail, hideKeys } from "../../../src/core/stream/errorDetail.ts";

describe("errorDetail", () => {
  const check = (text: string, expected: string, secrets: readonly string[] = []): void => {
    assert.equal(errorDetail(text, secrets), expected);
  };
  it("reduces an HTML page to one line", () => {
    check("<html><head><title>x</title></head><body>\n<h1>Sign in</h1>\n <p>please</p>", "Sign in please");
  });
  it("drops invisible characters", () => {
    check("a\u0000b\u202Ec\tд", "a b c д");
  });
  it("truncates long text", () => {
    assert.deepEqual([errorDetail("x".repeat(5_000)).length, errorDetail("x".repeat(5_000)).at(-1)], [300, "…"]);
  });
  it("hides a known key, also when URL-encoded", () => {
    check("no such key: my+own/key!", "no such key: [hidden]", ["my+own/key!"]);
    check("at ?key=my%2Bown%2Fkey!", "at ?key=[hidden]", ["my+own/key!"]);
  });
  it("hides text that looks like a key, whole or masked by a service", () => {
    const keys = [
      "sk-ant-api03-AbCdEfGh1234567890",
      "sk-proj-1234567890abcdefghijkl",
      "sk-ab**************yz",
      "AIza" + "B".repeat(35),
    ];
    for (const key of keys)
      assert.doesNotMatch(hideKeys(`Incorrect API key provided: ${key}.`), /AbCd|1234|ab\*|BBBB/, key);
  });
});
