import assert from "node:assert/strict";
import { Emitter } from "../../../src/host/background/emitter.ts";

describe("Emitter", () => {
  it("calls listeners in subscription order until each is disposed", () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const first = emitter.event((value) => heard.push(`first ${String(value)}`));
    emitter.event((value) => heard.push(`second ${String(value)}`));
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, ["first 1", "second 1", "second 2"]);
  });

  it("calls a listener once per subscription, and each subscription is disposed separately", () => {
    const emitter = new Emitter<void>();
    let count = 0;
    const listener = (): number => count++;
    const one = emitter.event(listener);
    emitter.event(listener);
    one.dispose();
    emitter.fire();
    assert.equal(count, 1);
  });

  it("skips listeners that are disposed or added while it fires", () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    emitter.event(() => {
      heard.push("first");
      second.dispose();
      emitter.event(() => heard.push("later"));
    });
    const second = emitter.event(() => heard.push("second"));
    emitter.fire();
    assert.deepEqual(heard, ["first"]);
  });
});
