/**
 * Reads a stream and makes each event durable before anyone sees it. An event that arrives during no write is written
 * at once; those that arrive during a write are one batch, written next, so that a slow disk costs delay and never an
 * ever-growing queue of writes.
 */

import type { StorageFailed } from "../errors.ts";
import { err, ok, type Result } from "../result.ts";
import { EventQueue } from "./eventQueue.ts";
import type { StreamEvent } from "./streamEvent.ts";

/** Makes a batch durable; resolves after the sync. */
export type WriteBatch = (events: readonly StreamEvent[]) => Promise<Result<void, StorageFailed>>;

/**
 * Yields the events of `source` in order, in batches that are already durable; adjacent text is joined. Ends when the
 * source ends, or with a storage failure: then the failed batch is not yielded, and the source is closed. A source that
 * throws makes this throw.
 */
export async function* durableBatches(
  source: AsyncIterable<StreamEvent>,
  write: WriteBatch,
): AsyncGenerator<readonly StreamEvent[], Result<void, StorageFailed>> {
  const queue = new EventQueue<StreamEvent>();
  const iterator = source[Symbol.asyncIterator]();
  const reading = readInto(queue, iterator);
  // It is awaited at the end of the stream; until then a rejection must not count as unhandled.
  reading.catch(() => undefined);
  let isAtEnd = false;
  try {
    for (;;) {
      const events = await queue.takeAll();
      if (events.length === 0) break;
      const batch = joinAdjacentText(events);
      const lasting = batch.filter(isLasting);
      const written = lasting.length === 0 ? ok(undefined) : await write(lasting);
      if (!written.ok) return err(written.error);
      yield batch;
    }
    isAtEnd = true;
    await reading;
    return ok(undefined);
  } finally {
    if (!isAtEnd) await iterator.return?.();
  }
}

/** Joins adjacent text events, and adjacent thinking events, into one each. */
export function joinAdjacentText(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const joined: StreamEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + event.text };
    } else if (event.kind === "thinking" && last?.kind === "thinking") {
      joined[joined.length - 1] = { kind: "thinking", text: last.text + event.text };
    } else {
      joined.push(event);
    }
  }
  return joined;
}

/** Transient events are not journaled. */
function isLasting(event: StreamEvent): boolean {
  return event.kind !== "ping" && event.kind !== "waiting" && event.kind !== "reading";
}

async function readInto(queue: EventQueue<StreamEvent>, iterator: AsyncIterator<StreamEvent>): Promise<void> {
  try {
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) return;
      queue.push(next.value);
    }
  } finally {
    queue.end();
  }
}
