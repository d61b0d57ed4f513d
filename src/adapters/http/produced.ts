/** Turns work that makes events by itself into a stream that is read. */

import type { CancelSignal } from "../../core/cancellation.ts";
import { EventQueue } from "../../core/stream/eventQueue.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";

/**
 * Yields what `work` puts into its queue until the work is over. `abort` is called, once or more, when `cancel` aborts or
 * the reader leaves; the work must then come to an end. Work that rejects makes the stream throw after its last event.
 */
export async function* produced(
  cancel: CancelSignal,
  abort: () => void,
  work: (queue: EventQueue<StreamEvent>) => Promise<void>,
): AsyncGenerator<StreamEvent, void> {
  if (cancel.aborted) return;
  const queue = new EventQueue<StreamEvent>();
  cancel.addEventListener("abort", abort);
  const done = work(queue).finally(() => {
    queue.end();
  });
  try {
    yield* queue;
    await done;
  } finally {
    cancel.removeEventListener("abort", abort);
    abort();
    done.catch(() => undefined);
  }
}
