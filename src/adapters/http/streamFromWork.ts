import type { CancelSignal } from "../../core/cancellation.ts";
import { EventQueue } from "../../core/stream/eventQueue.ts";
import type { StreamEvent } from "../../core/stream/streamEvent.ts";

/**
 * Yields what `work` queues until it ends. `abort` is called, once or more, when `cancel` aborts or the reader stops;
 * `work` must then end. If `work` rejects, the stream throws after its last event.
 */
export async function* streamFromWork(
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
