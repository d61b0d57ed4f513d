import assert from "node:assert/strict";
import { Cancellation } from "../../../src/core/cancellation.ts";
import { streamFromWork } from "../../../src/adapters/http/streamFromWork.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";

const event = (text: string): StreamEvent => ({ kind: "text", text });

describe("streamFromWork", () => {
  it("rethrows an error of the work after delivering the earlier events", async () => {
    const read: StreamEvent[] = [];
    const stream = streamFromWork(
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
  it("aborts the work when the reader stops and when it is cancelled", async () => {
    let aborts = 0;
    const endless = (cancel: Cancellation): AsyncGenerator<StreamEvent, void> => {
      let stop: () => void = () => undefined;
      const abort = (): void => {
        aborts++;
        stop();
      };
      return streamFromWork(cancel, abort, (queue) => {
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
  it("does not start work that is already cancelled", async () => {
    const user = new Cancellation();
    user.abort();
    const stream = streamFromWork(
      user,
      () => undefined,
      () => Promise.reject(new Error("begun")),
    );
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
  });
});
