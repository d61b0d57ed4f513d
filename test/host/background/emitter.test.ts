import assert from "node:assert/strict";
import { Emitter } from "../../../src/host/background/emitter.ts";

describe("an event", () => {
  it("reaches all who listen, in the order of their subscriptions, until each ends its own", () => {
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

  it("reaches a listener as often as it was subscribed, and each subscription ends alone", () => {
    const emitter = new Emitter<void>();
    let count = 0;
    const listener = (): number => count++;
    const one = emitter.event(listener);
    emitter.event(listener);
    one.dispose();
    emitter.fire();
    assert.equal(count, 1);
  });

  it("reaches nobody who has ended to listen meanwhile, nor who has only begun", () => {
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
