import assert from "node:assert/strict";
import { EventQueue } from "../../../src/core/stream/eventQueue.ts";
import { settled } from "../../support/clocks.ts";

describe("EventQueue", () => {
  it("yields values in order, pushed before or during reading, and none after its end", async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.push(2);
    const read: number[] = [];
    const reading = (async () => {
      for await (const value of queue) {
        read.push(value);
        if (value === 2) queue.push(3);
      }
    })();
    await settled();
    queue.push(4);
    await settled();
    queue.push(5);
    queue.end();
    queue.push(6);
    await reading;
    assert.deepEqual(read, [1, 2, 3, 4, 5]);
  });
});
