import assert from "node:assert/strict";
import { Cancellation, follow } from "../../../src/core/cancellation.ts";
import { EventQueue } from "../../../src/core/stream/eventQueue.ts";
import { produced } from "../../../src/core/stream/produced.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { settled } from "../../support/clocks.ts";

const event = (text: string): StreamEvent => ({ kind: "text", text });

describe("EventQueue", () => {
  it("gives everything in order, before and while it is read, and nothing after its end", async () => {
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

describe("produced", () => {
  it("throws what the work threw, after the events that came before", async () => {
    const read: StreamEvent[] = [];
    const stream = produced(
      new Cancellation(),
      () => undefined,
      (queue) => {
        queue.push(event("a"));
        return Promise.reject(new Error("broken"));
      },
    );
    await assert.rejects(async () => {
      for await (const value of stream) read.push(value);
    }, /broken/);
    assert.deepEqual(read, [event("a")]);
  });
  it("aborts the work when the reader leaves, and when it is cancelled", async () => {
    let aborts = 0;
    const endless = (cancel: Cancellation): AsyncGenerator<StreamEvent, void> => {
      let stop: () => void = () => undefined;
      const abort = (): void => {
        aborts++;
        stop();
      };
      return produced(cancel, abort, (queue) => {
        queue.push(event("a"));
        return new Promise((resolve) => (stop = resolve));
      });
    };
    for await (const value of endless(new Cancellation())) if (value.kind === "text") break;
    const afterLeaving = aborts;
    const user = new Cancellation();
    for await (const value of endless(user)) if (value.kind === "text") user.abort();
    assert.deepEqual([afterLeaving, aborts > afterLeaving], [1, true]);
  });
  it("does not begin what was cancelled before", async () => {
    const user = new Cancellation();
    user.abort();
    const stream = produced(
      user,
      () => undefined,
      () => Promise.reject(new Error("begun")),
    );
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
  });
});

describe("Cancellation", () => {
  it("tells each listener once, and follows another until told not to", () => {
    const [outer, inner, freed] = [new Cancellation(), new Cancellation(), new Cancellation()];
    let calls = 0;
    inner.addEventListener("abort", () => calls++);
    follow(outer, inner);
    follow(outer, freed)();
    outer.abort();
    outer.abort();
    assert.deepEqual([calls, inner.aborted, freed.aborted], [1, true, false]);
    const late = new Cancellation();
    follow(outer, late);
    assert.equal(late.aborted, true);
  });
});
