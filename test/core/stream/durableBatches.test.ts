import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import { durableBatches } from "../../../src/core/stream/durableBatches.ts";
import { EventQueue } from "../../../src/core/stream/eventQueue.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";

const text = (words: string): StreamEvent => ({ kind: "text", text: words });
const done: StreamEvent = { kind: "done", stopReason: "endTurn" };
const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "no space" };

/** Writes that end when the test calls `finish`. */
class ManualWrites {
  readonly batches: (readonly StreamEvent[])[] = [];
  #finish: (result: Result<void, StorageFailed>) => void = () => undefined;

  readonly write = (events: readonly StreamEvent[]): Promise<Result<void, StorageFailed>> => {
    this.batches.push(events);
    return new Promise((resolve) => {
      this.#finish = resolve;
    });
  };

  finish(result: Result<void, StorageFailed> = ok(undefined)): void {
    this.#finish(result);
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("durableBatches", () => {
  it("writes the first event at once, and events that arrive meanwhile as one batch", async () => {
    const source = new EventQueue<StreamEvent>();
    const writes = new ManualWrites();
    const batches = durableBatches(source, writes.write);
    const first = batches.next();
    source.push(text("a"));
    await turn();
    for (const event of [text("b"), text("c"), done]) source.push(event);
    source.end();
    await turn();
    assert.deepEqual(writes.batches, [[text("a")]]);

    writes.finish();
    assert.deepEqual(await first, { done: false, value: [text("a")] });
    const second = batches.next();
    await turn();
    assert.deepEqual(writes.batches[1], [text("bc"), done]);
    writes.finish();
    assert.deepEqual(await second, { done: false, value: [text("bc"), done] });
    assert.deepEqual(await batches.next(), { done: true, value: ok(undefined) });
  });

  it("yields nothing of a batch that failed to be written, and closes the source", async () => {
    let closed = false;
    async function* source(): AsyncGenerator<StreamEvent> {
      try {
        yield text("lost");
        await turn();
        yield text("never asked for");
      } finally {
        closed = true;
      }
    }
    const batches = durableBatches(source(), () => Promise.resolve(err(diskFull)));
    assert.deepEqual(await batches.next(), { done: true, value: err(diskFull) });
    assert.ok(closed);
  });

  it("passes on transient events without writing them", async () => {
    const waiting: StreamEvent = { kind: "waiting", why: "silent", ms: 90_000 };
    const source = new EventQueue<StreamEvent>();
    source.push(waiting);
    source.push(done);
    source.end();
    const written: (readonly StreamEvent[])[] = [];
    const batches = durableBatches(source, (events) => {
      written.push(events);
      return Promise.resolve(ok(undefined));
    });
    assert.deepEqual(await batches.next(), { done: false, value: [waiting] });
    assert.deepEqual(await batches.next(), { done: false, value: [done] });
    assert.deepEqual(written, [[done]]);
  });

  it("throws the source's error after all earlier events", async () => {
    async function* source(): AsyncGenerator<StreamEvent> {
      yield text("kept");
      await turn();
      throw new Error("a bug of an adapter");
    }
    const batches = durableBatches(source(), () => Promise.resolve(ok(undefined)));
    assert.deepEqual(await batches.next(), { done: false, value: [text("kept")] });
    await assert.rejects(batches.next(), /a bug of an adapter/);
  });
});
