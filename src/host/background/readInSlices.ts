/** Long reads of a conversation, in slices of a few milliseconds with other work of the extension host in between. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { Cancelled } from "../../core/errors.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { ok, type Result } from "../../core/result.ts";
import { runSync, inSlices, type CooperativeTask } from "../../core/cooperativeTask.ts";

/** Attempts before the read runs without pauses, because the conversation changes too fast. */
const MAX_ATTEMPTS = 3;

export function yieldToHost(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs a read-only task on `manager`; restarts it if that has changed meanwhile, so the result is current. */
export async function readInSlices<T>(
  manager: Pick<ContextManager, "revision">,
  read: () => CooperativeTask<T>,
  cancel: CancelSignal,
): Promise<Result<T, Cancelled>> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const { revision } = manager;
    const done = await inSlices(read(), { yieldToHost, cancel });
    if (!done.ok || manager.revision === revision) return done;
  }
  return ok(runSync(read()));
}

export const NEVER_CANCELLED: CancelSignal = new AbortController().signal;
